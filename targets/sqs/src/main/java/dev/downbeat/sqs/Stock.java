package dev.downbeat.sqs;

import dev.downbeat.exchange.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Messages to delete: sends and receives its own on a thread and a client of its own, no more than will be asked for, and
 * no more ahead than it needs lest a request has to wait. Messages of others that it receives are given back. Thread-safe.
 */
final class Stock implements AutoCloseable {
    private static final int BATCH = 10;
    private static final int BATCHES_AT_ONCE = 4;
    private static final int FIRST_LEVEL = 10;
    private static final Duration HIDDEN = Duration.ofMinutes(10);
    private static final long NAP_NANOS = 1_000_000;
    private static final int EMPTY_POLLS = 2;

    private final Connections connections;
    private final Queue queue;
    private final Messages messages;
    private final SqsOptions options;
    private final String run;
    private final int most;
    private final Strangers strangers;
    private final LongAdder left = new LongAdder();
    private final Thread keeper = new Thread(this::keep, "downbeat-sqs-stock");
    private volatile boolean closed;

    // Guarded by this.
    private final Deque<Message> ready = new ArrayDeque<>();
    private final Deque<Taker> waiting = new ArrayDeque<>();
    private int level = FIRST_LEVEL;
    private long allowed;
    private long sent;
    private long received;
    private int emptyPolls;
    private @Nullable Outcome failure;

    /** Waits for a message. Told once, on any thread. */
    interface Taker {
        /** Has a message to delete; false if it is not wanted any more. */
        boolean take(Message message);

        /** There will be none. */
        void none(Outcome why);
    }

