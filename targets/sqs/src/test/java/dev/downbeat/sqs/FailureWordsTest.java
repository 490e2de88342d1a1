package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same failure has the same words, whichever client meets it; and what becomes of a message is known, or not. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureWordsTest {
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void an_unknown_host(SqsTransport transport) {
        Consumer<SqsOptions.Draft> options = draft -> {
            draft.transport = transport;
            draft.endpoint = Optional.of(URI.create("http://nowhere.invalid:9324"));
            draft.region = Optional.of("us-east-1");
            draft.credentials = Optional.of(ElasticMq.ANYBODY);
        };
        assertThatThrownBy(() -> Runs.of("orders", options))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("client: unknown host");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void a_connection_that_is_dropped(SqsTransport transport) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread dropping = new Thread(() -> drop(server), "dropping");
            dropping.setDaemon(true);
            dropping.start();
            Consumer<SqsOptions.Draft> options = draft -> {
                draft.transport = transport;
                draft.endpoint = Optional.of(URI.create("http://127.0.0.1:" + server.getLocalPort()));
                draft.region = Optional.of("us-east-1");
                draft.credentials = Optional.of(ElasticMq.ANYBODY);
            };
            assertThatThrownBy(() -> Runs.of("orders", options))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("client: closed before a response");
        }
    }

    /** Reads a part of each request and closes its connection in good order. */
    private static void drop(ServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    InputStream in = socket.getInputStream();
                    int read = in.read(new byte[65_536]);
                    if (read > 0 && in.available() > 0) {
                        in.skipNBytes(in.available());
                    }
                    socket.shutdownOutput();
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY", "CRT"})
    void a_pool_without_a_free_connection_in_time(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start().delay(Duration.ofSeconds(1).toNanos())) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> {
                        draft.maxConnections = 1;
                        draft.acquireTimeout = Duration.ofMillis(500);
                    }),
                    Runs.plan(40, Duration.ofMillis(500)));
            assertThat(result.recording().failures()).containsOnlyKeys("no free connection within the acquire timeout");
            assertThat(result.counts().count("messages not sent"))
                    .isEqualTo(result.ledger().failed())
                    .isEqualTo(result.ledger().unconnected());
        }
    }

    /** A poll that does not wait holds its connection only if the service is slow. */
    @ParameterizedTest(name = "{0}, waiting up to {1} s")
    @CsvSource({"DOWNBEAT, 5", "APACHE, 5", "NETTY, 5", "CRT, 5", "DOWNBEAT, 0"})
    void receives_find_all_connections_in_polls_of_an_empty_queue(SqsTransport transport, int pollWait)
            throws IOException {
        try (FakeSqs server = FakeSqs.start().delay(Duration.ofSeconds(1).toNanos())) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> {
                        draft.operation = SqsOperation.RECEIVE;
                        draft.pollWait = Duration.ofSeconds(pollWait);
                        draft.maxConnections = 1;
                        draft.acquireTimeout = Duration.ofMillis(500);
                    }),
                    Runs.plan(40, Duration.ofMillis(500)));
            String limit = "all connections waited for messages (-c, --poll-wait; API: maxConnections, pollWait)";
            assertThat(result.recording().tallies().ownLimits().keySet())
                    .isEqualTo(pollWait == 0 ? Set.of() : Set.of(limit));
            assertThat(result.recording().failures().keySet())
                    .isEqualTo(pollWait == 0 ? Set.of("no free connection within the acquire timeout") : Set.of());
            assertThat(result.ledger().answered()).isPositive();
        }
    }

    /** A poll of a healthy service ends within its wait, whatever the queue holds. */
    @ParameterizedTest(name = "{0} ms")
    @ValueSource(ints = {300, 60_000})
    void connections_wait_for_messages_only_as_long_as_polls_may_last(int delayMillis) throws IOException {
        try (FakeSqs server = FakeSqs.start().delay(TimeUnit.MILLISECONDS.toNanos(delayMillis))) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(SqsTransport.DOWNBEAT).andThen(draft -> {
                        draft.operation = SqsOperation.RECEIVE;
                        draft.pollWait = Duration.ofSeconds(1);
                        draft.maxConnections = 1;
                        draft.acquireTimeout = Duration.ofMillis(200);
                    }),
                    Runs.plan(20, Duration.ofSeconds(3)).timeout(Duration.ofSeconds(4)));
            assertThat(result.recording().tallies().ownLimits()).hasSize(delayMillis > 1_000 ? 0 : 1);
            assertThat(result.recording().failures().containsKey("no free connection within the acquire timeout"))
                    .isEqualTo(delayMillis > 1_000);
        }
    }

    /** From the first interval on, nobody listens. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void a_message_whose_connection_is_refused_was_not_sent(SqsTransport transport) throws IOException {
        for (int attempts : new int[] {1, 2}) {
            FakeSqs server = FakeSqs.start();
            SqsOptions options =
                    SqsOptions.of(server.options(transport).andThen(draft -> draft.maxAttempts = attempts));
            RunPlan.Builder plan = Runs.plan(40, Duration.ofSeconds(2));
            RunResult result = new LoadRun(plan.build(), new SqsTarget(server.queue(), options, false))
                    .run(interval -> server.close());
            Ledger ledger = result.ledger();
            long refused = result.recording().failures().getOrDefault("connection refused", 0L);
            assertThat(ledger.unconnected())
                    .isBetween(10L, refused) // a retry may follow an attempt that was sent
                    .isEqualTo(result.counts().count("messages not sent"));
            if (attempts == 1) {
                assertThat(ledger.unconnected()).isEqualTo(refused);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void an_answer_that_confirms_nothing_is_no_success(SqsTransport transport) throws IOException {
        try (FakeSqs server = FakeSqs.start().answersSends("{}")) {
            for (SqsOperation operation : new SqsOperation[] {SqsOperation.SEND, SqsOperation.SEND_BATCH}) {
                RunResult result = Runs.of(
                        server.queue(),
                        server.options(transport).andThen(draft -> {
                            draft.operation = operation;
                            draft.batchSize = 4;
                        }),
                        Runs.plan(100, Duration.ofMillis(100)));
                assertThat(result.recording().failures()).containsOnlyKeys("response without confirmation");
                int each = operation == SqsOperation.SEND ? 1 : 4;
                assertThat(result.counts().count("messages of unknown fate"))
                        .isEqualTo((long) each * result.ledger().failed())
                        .isEqualTo(each * 10L);
                assertThat(result.counts().count("messages sent")).isZero();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void a_wrong_checksum_is_a_failure_of_a_message_that_was_sent(SqsTransport transport) throws IOException {
        String answer = "{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"00000000000000000000000000000000\"}";
        try (FakeSqs server = FakeSqs.start().answersSends(answer)) {
            RunResult result =
                    Runs.of(server.queue(), server.options(transport), Runs.plan(100, Duration.ofMillis(100)));
            assertThat(result.recording().failures()).containsOnlyKeys("the checksum of the answer is wrong");
            assertThat(result.counts().count("messages sent")).isEqualTo(10);
            assertThat(result.counts().count("messages not sent")).isZero();
        }
    }

    @ParameterizedTest(name = "{0}, fault of the sender {2}")
    @CsvSource({
        "DOWNBEAT,RequestThrottled,false,in a batch: throttled (RequestThrottled: tired)",
        "NETTY,InvalidMessageContents,true,in a batch: InvalidMessageContents (tired)"
    })
    void a_batch_that_is_answered_in_part_is_a_failure_and_its_rest_unknown(
            SqsTransport transport, String code, boolean bySender, String words) throws IOException {
        String failed =
                "{\"Id\":\"2\",\"Code\":\"" + code + "\",\"Message\":\"tired\",\"SenderFault\":" + bySender + "}";
        try (FakeSqs server = FakeSqs.start().failsEntries(failed)) {
            RunResult result = Runs.of(
                    server.queue(),
                    server.options(transport).andThen(draft -> {
                        draft.operation = SqsOperation.SEND_BATCH;
                        draft.batchSize = 4;
                    }),
                    Runs.plan(100, Duration.ofMillis(100)));
            assertThat(result.ledger().failed()).isEqualTo(10);
            assertThat(result.recording().failures()).containsOnlyKeys(words);
            assertThat(result.counts().count("messages sent")).isEqualTo(20);
            assertThat(result.counts().count("messages not sent")).isEqualTo(10);
            assertThat(result.counts().count("messages of unknown fate")).isEqualTo(10);
        }
    }
}
