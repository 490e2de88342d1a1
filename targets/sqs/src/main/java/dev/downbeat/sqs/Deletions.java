package dev.downbeat.sqs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Deletes what was received, beside the measurement, and closes its client only when the queue has answered: a message that
 * the result counts as received does not come back to somebody else. Thread-safe.
 */
final class Deletions implements AutoCloseable {
    /** For a queue that does not answer: a closing target waits no longer. */
    private static final long PATIENCE_SECONDS = 5;

    private final Connections connections;
    private final Queue queue;
    private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();

    Deletions(Connections connections, Queue queue) {
        this.connections = connections;
        this.queue = queue;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // a future equals itself, which is all that is asked of it
    void delete(List<Message> messages) {
        CompletableFuture<DeleteMessageBatchResponse> deletion =
                connections.calls().deleteBatch(of(queue, messages));
        unanswered.add(deletion);
        CompletableFuture<?> unused = deletion.whenComplete((answer, thrown) -> unanswered.remove(deletion));
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

    @Override
    public void close() {
        CompletableFuture.allOf(unanswered.toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(failed -> null)
                .join();
        connections.close();
    }
}
