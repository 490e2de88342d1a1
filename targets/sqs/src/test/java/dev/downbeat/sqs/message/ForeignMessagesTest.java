package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.ForeignMessages.HiddenMessages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** How often messages of others may be received, and when they are given back. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignMessagesTest {
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
    private final String url = "http://localhost:1/000000000000/foreign" + QUEUES.incrementAndGet();
    private final AtomicLong nanos = new AtomicLong();
    private final HiddenMessages hidden = new HiddenMessages(url, nanos::get, Thread::new);
    private final RuntimeException closed = new RejectedExecutionException("closed");
    private @Nullable RuntimeException failure;
    private @Nullable BatchResultErrorEntry failedEntry;

    /** Answers, or refuses, changes of the visibility, until it is closed. */
    private final class Changing implements SqsCalls {
        private boolean isClosed;

        @Override
        public <T> CompletableFuture<T> call(
                Function<SqsClient, T> blocking, Function<SqsAsyncClient, CompletableFuture<T>> async) {
            throw new AssertionError("nothing else is called");
        }

        @Override
        public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeVisibility(
                ChangeMessageVisibilityBatchRequest request) {
            if (isClosed) {
                throw closed;
            }
            request.entries().forEach(one -> changes.add(one.receiptHandle() + " " + one.visibilityTimeout()));
            ChangeMessageVisibilityBatchResponse.Builder answer = ChangeMessageVisibilityBatchResponse.builder();
            if (failedEntry != null) {
                answer.failed(failedEntry);
            }
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            return CompletableFuture.completedFuture(answer.build());
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private ForeignMessages lane(int maxReceives) throws Exception {
        return lane(maxReceives, new Changing());
    }

    private ForeignMessages lane(int maxReceives, SqsCalls calls) throws Exception {
        return new ForeignMessages(SilentQueueTest.connection(calls), new Queue(url, 0, 30, maxReceives, 0), hidden);
    }

    private void afterSeconds(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        changes.clear();
    }

    private static SqsException error(int status, String code) {
        return (SqsException) SqsException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .build();
    }

    private static Message message(String id, int receives) {
        return Message.builder()
                .messageId(id)
                .receiptHandle(id + "#" + receives)
                .attributes(Map.of(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, Integer.toString(receives)))
                .build();
    }

    private static Map<String, Long> counts(ForeignMessages messages) {
        Map<String, Long> counts = new TreeMap<>();
        messages.count(counts);
        return counts;
    }

    @Test
    void they_are_hidden_until_the_last_lane_closes() throws Exception {
        ForeignMessages other = lane(3);
        try (ForeignMessages one = lane(3)) {
            one.hide(List.of(message("a", 1), message("b", 1)));
            assertThat(counts(one)).isEqualTo(Map.of("messages of others, given back", 2L));
        }
        assertThat(changes).as("longer than until the next renewal").containsExactly("a#1 60", "b#1 60");
        changes.clear();
        other.close();
        assertThat(changes).as("longer than a poll that may be out").containsExactly("a#1 20", "b#1 20");
    }

    @Test
    void the_next_run_hides_what_the_last_one_gave_back_before_it_is_visible() throws Exception {
        try (ForeignMessages one = lane(3)) {
            one.hide(List.of(message("a", 1)));
        }
        afterSeconds(18);
        try (ForeignMessages next = lane(3)) {
            hidden.renewDue();
            assertThat(changes).contains("a#1 60");
            assertThat(counts(next)).isEmpty();
        }
    }

    @Test
    void one_that_is_received_for_the_last_time_ends_the_run() throws Exception {
        try (ForeignMessages messages = lane(3)) {
            messages.hide(List.of(message("a", 1)));
            messages.hide(List.of(message("b", 2)));
            assertThat(messages.isSafe()).as("b was received by its owner").isTrue();
            assertThat(messages.ending()).isEqualTo(SqsFailures.FOREIGN_MESSAGES);
            assertThat(counts(messages)).containsEntry("messages of others with one receive left", 1L);
            messages.hide(List.of(message("c", 3)));
            assertThat(messages.isSafe()).isFalse();
            assertThat(messages.ending()).isEqualTo(SqsFailures.DEAD_LETTERS);
            assertThat(counts(messages))
                    .containsEntry("messages of others without a receive left", 1L)
                    .containsEntry("stops to spare messages of others", 1L);
        }
    }

    @Test
    void one_that_comes_again_though_hidden_ends_the_run_before_its_last_receive() throws Exception {
        try (ForeignMessages messages = lane(4)) {
            messages.hide(List.of(message("a", 1)));
            messages.hide(List.of(message("a", 2)));
            assertThat(messages.isSafe()).as("two are left").isTrue();
            messages.hide(List.of(message("a", 3)));
            assertThat(messages.isSafe()).isFalse();
        }
    }

    @Test
    void of_an_unknown_policy_each_is_received_once() throws Exception {
        try (ForeignMessages messages = lane(Queue.UNKNOWN)) {
            assertThat(messages.isScarce(message("a", 7))).isTrue();
            messages.hide(List.of(message("a", 7)));
            assertThat(messages.isSafe()).isTrue();
            messages.hide(List.of(message("a", 8)));
            assertThat(messages.isSafe()).isFalse();
        }
    }

    @Test
    void a_refused_permission_ends_the_run_if_there_is_a_dead_letter_queue() throws Exception {
        failure = error(403, "AccessDenied");
        for (int maxReceives : new int[] {10, Queue.UNLIMITED}) {
            try (ForeignMessages messages = lane(maxReceives)) {
                messages.hide(List.of(message("a" + maxReceives, 1)));
                assertThat(messages.isSafe()).isEqualTo(maxReceives == Queue.UNLIMITED);
                assertThat(messages.ending())
                        .isEqualTo(messages.isSafe() ? SqsFailures.FOREIGN_MESSAGES : SqsFailures.NOT_HIDDEN);
                assertThat(counts(messages)).containsEntry("refusals to hide messages of others", 1L);
            }
        }
    }

    @Test
    void a_change_that_fails_is_tried_again_and_ends_nothing() throws Exception {
        try (ForeignMessages messages = lane(3)) {
            failure = error(503, "ServiceUnavailable");
            messages.hide(List.of(message("a", 1)));
            failure = null;
            failedEntry = BatchResultErrorEntry.builder()
                    .id("0")
                    .code("InternalError")
                    .senderFault(false)
                    .build();
            messages.hide(List.of(message("b", 1)));
            assertThat(messages.isSafe()).isTrue();
            afterSeconds(5);
            hidden.renewDue();
            assertThat(changes).as("up to the first failure").containsExactly("a#1 60", "b#1 60");
            failedEntry = null;
            afterSeconds(2);
            hidden.renewDue();
            assertThat(changes).containsExactly("a#1 60");
            assertThat(messages.isSafe()).isTrue();
        }
    }

    @Test
    void one_that_its_owner_has_received_is_left_alone() throws Exception {
        try (ForeignMessages messages = lane(3)) {
            messages.hide(List.of(message("a", 1)));
            failedEntry = BatchResultErrorEntry.builder()
                    .id("0")
                    .code("MessageNotInflight")
                    .senderFault(true)
                    .build();
            afterSeconds(40);
            hidden.renewDue();
            failedEntry = null;
            afterSeconds(2);
            hidden.renewDue();
            assertThat(changes).isEmpty();
            messages.hide(List.of(message("a", 2)));
            assertThat(messages.isSafe()).as("it was received here before").isFalse();
        }
    }

    @Test
    void they_stay_hidden_when_a_lane_closes_with_its_client() throws Exception {
        Changing firstCalls = new Changing();
        ForeignMessages first = lane(3, firstCalls);
        try (ForeignMessages second = lane(3)) {
            second.hide(List.of(message("a", 1)));
            firstCalls.close(); // while the messages are being renewed
            afterSeconds(40);
            hidden.renewDue();
            hidden.renewDue();
            assertThat(changes).containsExactly("a#1 60");
            first.close();
            afterSeconds(40);
            hidden.renewDue();
            assertThat(changes).containsExactly("a#1 60");
        }
    }

    @Test
    void a_later_run_starts_afresh() throws Exception {
        for (int maxReceives : new int[] {3, Queue.UNKNOWN}) {
            String id = "a" + maxReceives;
            try (ForeignMessages one = lane(maxReceives)) {
                one.hide(List.of(message(id, 1)));
            }
            afterSeconds(48);
            try (ForeignMessages next = lane(maxReceives)) {
                next.hide(List.of(message(id, 2)));
                assertThat(next.isSafe()).isTrue();
            }
            afterSeconds(48);
        }
    }

    @Test
    void of_more_messages_than_can_be_hidden_none_comes_until_its_last_receive() throws Exception {
        try (ForeignMessages messages = lane(4)) {
            for (int i = 0; i < ForeignMessages.MOST; i += 10) {
                messages.hide(IntStream.range(i, i + 10)
                        .mapToObj(number -> message("a" + number, 1))
                        .toList());
            }
            messages.hide(List.of(message("b", 1)));
            messages.hide(List.of(message("b", 2)));
            assertThat(messages.isSafe()).isTrue();
            assertThat(counts(messages)).isEqualTo(Map.of("messages of others, given back", ForeignMessages.MOST + 1L));
            messages.hide(List.of(message("b", 3)));
            assertThat(messages.isSafe()).isFalse();
        }
    }

    @Test
    void without_a_dead_letter_queue_they_may_come_as_often_as_they_like() throws Exception {
        try (ForeignMessages messages = lane(Queue.UNLIMITED)) {
            for (int i = 1; i < 100; i++) {
                assertThat(messages.isScarce(message("a", i))).isFalse();
                messages.hide(List.of(message("a", i)));
            }
            assertThat(messages.isSafe()).isTrue();
            assertThat(counts(messages)).isEqualTo(Map.of("messages of others, given back", 1L));
        }
    }

    @Test
    void only_a_queue_with_messages_that_can_be_received_once_is_refused() throws IOException {
        ForeignMessages.check(new Queue(url, 0, 30, 1, 0));
        ForeignMessages.check(new Queue(url, 0, 30, 2, 30));
        ForeignMessages.check(new Queue(url, 0, 30, Queue.UNKNOWN, 30));
        assertThatThrownBy(() -> ForeignMessages.check(new Queue(url, 0, 30, 1, 30)))
                .isInstanceOf(IOException.class);
    }
}
