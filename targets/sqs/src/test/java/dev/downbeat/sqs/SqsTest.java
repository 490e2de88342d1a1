package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The promised face of queues, against a real server. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqsTest {
    private static RunResult run(SystemUnderTest queue) throws IOException {
        RunPlan plan = Runs.plan(200, Duration.ofMillis(250)).build();
        return new LoadRun(plan, (Target) queue).run(Progress.none());
    }

    private static List<String> words(SystemUnderTest queue) {
        return ((MeasuredSystem) queue).commandLineArguments();
    }

    private static SqsTarget target(SystemUnderTest queue, int users) {
        return ((Sqs.QueueUnderTest) ((MeasuredSystem) queue).forUsers(users)).target();
    }

    private static int inFlight(SystemUnderTest queue, int users) {
        return target(queue, users).options.client().maxInFlight();
    }

    @Test
    void each_user_of_a_closed_loop_can_have_a_call_in_flight_unless_their_number_is_set() {
        Sqs orders = Sqs.queue("orders").region("eu-west-1");
        assertThat(inFlight(orders.send(), 0)).isEqualTo(256);
        assertThat(inFlight(orders.send(), 10)).isEqualTo(256);
        assertThat(inFlight(orders.sendBatch(3), 300)).isEqualTo(300);
        assertThat(inFlight(orders.send(), 1_000_000)).isEqualTo(65_535);
        assertThat(inFlight(orders.inFlight(20).send(), 300)).isEqualTo(20);
        assertThat(words(orders.inFlight(20).send())).contains("--in-flight=20");
        assertThatThrownBy(() -> orders.inFlight(0))
                .hasMessage("requests in flight must be from 1 to 65535, but was 0");
        assertThat(orders).hasToString("sqs:orders");
        assertThat(orders.send()).asString().startsWith("SQS SEND orders");
    }

    @Test
    void a_second_run_knows_the_messages_that_the_first_one_left() {
        SystemUnderTest queue = Sqs.queue("orders").region("eu-west-1").deliver();
        assertThat(target(queue, 0)).isSameAs(target(queue, 0)).isSameAs(target(queue, 10));
        assertThat(target(queue, 300).run).isEqualTo(target(queue, 400).run).isEqualTo(target(queue, 0).run);
        assertThat(target(Sqs.queue("orders").region("eu-west-1").deliver(), 0).run)
                .isNotEqualTo(target(queue, 0).run);
    }

    @Test
    void messages_are_sent_one_by_one_and_in_batches_and_arrive() throws IOException {
        ElasticMq server = ElasticMq.shared();
        String queue = server.queue(false);
        Sqs orders = Sqs.queue(queue)
                .endpoint(server.uri().toString())
                .connections(2)
                .body("{}");
        assertThat(run(orders.attribute("colour", "red").send()).ledger().answered())
                .isEqualTo(50);
        assertThat(run(orders.sendBatch(3)).ledger().answered()).isEqualTo(50);
        assertThat(server.size(queue)).isEqualTo(200);
        String other = server.queue(false);
        RunResult delivered = run(Sqs.queue(other)
                .endpoint(server.uri().toString())
                .body(number -> "n" + number)
                .deliver());
        assertThat(delivered.ledger().answered()).isEqualTo(50);
    }

    @Test
    void messages_are_sent_later_and_deleted_with_credentials_of_ones_own() throws IOException {
        ElasticMq server = ElasticMq.shared();
        String queue = server.queue(false);
        Sqs orders = Sqs.queue(queue)
                .endpoint(server.uri().toString())
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("me", "hush")))
                .connections(2)
                .body("{}");
        assertThat(run(orders.delay(Duration.ofMinutes(10)).send()).ledger().answered())
                .isEqualTo(50);
        assertThat(run(orders.queueIsMine().delete()).ledger().answered()).isEqualTo(50);
        Sqs named = Sqs.queue("orders").region("eu-west-1").queueIsMine();
        assertThat(words(named.receive()))
                .containsExactly("sqs:orders", "--region=eu-west-1", "--queue-is-mine", "--operation=receive");
        assertThat(words(named.deliverThrough("arn:aws:sns:eu-west-1:123456789012:orders")))
                .contains("--through=arn:aws:sns:eu-west-1:123456789012:orders");
    }

    @Test
    void library_options_match_the_command_line_and_are_checked_when_set() {
        Sqs orders = Sqs.queue("orders").region("eu-west-1");
        assertThatThrownBy(() -> orders.connections(0)).hasMessage("connections must be from 1 to 65535, but was 0");
        assertThatThrownBy(() -> orders.attribute("downbeat-x", "1")).hasMessageContaining("(reserved)");
        for (String name : new String[] {"", "a b", ".a", "a..b", "AWS.a", "a".repeat(257)}) {
            assertThatThrownBy(() -> orders.attribute(name, "1"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("attribute names must be 1 to 256 letters");
        }
        assertThatThrownBy(() -> orders.attribute("a", "")).hasMessage("an attribute's value must not be empty");
        assertThat(orders.attribute("a.b_c-D", "1").region("us-iso-east-1")).isNotNull();
        assertThatThrownBy(() -> orders.region(""))
                .hasMessage("region must be 1 to 63 letters, digits and dashes, but was ''");
        assertThatThrownBy(() -> orders.region("eu/west")).isInstanceOf(IllegalArgumentException.class);
        assertThat(words(orders.body("{}").sendBatch(4)))
                .containsExactly(
                        "sqs:orders", "--region=eu-west-1", "--data=***", "--batch-size=4", "--operation=send-batch");
        assertThatThrownBy(() -> orders.sendBatch(11)).hasMessage("batch size must be from 1 to 10, but was 11");
        Sqs large = orders.body("x".repeat(1024 * 1024)).delay(Duration.ofMinutes(15));
        assertThatThrownBy(large::send).hasMessageStartingWith("a message must be at most 1048576 bytes");
    }
}
