package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Provides messages to delete: it sends and receives its own, on a separate thread and client, as many as are
 * missing. Messages of others are hidden until they are given back. Thread-safe.
 */
public final class MessageSupply implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);
    private static final int BATCH = 10;
    private static final int BATCHES_AT_ONCE = 4;
    private static final Duration HIDDEN = Duration.ofMinutes(10);
    private static final long NAP_NANOS = 1_000_000;

    /** Waits for a message. Called once, on any thread. */
    public interface Taker {
        /** Delivers a message to delete; returns false if it is no longer wanted. */
        boolean take(Message message);

        /** No message will come. */
        void none(Outcome why);
    }

    private final SdkConnection connections;
    private final Queue queue;
    private final MessageMaker messages;
    private final SqsOptions options;
    private final String run;
    private final Duration patience;
    private final AvailableMessages available;
    private final ForeignMessages foreign;
    /** Messages whose deletion by a request was not confirmed; apart from those available, so that no request gets one. */
    private final ConcurrentLinkedQueue<Message> undeleted = new ConcurrentLinkedQueue<>();

    private final LongAdder leftBehind = new LongAdder();
    private final SqsFailures failures;
    private final Thread thread = Daemon.of("downbeat-sqs-stock", this::refill);
    private volatile boolean closed;
    private volatile boolean endedByForeign;
    private long clearingNanos = TimeUnit.SECONDS.toNanos(5); // what is left of it
    private long created;

    /**
     * Creates a stock.
     *
     * @param connections its client, closed with it
     * @param most maximum number of available messages
     * @param requests maximum number of requests
     */
    public MessageSupply(
            SdkConnection connections,
            Queue queue,
            MessageMaker messages,
            SqsOptions options,
            String run,
            int most,
            long requests) {
        this(connections, queue, messages, options, run, new AvailableMessages(most, requests), PATIENCE);
    }

    /** With another time that a call may take. */
    MessageSupply(
            SdkConnection connections,
            Queue queue,
            MessageMaker messages,
            SqsOptions options,
            String run,
            AvailableMessages available,
            Duration patience) {
        this.connections = connections;
        this.queue = queue;
        this.messages = messages;
        this.options = options;
        this.run = run;
        this.available = available;
        this.patience = patience;
        this.failures = new SqsFailures(connections.retries());
        this.foreign = new ForeignMessages(connections, queue);
    }

    /**
     * Starts, and waits for the first message.
     *
     * @throws IOException with the reason, if there is none within that time
     */
    public void start(Duration atMost) throws IOException {
        thread.start();
        long until = System.nanoTime() + atMost.toNanos();
        while (!available.isReady()) {
            Outcome broken = available.failure();
            if (broken != null) {
                throw new IOException(broken.reason());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted");
            }
            if (System.nanoTime() - until > 0) {
                throw new IOException("no sent message was received within " + atMost.toSeconds() + " s");
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** Delivers a message, now or when one is available. */
    public void take(Taker taker) {
        available.take(taker);
    }

    private void refill() {
        while (!closed) {
            try {
                int wanted = available.wanted();
                if (wanted > 0) {
                    send(wanted);
                }
                if (available.mayArrive()) {
                    receive();
                } else if (wanted <= 0) {
                    LockSupport.parkNanos(NAP_NANOS);
                }
            } catch (RuntimeException broken) {
                fail(SqsFailures.reasonOf(broken));
            }
        }
    }

    /** Until messages arrive again, requests fail instead of waiting. */
    private void fail(String reason) {
        available.fail(Outcome.ownLimit("no message to delete: " + reason));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }

    /** A queue that stops responding must delay neither the requests nor the end of the run. */
    private <T> CompletableFuture<T> limited(CompletableFuture<T> call) {
        return SqsCalls.within(closed ? LAST_PATIENCE : patience, call);
    }

    /** Messages without a confirmation may exist all the same, so only refused ones are not in transit. */
    private void send(int count) {
        Map<CompletableFuture<SendMessageBatchResponse>, Integer> sending = new LinkedHashMap<>();
        int most = options.message().perBatch();
        for (int rest = Math.min(count, BATCHES_AT_ONCE * most); rest > 0; rest -= most) {
            int size = Math.min(most, rest);
            sending.put(limited(connections.calls().sendBatch(messages.batch(created, size))), size);
            created += size; // a refused number is not used again: a FIFO queue might take the next for its duplicate
        }
        List<String> refused = new ArrayList<>();
        sending.forEach((one, size) -> {
            try {
                SendMessageBatchResponse answer = one.join();
                available.sent(size - answer.failed().size());
                if (answer.failed().size() == size) {
                    refused.add(failures.ofEntry(answer.failed().get(0)).reason());
                }
            } catch (RuntimeException broken) {
                boolean isRefused = failures.fateOf(broken, new CallObservation()) == MessageFate.NOT_SENT;
                available.sent(isRefused ? 0 : size);
                refused.add(SqsFailures.reasonOf(broken));
            }
        });
        if (!refused.isEmpty()) {
            fail(refused.get(0));
        }
    }

    private void receive() {
        List<CompletableFuture<ReceiveMessageResponse>> receiving = new ArrayList<>();
        long polls = Math.min(BATCHES_AT_ONCE, 1 + Math.max(0, available.inTransit() - 1) / BATCH);
        for (int i = 0; i < polls; i++) {
            receiving.add(limited(connections
                    .calls()
                    .receive(ReceiveMessageRequest.builder()
                            .queueUrl(queue.url())
                            .maxNumberOfMessages(BATCH)
                            .waitTimeSeconds(1)
                            .visibilityTimeout((int) HIDDEN.toSeconds())
                            .messageAttributeNames(MessageMark.NAME)
                            .messageSystemAttributeNames(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)
                            .build())));
        }
        boolean none = true;
        @Nullable CompletionException broken = null;
        for (CompletableFuture<ReceiveMessageResponse> one : receiving) {
            try {
                List<Message> messages = one.join().messages();
                none &= messages.isEmpty();
                received(messages);
            } catch (CompletionException failed) {
                broken = failed; // the others may have brought messages
            }
        }
        if (broken != null && none) {
            throw broken;
        }
        available.polled(none);
    }

    private void received(List<Message> messages) {
        List<Message> others = new ArrayList<>();
        for (Message message : messages) {
            if (MessageMark.of(message).filter(mark -> mark.run().equals(run)).isEmpty()) {
                others.add(message);
                continue;
            }
            available.received();
            available.add(
                    Message.builder().receiptHandle(message.receiptHandle()).build()); // a body may be large
        }
        foreign.hide(others);
        if (!foreign.isSafe() || !others.isEmpty() && !options.use().queueIsMine()) {
            endedByForeign = true;
            available.fail(foreign.ending());
            closed = true;
        } else if (!messages.isEmpty() && !closed) {
            available.recover();
        }
    }

    /** Whether a message of others ended the supply. */
    public boolean hasEnded() {
        return endedByForeign;
    }

    /** A message whose deletion was not confirmed. */
    public void notDeleted(Message message) {
        undeleted.add(message);
    }

    /** Ends the supply and adds what it leaves in the queue. */
    public void count(Map<String, Long> counts) {
        clear();
        foreign.count(counts);
        TargetCounts.putIfAny(
                counts,
                "messages left behind",
                leftBehind.sum() + available.inTransit() + available.size() + undeleted.size());
    }

    @Override
    public void close() {
        clear(); // again: requests that ran until the end have now failed
        foreign.close();
        connections.close();
    }

    /** Receives messages in transit and deletes the rest, as far as possible. */
    private void clear() {
        closed = true;
        if (clearingNanos <= 0) {
            return;
        }
        long beginAt = System.nanoTime();
        long until = beginAt + clearingNanos;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(2));
            available.polled(false);
            deleteRest(until); // first: in a FIFO queue they hold back the rest of their groups
            while (available.inTransit() > 0 && !available.isPolledEmpty() && System.nanoTime() - until < 0) {
                receive();
                deleteRest(until);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (CompletionException noAnswer) {
            // They are counted, and will expire.
        } finally {
            clearingNanos -= System.nanoTime() - beginAt;
        }
    }

    private void deleteRest(long until) {
        List<Message> some = rest();
        while (!some.isEmpty()) {
            leftBehind.add(some.size());
            leftBehind.add(-limited(connections.calls().deleteBatch(Deletions.of(queue, some)))
                    .join()
                    .successful()
                    .size());
            some = System.nanoTime() - until < 0 ? rest() : List.of();
        }
    }

    private List<Message> rest() {
        List<Message> some = available.some(BATCH);
        while (some.size() < BATCH && !undeleted.isEmpty()) {
            some.add(undeleted.remove());
        }
        return some;
    }

    /**
     * Available messages, callers waiting for one, and how many more are needed: no more than will be requested, and no
     * further ahead than prevents waits. Thread-safe.
     */
    static final class AvailableMessages {
        private static final int FIRST_LEVEL = 10;

        /** After this many empty polls, none of Downbeat's messages is in transit. */
        private static final int EMPTY_POLLS = 2;

        private final int most;

        // Guarded by this.
        private final Deque<Message> ready = new ArrayDeque<>();
        private final Deque<Taker> waiting = new ArrayDeque<>();
        private int level = FIRST_LEVEL;
        private long allowed;
        private long sent;
        private long received;
        private int emptyPolls;
        private @Nullable Outcome failure;

        /**
         * Starts empty.
         *
         * @param most maximum number of available messages
         * @param requests maximum number of requests
         */
        AvailableMessages(int most, long requests) {
            this.most = most;
            this.allowed = requests;
        }

        synchronized boolean isReady() {
            return !ready.isEmpty();
        }

        synchronized @Nullable Outcome failure() {
            return failure;
        }

        /** Delivers a message, now or when one is available. */
        void take(Taker taker) {
            Message message;
            Outcome broken;
            synchronized (this) {
                broken = failure;
                message = ready.poll();
                if (message == null && broken == null) {
                    waiting.add(taker);
                    level = Math.min(most, 2 * level); // keep more available from now on
                    return;
                }
            }
            if (message != null) {
                if (!taker.take(message)) {
                    add(message);
                }
            } else if (broken != null) {
                taker.none(broken);
            }
        }

        /** Adds a message, for the first waiting caller that is still there. */
        void add(Message message) {
            Taker next;
            do {
                synchronized (this) {
                    next = waiting.poll();
                    if (next == null) {
                        ready.add(message);
                        return;
                    }
                }
            } while (!next.take(message));
        }

        /** Fails present and future callers. */
        void fail(Outcome why) {
            List<Taker> all;
            synchronized (this) {
                failure = why;
                all = new ArrayList<>(waiting);
                waiting.clear();
            }
            all.forEach(taker -> taker.none(why));
        }

        synchronized int wanted() {
            long inTransit = inTransit();
            if ((failure != null || !waiting.isEmpty()) && emptyPolls >= EMPTY_POLLS) {
                // another shard has taken some of them, or they were never there
                emptyPolls = 0;
                received = sent;
                allowed = Math.max(allowed, sent + Math.max(1, waiting.size()));
            }
            long need = Math.min(most, level + waiting.size()) - ready.size() - inTransit;
            return (int) Math.max(0, Math.min(need, allowed - sent));
        }

        /** Whether a poll may bring needed messages. */
        synchronized boolean mayArrive() {
            return sent > received && ready.size() < level;
        }

        synchronized void recover() {
            failure = null;
        }

        synchronized void sent(int more) {
            sent += more;
        }

        /** One of Downbeat's messages arrived. */
        synchronized void received() {
            received++;
        }

        synchronized long inTransit() {
            return Math.max(0, sent - received);
        }

        synchronized void polled(boolean none) {
            emptyPolls = none ? emptyPolls + 1 : 0;
        }

        /** Whether the last polls were empty. */
        synchronized boolean isPolledEmpty() {
            return emptyPolls >= EMPTY_POLLS;
        }

        /** Removes some without a caller. */
        synchronized List<Message> some(int most) {
            List<Message> some = new ArrayList<>();
            while (some.size() < most && !ready.isEmpty()) {
                some.add(ready.remove());
            }
            return some;
        }

        synchronized int size() {
            return ready.size();
        }
    }
}
