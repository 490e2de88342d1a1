package dev.downbeat.sqs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Threads that poll the queue and hand what arrives to {@link Deliveries}, by a client of their own, whose connections are
 * not those under test. Each polls again at once, while what it has received is deleted. Thread-safe.
 */
final class Consumers implements AutoCloseable {
    private static final int LARGEST_BATCH = 10;
    private static final int LONGEST_POLL_SECONDS = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Connections connections;
    private final Deletions deletions;
    private final ReceiveMessageRequest poll;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile boolean closed;

    Consumers(Connections connections, Queue queue, int count) {
        this.connections = connections;
        this.deletions = new Deletions(connections, queue);
        this.poll = ReceiveMessageRequest.builder()
                .queueUrl(queue.url())
                .maxNumberOfMessages(LARGEST_BATCH)
                .waitTimeSeconds(LONGEST_POLL_SECONDS)
                .messageAttributeNames(DeliveryOperation.ID)
                .build();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::consume, "downbeat-sqs-consumer-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void consume() {
        while (!closed) {
            try {
                List<Message> messages = receive();
                arrived(messages, connections.log().now());
            } catch (InterruptedException | RejectedExecutionException closing) {
                return;
            } catch (ExecutionException broken) {
                failed.increment();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private List<Message> receive() throws InterruptedException, ExecutionException {
        CompletableFuture<ReceiveMessageResponse> polling = connections.calls().receive(poll);
        try {
            return polling.get().messages();
        } catch (InterruptedException closing) {
            polling.cancel(true);
            throw closing;
        }
    }

    private void arrived(List<Message> messages, long at) {
        List<Message> ours = new ArrayList<>(messages.size());
        for (Message message : messages) {
            var mark = message.messageAttributes().get(DeliveryOperation.ID);
            if (Deliveries.arrive(mark == null ? null : mark.stringValue(), at)) {
                ours.add(message);
            } else {
                foreign.increment();
            }
        }
        if (!ours.isEmpty()) {
            deletions.delete(ours);
        }
    }

    void count(Map<String, Long> counts) {
        counts.put("messages of others", foreign.sum());
        counts.put("polls failed", failed.sum());
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        deletions.close();
    }
}
