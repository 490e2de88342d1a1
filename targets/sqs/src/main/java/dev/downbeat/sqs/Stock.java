package dev.downbeat.sqs;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/**
 * Messages to delete: sends and receives its own on a thread and a client of its own, so that there is always one at
 * hand. Messages of others that it receives become visible again by themselves. Thread-safe.
 */
final class Stock implements AutoCloseable {
    private static final String MARK = "downbeat-stock";
    private static final int BATCH = 10;
    private static final int BATCHES_AT_ONCE = 4;
    private static final Duration HIDDEN = Duration.ofMinutes(10);
    private static final long NAP_NANOS = 1_000_000;

    private final Connections connections;
    private final dev.downbeat.sqs.Queue queue;
    private final Messages messages;
    private final String run;
    private final int wanted;
    private final Queue<Message> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final Thread keeper = new Thread(this::keep, "downbeat-sqs-stock");
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private long sent;

    Stock(Connections connections, dev.downbeat.sqs.Queue queue, Messages messages, String run, int wanted) {
        this.connections = connections;
        this.queue = queue;
        this.messages = messages;
        this.run = run;
        this.wanted = wanted;
        keeper.setDaemon(true);
    }

    /**
     * Starts, and waits until there is something to delete.
     *
     * @throws IOException if there is none within that time; its message says why
     */
    void start(Duration atMost) throws IOException {
        keeper.start();
        long until = System.nanoTime() + atMost.toNanos();
        while (size.get() < wanted) {
            Throwable broken = failure;
            if (broken != null || System.nanoTime() - until > 0 || Thread.interrupted()) {
                throw new IOException("no messages to delete: "
                        + (broken == null ? "they did not come back in time" : Failures.reasonOf(broken)));
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** A receipt handle; null if there is none now. */
    @Nullable
    String take() {
        Message message = ready.poll();
        if (message == null) {
            return null;
        }
        size.decrementAndGet();
        return message.receiptHandle();
    }

    private void keep() {
        while (!closed) {
            try {
                if (size.get() < wanted) {
                    refill();
                } else {
                    LockSupport.parkNanos(NAP_NANOS);
                }
            } catch (RuntimeException broken) {
                failure = broken;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    private void refill() {
        List<Runnable> waiting = new ArrayList<>();
        for (int i = 0; i < BATCHES_AT_ONCE; i++) {
            var sending =
                    connections.calls().sendBatch(messages.batch(sent++, BATCH, Map.of(MARK, Messages.text(run))));
            waiting.add(sending::join);
        }
        waiting.forEach(Runnable::run);
        waiting.clear();
        for (int i = 0; i < BATCHES_AT_ONCE; i++) {
            var receiving = connections
                    .calls()
                    .receive(ReceiveMessageRequest.builder()
                            .queueUrl(queue.url())
                            .maxNumberOfMessages(BATCH)
                            .waitTimeSeconds(1)
                            .visibilityTimeout((int) HIDDEN.toSeconds())
                            .messageAttributeNames(MARK)
                            .build());
            waiting.add(() -> receiving.join().messages().forEach(this::add));
        }
        waiting.forEach(Runnable::run);
    }

    private void add(Message message) {
        var mark = message.messageAttributes().get(MARK);
        if (mark != null && run.equals(mark.stringValue())) {
            ready.add(message);
            size.incrementAndGet();
        }
    }

    /** Deletes what is left, as far as that works. */
    @Override
    public void close() {
        closed = true;
        try {
            keeper.join(TimeUnit.SECONDS.toMillis(2));
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            while (!ready.isEmpty() && System.nanoTime() - until < 0) {
                List<Message> some = new ArrayList<>();
                for (Message next = ready.poll(); next != null; next = some.size() < BATCH ? ready.poll() : null) {
                    some.add(next);
                }
                connections.calls().deleteBatch(Deletions.of(queue, some)).join();
            }
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        } catch (CompletionException left) {
            // They will expire.
        }
        connections.close();
    }
}
