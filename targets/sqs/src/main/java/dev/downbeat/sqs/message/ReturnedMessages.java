package dev.downbeat.sqs.message;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Messages of the run's other shards: returned to the queue at once and counted. One that arrives again is hidden for
 * 1 s, then 2, up to a minute, since a message returned at once is delivered again at once. Thread-safe.
 */
final class ReturnedMessages {
    private static final long PATIENCE_SECONDS = 5;
    private static final int LONGEST_SECONDS = 60;
    private static final int MOST_REMEMBERED = 10_000;

    private final SdkConnection connections;
    private final Queue queue;
    private final String name;
    private final LongAdder met = new LongAdder();
    private final Map<String, Integer> hiddenSeconds = new HashMap<>();
    private CompletableFuture<?> allAnswered = CompletableFuture.completedFuture(null);

    /**
     * Starts empty.
     *
     * @param connections the client for returning messages, not closed here
     * @param name name of the count
     */
    ReturnedMessages(SdkConnection connections, Queue queue, String name) {
        this.connections = connections;
        this.queue = queue;
        this.name = name;
    }

    /** Returns messages to the queue; does not block. */
    synchronized void giveBack(List<Message> messages) {
        if (messages.isEmpty()) {
            return;
        }
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
        for (Message message : messages) {
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id(Integer.toString(entries.size()))
                    .receiptHandle(message.receiptHandle())
                    .visibilityTimeout(hiddenFor(message.messageId()))
                    .build());
        }
        CompletableFuture<?> answered = connections
                .calls()
                .changeVisibility(ChangeMessageVisibilityBatchRequest.builder()
                        .queueUrl(queue.url())
                        .entries(entries)
                        .build())
                .handle((answer, refused) -> null);
        allAnswered = CompletableFuture.allOf(allAnswered, answered);
    }

    private int hiddenFor(String message) {
        Integer before = hiddenSeconds.get(message);
        if (before == null) {
            met.increment(); // each counted once, however often it arrives
        }
        if (before == null && hiddenSeconds.size() == MOST_REMEMBERED) {
            return 0;
        }
        int next = before == null ? 0 : Math.min(LONGEST_SECONDS, Math.max(1, 2 * before));
        hiddenSeconds.put(message, next);
        return next;
    }

    void count(Map<String, Long> counts) {
        TargetCounts.putIfAny(counts, name, met.sum());
    }

    /** Waits for the queue's response, up to a time limit. */
    void await() {
        outstanding()
                .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private synchronized CompletableFuture<?> outstanding() {
        return allAnswered;
    }
}