    /**
     * A stock.
     *
     * @param connections its client, closed with it
     * @param most how many messages are kept at hand, at most
     * @param requests how many will be asked for, at most
     */
    Stock(
            Connections connections,
            Queue queue,
            Messages messages,
            SqsOptions options,
            String run,
            int most,
            long requests) {
        this.connections = connections;
        this.queue = queue;
        this.messages = messages;
        this.options = options;
        this.run = run;
        this.most = most;
        this.allowed = requests;
        this.strangers = new Strangers(connections, queue, "messages of others, given back");
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
        while (!isReady()) {
            Outcome broken = failure();
            if (broken != null) {
                throw new IOException(broken.reason());
            }
            if (System.nanoTime() - until > 0 || Thread.interrupted()) {
                throw new IOException("no messages to delete: they did not come back in time");
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    private synchronized boolean isReady() {
        return !ready.isEmpty();
    }

    private synchronized @Nullable Outcome failure() {
        return failure;
    }

    /** Gives a message, now or when there is one. */
    void take(Taker taker) {
        Message message;
        Outcome broken;
        synchronized (this) {
            broken = failure;
            message = ready.poll();
            if (message == null && broken == null) {
                waiting.add(taker);
                level = Math.min(most, 2 * level); // more ahead from now on
                return;
            }
        }
        if (message != null) {
            give(taker, message);
        } else if (broken != null) {
            taker.none(broken);
        }
    }

    private void give(Taker taker, Message message) {
        if (!taker.take(message)) {
            add(message);
        }
    }

    private void add(Message message) {
        Taker next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                ready.add(message);
                return;
            }
        }
        give(next, message);
    }

    private void fail(Outcome why) {
        List<Taker> all;
        synchronized (this) {
            failure = why;
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(taker -> taker.none(why));
    }

    private void keep() {
        while (!closed) {
            try {
                int wanted = wanted();
                if (wanted > 0) {
                    send(wanted);
                }
                if (isOnItsWay()) {
                    receive();
                } else if (wanted <= 0) {
                    LockSupport.parkNanos(NAP_NANOS);
                }
            } catch (RuntimeException broken) {
                fail(Outcome.ownLimit("no message to delete: " + Failures.reasonOf(broken)));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    /** How many messages to send now. */
    private synchronized int wanted() {
        long onTheirWay = Math.max(0, sent - received);
        if (!waiting.isEmpty() && emptyPolls >= EMPTY_POLLS) {
            // another shard has taken some of ours
            emptyPolls = 0;
            received = sent;
            allowed = Math.max(allowed, sent + waiting.size());
        }
        long need = Math.min(most, level + waiting.size()) - ready.size() - onTheirWay;
        return (int) Math.max(0, Math.min(need, allowed - sent));
    }

    private synchronized boolean isOnItsWay() {
        return sent > received && ready.size() < level;
    }

    private void send(int count) {
        List<CompletableFuture<SendMessageBatchResponse>> sending = new ArrayList<>();
        Deque<Integer> sizes = new ArrayDeque<>();
        long first = sentSoFar();
        int rest = Math.min(count, BATCHES_AT_ONCE * BATCH);
        while (rest > 0) {
            int size = Math.min(BATCH, rest);
            sending.add(connections.calls().sendBatch(messages.batchFrom(first, size)));
            sizes.add(size);
            first += size;
            rest -= size;
        }
        for (CompletableFuture<SendMessageBatchResponse> one : sending) {
            SendMessageBatchResponse answer = one.join();
            if (answer.successful().isEmpty() && !answer.failed().isEmpty()) {
                throw new IllegalStateException(answer.failed().get(0).code());
            }
            synchronized (this) {
                sent += sizes.remove() - answer.failed().size(); // what is not confirmed may be there all the same
            }
        }
    }

    private synchronized long sentSoFar() {
        return sent;
    }

    private void receive() {
        List<CompletableFuture<ReceiveMessageResponse>> receiving = new ArrayList<>();
        long polls = Math.min(BATCHES_AT_ONCE, 1 + missing() / BATCH);
        for (int i = 0; i < polls; i++) {
            receiving.add(connections
                    .calls()
                    .receive(ReceiveMessageRequest.builder()
                            .queueUrl(queue.url())
                            .maxNumberOfMessages(BATCH)
                            .waitTimeSeconds(1)
                            .visibilityTimeout((int) HIDDEN.toSeconds())
                            .messageAttributeNames(Mark.NAME)
                            .build()));
        }
        boolean none = true;
        for (CompletableFuture<ReceiveMessageResponse> one : receiving) {
            List<Message> messages = one.join().messages();
            none &= messages.isEmpty();
            received(messages);
        }
        synchronized (this) {
            emptyPolls = none ? emptyPolls + 1 : 0;
        }
    }

    private synchronized long missing() {
        return Math.max(0, sent - received - 1);
    }

    private void received(List<Message> messages) {
        List<Message> others = new ArrayList<>();
        for (Message message : messages) {
            if (Mark.of(message).filter(mark -> mark.run().equals(run)).isEmpty()) {
                others.add(message);
                continue;
            }
            synchronized (this) {
                received++;
            }
            add(message);
        }
        strangers.giveBack(others);
        if (!others.isEmpty() && !options.queueIsMine()) {
            fail(Failures.MESSAGES_OF_OTHERS);
            closed = true;
        }
    }

    void count(Map<String, Long> counts) {
        strangers.count(counts);
        SentMessages.putIfAny(counts, "messages left behind", left.sum());
    }

    /** Receives what is on its way and deletes what is left, as far as that works. */
    @Override
    public void close() {
        closed = true;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        try {
            keeper.join(TimeUnit.SECONDS.toMillis(2));
            emptyPolls = 0;
            while (missing() + (sent > received ? 1 : 0) > 0
                    && emptyPolls < EMPTY_POLLS
                    && System.nanoTime() - until < 0) {
                receive();
            }
            deleteRest(until);
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        } catch (CompletionException noAnswer) {
            // They are counted, and will expire.
        }
        left.add(Math.max(0, sent - received) + ready.size());
        strangers.await();
        connections.close();
    }

    private void deleteRest(long until) {
        while (!ready.isEmpty() && System.nanoTime() - until < 0) {
            List<Message> some = new ArrayList<>();
            for (Message next = ready.poll(); next != null; next = some.size() < BATCH ? ready.poll() : null) {
                some.add(next);
            }
            int confirmed = connections
                    .calls()
                    .deleteBatch(Deletions.of(queue, some))
                    .join()
                    .successful()
                    .size();
            left.add(some.size() - confirmed);
        }
    }
}
