package dev.downbeat.sqs.message;

import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Deletes received messages, outside the measurement, and closes its client only after the queue has responded, so that
 * messages counted as received are not delivered again to someone else. Thread-safe.
 */
public final class Deletions implements AutoCloseable {
    /** The time limit for an unresponsive queue when the target closes. */
    private static final long PATIENCE_SECONDS = 5;

    private final SdkConnection connections;
    private final Queue queue;
    private final LongAdder refusedMessages = new LongAdder();
    private CompletableFuture<?> allAnswered = CompletableFuture.completedFuture(null);

    public Deletions(SdkConnection connections, Queue queue) {
        this.connections = connections;
        this.queue = queue;
    }

    public synchronized void delete(List<Message> messages) {
        if (messages.isEmpty()) {
            return;
        }
        CompletableFuture<?> answered = connections
                .calls()
                .deleteBatch(of(queue, messages))
                .handle((answer, refused) -> {
                    refusedMessages.add(messages.size()
                            - (answer == null ? 0 : answer.successful().size()));
                    return null;
                });
        allAnswered = CompletableFuture.allOf(allAnswered, answered);
    }

    static DeleteMessageBatchRequest of(Queue queue, List<Message> messages) {
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(Integer.toString(i))
                    .receiptHandle(messages.get(i).receiptHandle())
                    .build());
        }
        return DeleteMessageBatchRequest.builder()
                .queueUrl(queue.url())
                .entries(entries)
                .build();
    }

    /** Adds messages that may still be in the queue although they were received. */
    public void count(Map<String, Long> counts) {
        TargetCounts.putIfAny(counts, "deletions not confirmed", refusedMessages.sum());
    }

    @Override
    public void close() {
        outstanding()
                .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        connections.close();
    }

    private synchronized CompletableFuture<?> outstanding() {
        return allAnswered;
    }
}
