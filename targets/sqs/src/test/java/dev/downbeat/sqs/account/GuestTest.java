package dev.downbeat.sqs.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.ElasticMq;
import dev.downbeat.sqs.Runs;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A queue with thirty messages of somebody else and a dead-letter queue: a guest harms nobody. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GuestTest {
    private static final int THEIRS = 30;

    private static ElasticMq server;

    private String dead = "";
    private String queue = "";

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.shared();
    }

    @BeforeEach
    void queues() {
        dead = server.queue(false);
        queue = server.queue(false);
    }

    private void redrive() {
        redrive(3);
    }

    private void redrive(int maxReceives) {
        String name = dead.substring(dead.lastIndexOf('/') + 1);
        server.client()
                .setQueueAttributes(request -> request.queueUrl(queue)
                        .attributes(Map.of(
                                QueueAttributeName.REDRIVE_POLICY,
                                "{\"deadLetterTargetArn\":\"arn:aws:sqs:elasticmq:000000000000:" + name
                                        + "\",\"maxReceiveCount\":\"" + maxReceives + "\"}")));
    }

    private void fill() {
        redrive();
        fill("theirs");
    }

    private void fill(String group) {
        SqsClient client = server.client();
        boolean isFifo = queue.endsWith(".fifo");
        for (int i = 0; i < THEIRS; i += 10) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (int j = 0; j < 10; j++) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(j))
                        .messageBody("theirs")
                        .messageGroupId(isFifo ? group : null)
                        .messageDeduplicationId(isFifo ? "d" + i + j : null)
                        .build());
            }
            client.sendMessageBatch(batch -> batch.queueUrl(queue).entries(entries));
        }
    }

    private int visible() {
        return Integer.parseInt(server.client()
                .getQueueAttributes(request ->
                        request.queueUrl(queue).attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                .attributes()
                .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES));
    }

    @ParameterizedTest(name = "{0} by {1}")
    @CsvSource({
        "RECEIVE,DOWNBEAT",
        "RECEIVE,NETTY",
        "DELIVERY,DOWNBEAT",
        "DELIVERY,APACHE",
        "DELETE,DOWNBEAT",
        "DELETE,CRT"
    })
    void the_first_foreign_message_stops_receiving_and_all_are_returned(SqsOperation operation, SqsTransport transport)
            throws IOException {
        fill();
        Consumer<SqsOptions.Draft> options =
                server.options(transport, operation).andThen(draft -> draft.pollWait = Duration.ofSeconds(1));
        String failure;
        try {
            RunResult result = Runs.of(queue, options, Runs.plan(100, Duration.ofMillis(300)));
            assertThat(result.ledger().answered()).isLessThan(30);
            assertThat(result.recording().failures())
                    .as("failures of the service")
                    .isEmpty();
            assertThat(result.counts().count("requests ended by messages of others"))
                    .isEqualTo(result.ledger().neverSent())
                    .isPositive();
            assertThat(result.counts().count("messages of others, given back")).isBetween(1L, (long) THEIRS);
            failure = String.join(" ", result.recording().tallies().ownLimits().keySet());
        } catch (IOException refused) {
            assertThat(operation).as("which waits for its first message").isEqualTo(SqsOperation.DELETE);
            failure = refused.getMessage();
        }
        assertThat(failure).contains("the queue holds messages of other producers");
        assertThat(server.size(queue)).isGreaterThanOrEqualTo(THEIRS);
        assertThat(server.size(dead)).isZero();
    }

    private void awaitVisible() {
        long until = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (visible() < THEIRS && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** Receives what is visible, for so long, and returns how often each message of others was received up to now. */
    private List<String> receives(int hiddenSeconds) {
        List<String> receives = new ArrayList<>();
        List<Message> messages;
        do {
            messages = server.client()
                    .receiveMessage(request -> request.queueUrl(queue)
                            .maxNumberOfMessages(10)
                            .visibilityTimeout(hiddenSeconds)
                            .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                    .messages();
            messages.stream()
                    .filter(message -> message.body().equals("theirs"))
                    .forEach(message -> receives.add(
                            message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)));
        } while (!messages.isEmpty());
        return receives;
    }

    /** Two runs one after the other, both longer than the time in which three receives used to follow each other. */
    @ParameterizedTest(name = "{0} by {1} threads")
    @CsvSource({"DELIVERY,2", "DELETE,1"})
    void foreign_messages_in_a_declared_queue_are_received_once_and_given_back(SqsOperation operation, int threads)
            throws IOException {
        fill();
        Consumer<SqsOptions.Draft> options =
                server.options(SqsTransport.DOWNBEAT, operation).andThen(draft -> draft.queueIsMine = true);
        RunResult result =
                Runs.of(queue, options, Runs.plan(20, Duration.ofSeconds(5)).generators(threads));
        assertThat(result.ledger().answered()).isEqualTo(100);
        assertThat(result.counts().count("messages of others, given back")).isEqualTo(THEIRS);
        assertThat(server.size(queue)).isEqualTo(THEIRS);
        Runs.of(queue, options, Runs.plan(20, Duration.ofSeconds(4)).timeout(Duration.ofSeconds(5)));
        assertThat(server.size(dead)).isZero();
        awaitVisible();
        assertThat(receives(30)).as("once by the runs, and now").hasSize(THEIRS).containsOnly("2");
    }

    /** Their visibility timeout is a second: without an end they would come and go. */
    @Test
    void receives_stop_before_the_last_receive_of_a_message() throws IOException {
        fill();
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.RECEIVE).andThen(draft -> {
                    draft.queueIsMine = true;
                    draft.pollWait = Duration.ofSeconds(1);
                    draft.visibility = Optional.of(Duration.ofSeconds(1));
                }),
                Runs.plan(10, Duration.ofSeconds(5)));
        assertThat(result.ledger().answered()).isEqualTo(50);
        assertThat(result.counts().count("messages received")).isEqualTo(2 * THEIRS);
        assertThat(result.counts().count("messages of others with one receive left"))
                .isEqualTo(THEIRS);
        assertThat(server.size(queue)).isEqualTo(THEIRS);
        assertThat(server.size(dead)).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"RECEIVE", "DELETE", "DELIVERY"})
    void a_queue_whose_messages_can_be_received_once_only_is_refused(SqsOperation operation) {
        redrive(1);
        fill("theirs");
        assertThatThrownBy(() -> Runs.of(
                        queue,
                        server.options(SqsTransport.DOWNBEAT, operation).andThen(draft -> draft.queueIsMine = true)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the queue holds messages of other producers, whose next receive would be the last before the"
                                + " dead-letter queue: use a separate queue (run --create makes one)");
        assertThat(visible()).isEqualTo(THEIRS);
    }

    /** Those of an earlier run or another shard, too. */
    @Test
    void own_messages_may_be_received_once_only() throws IOException {
        redrive(1);
        Consumer<SqsOptions.Draft> shared = draft -> {
            draft.queueIsMine = true;
            draft.run = Optional.of("shared");
        };
        Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.SEND).andThen(shared),
                Runs.plan(100, Duration.ofMillis(100)));
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(shared));
        assertThat(result.ledger().answered()).isEqualTo(100);
        assertThat(result.counts().count("messages of others, given back")).isZero();
    }

    @Test
    void a_run_ends_at_the_first_message_that_its_owner_could_not_receive_any_more() throws IOException {
        fill();
        for (int i = 0; i < 2; i++) {
            receives(3);
            awaitVisible();
        }
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> draft.queueIsMine = true),
                Runs.plan(50, Duration.ofSeconds(1)));
        assertThat(result.counts().count("messages of others without a receive left"))
                .isBetween(1L, 20L);
        assertThat(result.recording().tallies().ownLimits())
                .containsOnlyKeys(
                        "messages of other producers might move to the dead-letter queue: use a separate queue");
        assertThat(result.counts().count("requests ended by messages of others"))
                .isEqualTo(result.ledger().neverSent())
                .isPositive();
        assertThat(server.size(dead)).isZero();
    }

    /** What an earlier run left has the same marks, and would hold back what comes behind it in its group. */
    @Test
    void messages_of_others_in_a_fifo_queue_hold_back_none_of_the_run() throws IOException {
        queue = server.queue(true);
        dead = server.queue(true);
        fill();
        Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.SEND).andThen(draft -> draft.messageGroups = 2),
                Runs.plan(100, Duration.ofMillis(100)));
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.queueIsMine = true;
                    draft.messageGroups = 2;
                }),
                Runs.plan(10, Duration.ofSeconds(4)));
        assertThat(result.ledger().answered()).isEqualTo(40);
        assertThat(server.size(queue)).isEqualTo(THEIRS + 10);
        assertThat(server.size(dead)).isZero();
    }

    /** The first polls bring messages, the rest wait: all connections are in polls, and the service answers each. */
    @ParameterizedTest(name = "{0} messages")
    @ValueSource(ints = {0, 10, 30})
    void polls_that_hold_all_connections_are_no_failures_whatever_the_queue_held(int theirs) throws IOException {
        for (int i = 0; i < theirs; i++) {
            server.client().sendMessage(request -> request.queueUrl(queue).messageBody("theirs"));
        }
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.RECEIVE).andThen(draft -> {
                    draft.queueIsMine = true;
                    draft.maxConnections = 5;
                    draft.pollWait = Duration.ofSeconds(3);
                    draft.acquireTimeout = Duration.ofSeconds(1);
                }),
                Runs.plan(20, Duration.ofSeconds(1)));
        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.recording().tallies().ownLimits())
                .containsOnlyKeys(
                        "all connections waited for messages (-c, --poll-wait; API: maxConnections, pollWait)");
        assertThat(result.ledger().answered()).isBetween(5L, 8L);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void deletes_take_as_many_messages_as_there_are_deletes_and_leave_none(SqsTransport transport) throws IOException {
        RunResult result = Runs.of(
                queue,
                server.options(transport, SqsOperation.DELETE).andThen(draft -> draft.requests = 10),
                Runs.plan(50, Duration.ofMillis(200)));
        assertThat(result.ledger().answered()).isEqualTo(10);
        assertThat(result.counts().count("messages left behind")).isZero();
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void messages_of_one_run_are_its_own_in_each_shard() throws IOException {
        Consumer<SqsOptions.Draft> options = server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY)
                .andThen(draft -> draft.run = Optional.of("one-run"));
        RunResult two =
                Runs.of(queue, options, Runs.plan(200, Duration.ofMillis(500)).generators(2));
        assertThat(two.ledger().answered()).isEqualTo(100);
        assertThat(two.counts().count("messages of others, given back")).isZero();
        assertThat(two.counts().count("messages not arrived")).isZero();
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void depth_and_dead_letters_are_read_off_while_a_run_goes_on_and_at_its_end() throws IOException {
        redrive();
        server.client().sendMessage(request -> request.queueUrl(dead).messageBody("given up"));
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.SEND).andThen(draft -> draft.watched = true),
                Runs.plan(50, Duration.ofMillis(1_200)));
        List<TargetCounts.Reading> depth = result.counts().courses().getOrDefault(QueueDepths.DEPTH, List.of());
        assertThat(depth)
                .hasSizeGreaterThanOrEqualTo(2)
                .isSortedAccordingTo(Comparator.comparingLong(TargetCounts.Reading::value)
                        .thenComparing(TargetCounts.Reading::atNanos));
        assertThat(depth.get(depth.size() - 1).atNanos())
                .isBetween(1_000_000_000L, result.durationNanos() + 10_000_000_000L);
        assertThat(result.counts().all())
                .containsEntry("messages in the queue (at the end)", 60L)
                .containsEntry("messages in the dead-letter queue (at the end)", 1L);
    }

    @Test
    void the_oldest_messages_age_grows_until_received() throws IOException {
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.delay = Duration.ofSeconds(2);
                    draft.watched = true;
                }),
                Runs.plan(20, Duration.ofMillis(250)));
        assertThat(result.ledger().answered()).isEqualTo(5);
        assertThat(result.counts().all().get("age of the oldest message in ms (most)"))
                .isBetween(700L, 10_000L);
    }

    @Test
    void a_consumer_that_works_on_each_message_lets_the_next_wait() throws IOException {
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.consumers = 1;
                    draft.processing = (consumer, message) -> 20_000_000;
                }),
                Runs.plan(100, Duration.ofMillis(300)));
        assertThat(result.ledger().answered()).isEqualTo(30);
        // thirty arrive in 0.3 s and take 0.6: the last waits for those before it
        assertThat(result.recording().response().maxNanos())
                .isGreaterThan(Duration.ofMillis(200).toNanos());
        assertThat(result.counts().count("messages redelivered")).isZero();
    }

    /** The run ends with the arrival of its last message, on which a consumer begins to work then. */
    @Test
    void messages_held_by_a_consumer_at_the_end_are_deleted() throws IOException {
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.consumers = 1;
                    draft.processing = (consumer, message) -> 1_500_000_000;
                }),
                Runs.plan(20, Duration.ofMillis(50)));
        assertThat(result.ledger().answered()).isEqualTo(1);
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void a_poll_that_brings_nothing_is_no_failure() throws IOException {
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.RECEIVE)
                        .andThen(draft -> draft.pollWait = Duration.ofSeconds(2)),
                Runs.plan(20, Duration.ofMillis(200)));
        assertThat(result.ledger().answered()).isEqualTo(4);
        assertThat(result.counts().count("polls without a message")).isEqualTo(4);
        assertThat(result.recording().response().maxNanos())
                .isLessThan(Duration.ofSeconds(2).toNanos());
    }
}
