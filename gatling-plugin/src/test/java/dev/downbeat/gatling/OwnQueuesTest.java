package dev.downbeat.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.testing.FakeTopic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to queues, in real runs of Gatling. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnQueuesTest {
    private static ElasticMq server;

    @TempDir
    private Path results;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private GatlingRun run(Class<?> simulation) throws IOException {
        Map<String, String> properties = new HashMap<>(Map.of("test.url", server.url()));
        properties.put("aws.accessKeyId", "anybody");
        properties.put("aws.secretAccessKey", "hush-hush");
        return GatlingRun.of(simulation, results, properties);
    }

    @Test
    void a_plain_simulation_is_refused() {
        assertThatThrownBy(() -> run(QueueSimulations.WithoutDownbeat.class))
                .hasMessageContaining("Downbeat.sqs needs a simulation that extends DownbeatSimulation");
    }

    @Test
    void messages_are_sent_and_each_has_its_place_in_the_ledger() throws IOException {
        String orders = server.queue("in");
        String inOrder = server.queue("in.fifo");
        GatlingRun run = run(QueueSimulations.Sends.class);
        String errors = run.json().at("/errors").toString();
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("planned")).isEqualTo(200);
        assertThat(run.ledger("answered")).as(errors).isEqualTo(80); // order, confirm
        assertThat(run.ledger("failed")).isEqualTo(120); // unbuilt, unordered, lost
        assertThat(run.ledger("unconnected")).as("unsent").isEqualTo(120);
        assertThat(run.gatling().count()).as("those that were handed over").isEqualTo(160);
        assertThat(errors).contains("missing", "FIFO queue must have a group", "the queue does not exist");
        assertThat(server.size(orders)).isEqualTo(40);
        assertThat(server.size(inOrder)).isEqualTo(40);
        JsonNode message = server.message(orders);
        assertThat(message.at("/Body").textValue()).contains("{\"item\": \"");
        assertThat(message.at("/MessageAttributes/kind/StringValue").textValue())
                .isIn("tea", "cake");
        assertThat(message.at("/MessageAttributes/user/StringValue").textValue())
                .startsWith("u");
        assertThat(server.message(inOrder).at("/Body").textValue()).startsWith("after ");
        assertThat(run.json().at("/target_counts/messages_sent").longValue()).isEqualTo(80);
        assertThat(run.json().at("/connections/opened").longValue()).isBetween(1L, 8L);
        assertThat(run.json().at("/position/last").longValue()).isGreaterThan(1);
    }

    @Test
    void the_documentations_messages_are_sent_delivered_received_and_deleted() throws IOException {
        server.queue("orders");
        server.queue("orders.fifo");
        String parcels = server.queue("parcels");
        String tray = server.queue("tray");
        GatlingRun run = run(DocumentedSimulations.Queues.class);
        assertThat(run.ledger("answered"))
                .as(run.json().at("/errors").toString())
                .isEqualTo(2 * 20 + 20 + 3 * 3);
        assertThat(run.ledger("planned")).isEqualTo(69);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.gatling().count()).isEqualTo(69);
        JsonNode counts = run.json().at("/target_counts");
        assertThat(counts.at("/messages_sent").longValue()).isEqualTo(2 * 20 + 20 + 3);
        assertThat(counts.at("/messages_delivered").longValue()).isEqualTo(20);
        assertThat(counts.at("/messages_not_arrived").longValue()).isZero();
        assertThat(counts.at("/messages_duplicated").longValue()).isZero();
        assertThat(counts.at("/messages_received").longValue()).isEqualTo(3);
        assertThat(server.size(tray)).isZero();
        assertThat(server.size(parcels)).isLessThanOrEqualTo(10); // the last deletions may be on their way
    }

    @Test
    void an_answer_that_fails_its_check_is_a_response_of_the_service() throws IOException {
        server.queue("checked");
        GatlingRun run = run(QueueSimulations.Unchecked.class);
        assertThat(run.ledger("failed")).as(run.json().at("/errors").toString()).isEqualTo(4);
        RunReport saved = RunFile.read(run.folder().resolve("downbeat.downbeat"));
        assertThat(saved.result().recording().tallies().failedResponses()).isEqualTo(4);
    }

    @Test
    void an_error_thrown_by_a_check_is_a_failure_of_its_request() throws IOException {
        server.queue("checked");
        GatlingRun run = run(QueueSimulations.BrokenCheck.class);
        assertThat(run.ledger("failed")).as(run.json().at("/errors").toString()).isEqualTo(4);
        assertThat(run.json().at("/errors").toString()).contains("check crashed: java.lang.NoClassDefFoundError");
    }

    @Test
    void batches_with_typed_attributes_are_sent_by_another_transport() throws IOException {
        String many = server.queue("many");
        GatlingRun run = run(QueueSimulations.Batches.class);
        assertThat(run.ledger("answered"))
                .as(run.json().at("/errors").toString())
                .isEqualTo(4);
        assertThat(run.json().at("/target_counts/messages_sent").longValue()).isEqualTo(20);
        assertThat(server.size(many)).isEqualTo(20);
        assertThat(server.message(many).at("/MessageAttributes/n/DataType").textValue())
                .isEqualTo("Number");
    }

    @Test
    void messages_reach_their_queue_by_way_of_a_topic() throws IOException {
        String readers = server.queue("readers");
        FakeTopic topic = new FakeTopic(
                true, List.of("arn:aws:sqs:elasticmq:000000000000:readers"), message -> handOn(readers, message));
        HttpServer front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        front.createContext("/", exchange -> {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] answer = topic.answer(form).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        front.start();
        System.setProperty(
                "aws.endpointUrlSns", "http://127.0.0.1:" + front.getAddress().getPort());
        try {
            GatlingRun run = run(QueueSimulations.ByTopic.class);
            assertThat(run.ledger("answered"))
                    .as(run.json().at("/errors").toString())
                    .isEqualTo(5);
            assertThat(run.addsUp()).isTrue();
            assertThat(run.json().at("/target_counts/messages_delivered").longValue())
                    .isEqualTo(5);
        } finally {
            System.clearProperty("aws.endpointUrlSns");
            front.stop(0);
        }
    }

    private static void handOn(String queue, FakeTopic.Published message) {
        try {
            server.send(queue, message.body(), message.attributes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void an_invalid_topic_is_refused_before_the_first_user_starts() {
        System.setProperty("test.topic", "news");
        try {
            assertThatThrownBy(() -> run(QueueSimulations.ByTopic.class))
                    .hasMessageContaining("a topic must be an ARN");
        } finally {
            System.clearProperty("test.topic");
        }
    }

    @Test
    void requests_waiting_for_a_connection_at_the_end_were_never_sent() throws IOException {
        server.queue("empty");
        GatlingRun run = run(QueueSimulations.Waiting.class);
        assertThat(run.addsUp()).isTrue();
        assertThat(run.ledger("in_flight")).isEqualTo(2);
        assertThat(run.ledger("never_sent")).isEqualTo(4);
        assertThat(run.json().at("/backlog/peak").longValue()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void a_missing_queue_is_reported_before_the_first_user_starts() {
        assertThatThrownBy(() -> run(QueueSimulations.NoQueue.class))
                .hasMessageContaining("SQS queue nowhere")
                .hasMessageContaining("the queue does not exist");
    }
}
