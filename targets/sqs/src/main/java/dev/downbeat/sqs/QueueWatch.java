package dev.downbeat.sqs;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Looks at a queue once a second while a run goes on, with a client of its own: how many messages wait in it, and how old
 * the oldest is that has not been delivered. The service's counts are approximate. Thread-safe.
 */
final class QueueWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connections connections;
    private final GetQueueAttributesRequest request;
    private final LongSupplier oldestNanos;
    private final Thread thread = new Thread(this::watch, "downbeat-sqs-watch");
    private volatile boolean closed;
    private volatile long deepest = -1;
    private volatile long last = -1;
    private volatile long oldestSeenNanos = -1;

    /**
     * Starts.
     *
     * @param connections its client, closed with it
     * @param oldestNanos the age of the oldest message that was not delivered; negative if nobody knows
     */
    QueueWatch(Connections connections, Queue queue, LongSupplier oldestNanos) {
        this.connections = connections;
        this.oldestNanos = oldestNanos;
        this.request = GetQueueAttributesRequest.builder()
                .queueUrl(queue.url())
                .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
                .build();
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(PERIOD_NANOS);
            if (!closed) {
                oldestSeenNanos = Math.max(oldestSeenNanos, oldestNanos.getAsLong());
                depth().ifPresent(now -> {
                    last = now;
                    deepest = Math.max(deepest, now);
                });
            }
        }
    }

    private OptionalLong depth() {
        try {
            String told = connections
                    .calls()
                    .queueAttributes(request)
                    .orTimeout(PERIOD_NANOS, TimeUnit.NANOSECONDS)
                    .join()
                    .attributes()
                    .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
            return told == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(told));
        } catch (CompletionException mayNot) {
            return OptionalLong.empty();
        }
    }

    void count(Map<String, Long> counts) {
        if (deepest >= 0) {
            counts.put("messages in the queue, at most", deepest);
            counts.put("messages in the queue, at the end", last);
        }
        if (oldestSeenNanos >= 0) {
            counts.put("age of the oldest message at most, ms", TimeUnit.NANOSECONDS.toMillis(oldestSeenNanos));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        connections.close();
    }
}
