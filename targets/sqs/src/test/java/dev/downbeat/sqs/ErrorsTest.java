package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.sqs.operation.QueueRehearsal;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;

/** What goes wrong is said in one clear line, by the real SDK. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ErrorsTest {
    @Test
    void a_missing_queue_is_reported_before_the_run() throws IOException {
        ElasticMq server = ElasticMq.shared();
        for (SqsTransport transport : SqsTransport.values()) {
            Consumer<SqsOptions.Draft> options = server.options(transport, SqsOperation.SEND);
            for (String missing : new String[] {"nowhere", server.uri() + "/000000000000/nowhere"}) {
                assertThatThrownBy(() -> Runs.of(missing, options))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("client: the queue does not exist (");
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void an_unreachable_target_is_reported_before_the_run(SqsTransport transport) throws IOException {
        int port = 1; // nobody listens there
        Consumer<SqsOptions.Draft> options = draft -> {
            draft.transport = transport;
            draft.region = Optional.of("us-east-1");
            draft.endpoint = Optional.of(URI.create("http://127.0.0.1:" + port));
            draft.credentials = Optional.of(ElasticMq.ANYBODY);
        };
        assertThatThrownBy(() -> Runs.of("orders", options))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("client: connection refused");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "ExpiredTokenException,the credentials have expired",
        "UnrecognizedClientException,the credentials are not valid",
        "ThrottlingException,throttled"
    })
    void the_services_message_is_reported_before_the_run(String code, String reason) throws IOException {
        try (FakeSqs server = FakeSqs.refusing(code)) {
            assertThatThrownBy(() -> Runs.of(server.queue(), server.options(SqsTransport.APACHE)))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("client: " + reason + " (" + code + ": what the service says)");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void send_permission_suffices_without_read_permission(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.refusing("AccessDeniedException")) {
            RunResult result = Runs.of(server.queue(), server.options(transport));
            assertThat(result.ledger().answered()).isEqualTo(100);
            assertThatThrownBy(() -> Runs.of(
                            "orders",
                            server.options(transport).andThen(draft -> draft.endpoint = Optional.of(server.uri()))))
                    .hasMessageContaining("access denied to GetQueueUrl: give the queue's URL");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void refusals_in_mid_run_are_failures_with_few_reasons(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start()
                .errors(send -> send % 4 == 0 ? "AccessDeniedException" : send % 4 == 2 ? "ThrottlingException" : "")) {
            RunResult result = Runs.of(server.queue(), server.options(transport));
            assertThat(result.ledger().answered()).isEqualTo(50);
            assertThat(result.ledger().failed()).isEqualTo(50);
            assertThat(result.recording().failures())
                    .containsEntry("throttled (ThrottlingException: what the service says)", 25L)
                    .containsEntry("access denied (AccessDeniedException: what the service says)", 25L)
                    .hasSize(2);
            assertThat(result.counts().amplification()).hasValue(1);
            assertThat(result.target()).doesNotContain("hush").doesNotContain("anybody");
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void retries_are_counted_apart_from_operations(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start().failsFirst("InternalFailure")) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> draft.maxAttempts = 3),
                    Runs.plan(100, Duration.ofMillis(200)));
            assertThat(result.ledger().answered()).isEqualTo(20);
            assertThat(result.counts().count(TargetCounts.OPERATIONS)).isEqualTo(20);
            assertThat(result.counts().count(TargetCounts.ATTEMPTS)).isEqualTo(40);
            assertThat(server.sends()).isEqualTo(40);
            assertThat(result.counts().amplification()).hasValue(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void a_send_that_was_refused_each_time_was_not_sent(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start().errors(send -> "ThrottlingException")) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> draft.maxAttempts = 2),
                    Runs.plan(20, Duration.ofMillis(200)));
            assertThat(result.ledger().failed()).isEqualTo(4);
            assertThat(result.counts().count("messages not sent")).isEqualTo(4);
            assertThat(result.counts().count("messages of unknown fate")).isZero();
        }
    }

    @Test
    void a_send_of_which_one_attempt_broke_may_have_been_sent() throws IOException {
        try (FakeSqs server =
                FakeSqs.start().errors(send -> send % 2 == 1 ? "InternalFailure" : "ThrottlingException")) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(SqsTransport.DOWNBEAT).andThen(draft -> draft.maxAttempts = 2),
                    Runs.plan(5, Duration.ofMillis(200)));
            assertThat(result.counts().count("messages of unknown fate")).isEqualTo(1);
        }
    }

    @Test
    void without_credentials_the_error_says_what_to_do() throws IOException {
        try (FakeSqs server = FakeSqs.start()) {
            Consumer<SqsOptions.Draft> options = server.options(SqsTransport.APACHE)
                    .andThen(draft -> draft.credentials =
                            Optional.of(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create())));
            assertThatThrownBy(() -> Runs.of(server.queue(), options))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no credentials found: set AWS_ACCESS_KEY_ID");
        }
    }

    @Test
    void without_a_region_the_error_says_what_to_do() {
        SqsOptions options = SqsOptions.of(draft -> draft.credentials = Optional.of(ElasticMq.ANYBODY));
        assertThatThrownBy(() -> new SqsTarget("orders", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "no region for the queue orders: give one (--region; API: region), set AWS_REGION, or name one in the"
                                + " profile of ~/.aws/config");
    }

    @Test
    void a_server_on_this_machine_needs_neither_region_nor_credentials() throws IOException {
        try (FakeSqs server = FakeSqs.start()) {
            RunResult result = Runs.of(server.queue(), draft -> draft.maxConnections = 5);
            assertThat(result.ledger().answered()).isEqualTo(100);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void the_queue_sees_nothing_of_the_rehearsal(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start()) {
            SqsOptions options = SqsOptions.of(server.options(transport).andThen(draft -> draft.maxConnections = 1));
            QueueRehearsal.run(options); // a target does so only once in a JVM
            SqsTarget target = new SqsTarget(server.queue(), options);
            RunResult result =
                    new LoadRun(Runs.plan(250, Duration.ofMillis(200)).build(), target).run(Progress.none());
            assertThat(result.ledger().answered()).isEqualTo(50);
            assertThat(server.sends()).isEqualTo(50);
            assertThat(result.counts().count(TargetCounts.ATTEMPTS)).isEqualTo(50);
            assertThat(result.recording().anatomy().byPosition().last())
                    .isEqualTo(transport == SqsTransport.URL_CONNECTION || transport == SqsTransport.CRT ? 0 : 50);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY"})
    void a_server_that_closes_with_notice_is_seen(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start().closeAfter(5)) {
            RunResult result =
                    Runs.of(server.queue(), server.options(transport).andThen(draft -> draft.maxConnections = 1));
            assertThat(result.ledger().answered()).isEqualTo(100);
            assertThat(result.connections().opened()).isEqualTo(20);
            assertThat(result.connections().closedByServerWithNotice()).isEqualTo(20);
            assertThat(result.connections().closedByServer()).isZero();
            assertThat(result.recording().anatomy().byPosition().last()).isEqualTo(5);
            assertThat(result.recording().anatomy().byPosition().at(5).count()).isEqualTo(20);
            // Our own engine looks up no address in numbers. Netty's pool may have begun a connection
            // before the
            // request that then gets it: none of its lookup is that request's.
            switch (transport) {
                case DOWNBEAT ->
                    assertThat(result.recording().waits().lookup().count()).isZero();
                case APACHE ->
                    assertThat(result.recording().waits().lookup().count()).isEqualTo(20);
                default ->
                    assertThat(result.recording().waits().lookup().count()).isBetween(10L, 20L);
            }
        }
    }

    @Test
    void an_invalid_queue_is_refused() {
        SqsOptions options = SqsOptions.of(draft -> draft.region = Optional.of("us-east-1"));
        assertThatThrownBy(() -> new SqsTarget("a queue", options)).hasMessageContaining("but was 'a queue'");
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.messageSize = 0))
                .hasMessage("message size must be from 1 to 1048576, but was 0");
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.pollWait = Duration.ofMillis(1_500)))
                .hasMessageStartingWith("poll wait must be from 0 to 20 s in whole seconds");
        assertThatThrownBy(() -> new SqsTarget("a.fifo", SqsOptions.of(draft -> draft.delay = Duration.ofSeconds(1))))
                .hasMessageContaining("FIFO");
    }

    @Test
    void a_queue_URL_has_region_or_endpoint() {
        assertThat(new SqsTarget("https://sqs.eu-west-1.amazonaws.com/123456789012/orders", SqsOptions.of(draft -> {}))
                        .describe())
                .isEqualTo("SQS SEND orders in eu-west-1, Downbeat client");
        assertThat(new SqsTarget("http://localhost:9324/000000000000/orders", SqsOptions.of(draft -> {})).describe())
                .isEqualTo("SQS SEND orders at localhost:9324, Downbeat client");
    }
}
