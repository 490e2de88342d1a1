package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A service that refuses some calls, in a queue whose messages are counted. */
@EndToEnd
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusalsTest {
    private static final Pattern SEQUENCE_NUMBER = Pattern.compile("\"SequenceNumber\":\"[0-9]+\"");

    private static ElasticMq server;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.shared();
    }

    @Test
    void a_throttled_supply_of_messages_to_delete_goes_on_afterwards() throws IOException {
        String queue = server.queue(false);
        try (RefusingFront front = RefusingFront.before(
                server, (call, number) -> call.equals("SendMessageBatch") && number == 2 ? "RequestThrottled" : "")) {
            RunResult result = Runs.of(
                    queue,
                    server.options(SqsTransport.DOWNBEAT, SqsOperation.DELETE)
                            .andThen(draft -> draft.endpoint = Optional.of(front.uri())),
                    Runs.plan(50, Duration.ofSeconds(3)));
            assertThat(result.ledger().answered())
                    .as(result.recording().tallies().ownLimits().toString())
                    .isGreaterThan(100);
            assertThat(result.recording().failures()).isEmpty();
            assertThat(result.recording().tallies().ownLimits())
                    .allSatisfy((reason, count) -> assertThat(reason).isEqualTo("no message to delete: throttled"));
            assertThat(result.counts().count("messages left behind")).isZero();
        }
        assertThat(server.size(queue)).isZero();
    }

    private static RunResult deleting(String queue, RefusingFront front) throws IOException {
        return Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELETE)
                        .andThen(draft -> draft.endpoint = Optional.of(front.uri())));
    }

    @Test
    void a_message_whose_deletion_is_refused_is_deleted_at_the_end() throws IOException {
        String queue = server.queue(false);
        try (RefusingFront front = RefusingFront.before(
                server,
                (call, number) -> call.equals("DeleteMessage") && number % 2 == 0 ? "AccessDeniedException" : "")) {
            RunResult result = deleting(queue, front);
            assertThat(result.ledger().failed()).isEqualTo(50);
            assertThat(result.counts().count("messages left behind")).isZero();
        }
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void messages_that_cannot_be_deleted_are_counted() throws IOException {
        String queue = server.queue(false);
        try (RefusingFront front = RefusingFront.before(
                server, (call, number) -> call.startsWith("DeleteMessage") ? "AccessDeniedException" : "")) {
            RunResult result = deleting(queue, front);
            assertThat(result.ledger().failed()).isEqualTo(100);
            assertThat(result.counts().count("messages left behind")).isEqualTo(server.size(queue));
        }
        assertThat(server.size(queue)).isGreaterThanOrEqualTo(100);
    }

    @Test
    void a_consumer_that_may_not_receive_says_so() throws IOException {
        try (RefusingFront front = RefusingFront.before(
                server, (call, number) -> call.equals("ReceiveMessage") ? "AccessDeniedException" : "")) {
            RunResult result = Runs.of(
                    server.queue(false),
                    server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY)
                            .andThen(draft -> draft.endpoint = Optional.of(front.uri())),
                    Runs.plan(20, Duration.ofMillis(200)).timeout(Duration.ofSeconds(1)));
            assertThat(result.ledger().timedOut()).isEqualTo(4);
            assertThat(result.counts().count("messages not arrived")).isEqualTo(4);
            assertThat(result.counts().count("polls failed (access denied)")).isPositive();
        }
    }

    /** The queue is deleted, or its name now belongs to another, while the run goes on. */
    @Test
    void a_queue_that_goes_away_during_the_run() throws IOException {
        try (RefusingFront front = RefusingFront.before(
                server, (call, number) -> call.equals("SendMessage") && number > 10 ? "QueueDoesNotExist" : "")) {
            String queue = server.queue(false);
            RunResult result = Runs.of(
                    queue,
                    server.options(SqsTransport.DOWNBEAT, SqsOperation.SEND)
                            .andThen(draft -> draft.endpoint = Optional.of(front.uri())),
                    Runs.plan(100, Duration.ofMillis(300)));
            assertThat(result.recording().failures())
                    .containsEntry("the queue does not exist (QueueDoesNotExist: told by a test)", 20L);
            assertThat(result.counts().count("messages sent")).isEqualTo(server.size(queue));
            assertThat(result.counts().count("messages not sent")).isEqualTo(20);
        }
    }

    @Test
    void large_messages_to_delete_are_sent_in_batches_that_the_queue_takes() throws IOException {
        String queue = server.queue(false);
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELETE)
                        .andThen(draft -> draft.messageSize = 100_000),
                Runs.plan(10, Duration.ofSeconds(1)));
        assertThat(result.ledger().answered()).isEqualTo(10);
        assertThat(server.size(queue)).isZero();
    }

    @Test
    void few_groups_of_a_FIFO_queue_hold_back_no_message_to_delete() throws IOException {
        String queue = server.queue(true);
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELETE).andThen(draft -> {
                    draft.messageGroups = 2;
                    draft.maxInFlight = 20;
                }),
                Runs.plan(50, Duration.ofSeconds(2)));
        assertThat(result.ledger().answered()).isEqualTo(100);
        assertThat(result.counts().count("messages left behind")).isZero();
        assertThat(server.size(queue)).isZero();
    }

    /** Consumer A still works on its batch when the queue gives the rest of it, and what follows, to B. */
    @Test
    void processing_that_outlasts_the_visibility_timeout_is_redelivered_and_not_out_of_order() throws IOException {
        String queue = server.queue(true);
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.messageGroups = 1;
                    draft.visibility = Optional.of(Duration.ofSeconds(1));
                    draft.processing = (consumer, message) -> 400_000_000;
                }),
                Runs.plan(100, Duration.ofMillis(120)));
        assertThat(result.ledger().answered()).isEqualTo(12);
        assertThat(result.counts().count("messages redelivered")).isPositive();
        assertThat(result.counts().count("messages out of order in their group"))
                .isZero();
    }

    @Test
    void messages_whose_sequence_numbers_fall_are_out_of_order_in_their_group() throws IOException {
        AtomicInteger number = new AtomicInteger(100);
        try (RefusingFront front = RefusingFront.changing(
                server,
                answer -> SEQUENCE_NUMBER
                        .matcher(answer)
                        .replaceAll(found -> "\"SequenceNumber\":\"" + number.decrementAndGet() + "\""))) {
            RunResult result = Runs.of(
                    server.queue(true),
                    server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                        draft.endpoint = Optional.of(front.uri());
                        draft.consumers = 1;
                        draft.messageGroups = 2;
                    }),
                    Runs.plan(50, Duration.ofMillis(200)));
            assertThat(result.ledger().answered()).isEqualTo(10);
            assertThat(result.counts().count("messages out of order in their group"))
                    .isEqualTo(8); // all but the first of each group
        }
    }

    @Test
    void a_consumer_with_more_work_than_time_at_the_end_deletes_what_it_holds() throws IOException {
        String queue = server.queue(false);
        RunResult result = Runs.of(
                queue,
                server.options(SqsTransport.DOWNBEAT, SqsOperation.DELIVERY).andThen(draft -> {
                    draft.consumers = 1;
                    draft.processing = (consumer, message) -> message == 0 ? 1_000_000_000L : 60_000_000_000L;
                }),
                Runs.plan(100, Duration.ofMillis(100)).timeout(Duration.ofSeconds(5)));
        assertThat(result.ledger().timedOut()).isEqualTo(8); // two began, and the second works for a minute
        assertThat(server.held(queue)).isZero();
    }
}
