package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.time.Daemon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Consumers that poll a queue, each on its own thread, report arrivals and delete this run's messages. With a
 * processing time, a message arrives when its processing starts, and is deleted at the end.
 */
public final class Consumers implements AutoCloseable {
    private static final int LARGEST_BATCH = 10;
    private static final int LONGEST_POLL_SECONDS = 20;

    /**
     * With other shards on the queue, a closing consumer waits this long for its polls to end, so that they do not take
     * the others' messages.
     */
    private static final int SHARED_POLL_SECONDS = 1;

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10 + LONGEST_POLL_SECONDS);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The time limit for a closing consumer to process and delete the messages that it holds. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** The time limit for an interrupted consumer to delete them without further processing. */
    private static final long ENDING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SdkConnection connections;
    private final SqsOptions options;
    private final String run;
    private final Deletions deletions;
    private final ForeignMessages foreign;
    private final ReturnedMessages otherShards;
    private final ReceiveMessageRequest poll;
    private final Duration longestAnswer;
    private final List<Thread> threads = new ArrayList<>();
    private final Set<CompletableFuture<?>> polling = ConcurrentHashMap.newKeySet();
    private final GroupOrder order = new GroupOrder();
    private final Map<String, LongAdder> failed = new ConcurrentHashMap<>();
    private final LongAdder polls = new LongAdder();
    private final LongAdder fullPolls = new LongAdder();
    private final LongAdder redelivered = new LongAdder();
    private final LongAdder ofSiblings = new LongAdder();
    private final WorkingTime working = new WorkingTime();
    private Consumer<Outcome> onForeign = why -> {};
    private volatile boolean closed;

    /**
     * Creates consumers.
     *
     * @param connections their client, closed with them
     * @param run id of the run, which identifies Downbeat's messages
     */
    public Consumers(SdkConnection connections, Queue queue, SqsOptions options, String run) {
        // the limit is for all attempts of the SDK together, with pauses of up to the length of a poll between them
        this(
                connections,
                queue,
                options,
                run,
                LONGEST_ANSWER.multipliedBy(2L * options.client().maxAttempts() - 1));
    }

    /** With another time that a poll may take. */
    Consumers(SdkConnection connections, Queue queue, SqsOptions options, String run, Duration longestAnswer) {
        this.connections = connections;
        this.options = options;
        this.run = run;
        this.deletions = new Deletions(connections, queue);
        this.foreign = new ForeignMessages(connections, queue);
        this.otherShards = new ReturnedMessages(connections, queue, "messages of other shards, given back");
        ReceiveMessageRequest.Builder request = ReceiveMessageRequest.builder()
                .queueUrl(queue.url())
                .maxNumberOfMessages(LARGEST_BATCH)
                .waitTimeSeconds(options.use().isShared() ? SHARED_POLL_SECONDS : LONGEST_POLL_SECONDS)
                .messageSystemAttributeNames(
                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                        MessageSystemAttributeName.SEQUENCE_NUMBER,
                        MessageSystemAttributeName.MESSAGE_GROUP_ID)
                .messageAttributeNames(MessageMark.NAME);
        options.use().visibility().ifPresent(time -> request.visibilityTimeout((int) time.toSeconds()));
        this.poll = request.build();
        this.longestAnswer = longestAnswer;
        for (int i = 0; i < options.use().consumers(); i++) {
            long number = i;
            threads.add(Daemon.of("downbeat-sqs-consumer-" + i, () -> consume(number)));
        }
    }

    /**
     * Starts polling.
     *
     * @param whenForeign called with the reason, on any thread, when a message of others is found in a queue not declared
     *     to be Downbeat's, or might move to the dead-letter queue; polling then stops
     */
    public void start(Consumer<Outcome> whenForeign) {
        onForeign = whenForeign;
        threads.forEach(Thread::start);
    }

    private void consume(long consumer) {
        try (SiblingShards.PeerConnections peers = new SiblingShards.PeerConnections()) {
            long done = 0;
            while (!closed) {
                try {
                    done = handle(receive(), peers, consumer, done);
                } catch (InterruptedException | CancellationException | RejectedExecutionException closing) {
                    return;
                } catch (ExecutionException broken) {
                    failed.computeIfAbsent(SqsFailures.reasonOf(broken), first -> new LongAdder())
                            .increment();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private List<Message> receive() throws InterruptedException, ExecutionException {
        CompletableFuture<ReceiveMessageResponse> pendingPoll =
                SqsCalls.within(longestAnswer, connections.calls().receive(poll));
        polling.add(pendingPoll);
        try {
            if (closed) {
                pendingPoll.cancel(true);
            }
            return pendingPoll.get().messages();
        } catch (InterruptedException closing) {
            pendingPoll.cancel(true);
            throw closing;
        } finally {
            polling.remove(pendingPoll);
        }
    }

    /** Handles the result of a poll; returns the total number of messages handled by this consumer. */
    private long handle(List<Message> messages, SiblingShards.PeerConnections peers, long consumer, long before) {
        long at = connections.log().now();
        Instant wall = Instant.now();
        polls.increment();
        if (messages.size() == LARGEST_BATCH) {
            fullPolls.increment();
        }
        Map<Message, MessageMark> own = ownMessages(messages);
        if (own.isEmpty()) {
            return before;
        }
        working.begin(own.size(), System.nanoTime());
        try {
            return handle(own, at, wall, peers, consumer, before);
        } finally {
            working.end(System.nanoTime());
        }
    }

    private long handle(
            Map<Message, MessageMark> own,
            long received,
            Instant receivedWall,
            SiblingShards.PeerConnections peers,
            long consumer,
            long before) {
        long at = received;
        Instant wall = receivedWall;
        List<Message> done = new ArrayList<>();
        long count = before;
        for (Map.Entry<Message, MessageMark> one : own.entrySet()) {
            if (!arrived(one.getValue(), at, wall, peers)) {
                otherShards.giveBack(List.of(one.getKey()));
                continue;
            }
            long nanos = options.use().processing().applyAsLong(consumer, count++);
            if (nanos == 0) {
                done.add(one.getKey());
                continue;
            }
            process(nanos);
            deletions.delete(List.of(one.getKey()));
            at = connections.log().now();
            wall = Instant.now();
        }
        deletions.delete(done);
        return count;
    }

    /** An interrupted consumer stops processing, but still deletes its messages. */
    private static void process(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /** In order; messages of others are hidden until they are given back. */
    private Map<Message, MessageMark> ownMessages(List<Message> messages) {
        Map<Message, MessageMark> own = new java.util.LinkedHashMap<>();
        List<Message> others = new ArrayList<>();
        for (Message message : messages) {
            Optional<MessageMark> mark =
                    MessageMark.of(message).filter(found -> found.run().equals(run));
            mark.ifPresentOrElse(found -> own.put(message, found), () -> others.add(message));
        }
        own.keySet().forEach(this::note); // on receipt: processing may outlast the lock of a FIFO group
        foreign.hide(others);
        if (!foreign.isSafe() || !others.isEmpty() && !options.use().queueIsMine()) {
            closed = true;
            onForeign.accept(foreign.ending());
        }
        return own;
    }

    private boolean arrived(MessageMark mark, long at, Instant wall, SiblingShards.PeerConnections peers) {
        if (Deliveries.arrive(mark.lane(), mark.index(), at)) {
            return true;
        }
        if (peers.forward(mark, wall)) {
            ofSiblings.increment();
            return true;
        }
        return false;
    }

    private void note(Message message) {
        boolean again = !"1"
                .equals(message.attributes().getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1"));
        if (again) {
            redelivered.increment();
        } else {
            order.note(
                    message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID),
                    message.attributes().get(MessageSystemAttributeName.SEQUENCE_NUMBER));
        }
    }

    /** Checks the message order of FIFO groups. Thread-safe. */
    static final class GroupOrder {
        private final Map<String, String> last = new ConcurrentHashMap<>();
        final LongAdder wrong = new LongAdder();

        void note(@Nullable String group, @Nullable String sequence) {
            if (group != null && sequence != null) {
                last.merge(group, sequence, (before, now) -> {
                    boolean later = now.length() != before.length()
                            ? now.length() > before.length()
                            : now.compareTo(before) > 0;
                    if (!later) {
                        wrong.increment();
                    }
                    return later ? now : before;
                });
            }
        }
    }

    /**
     * How long the consumers worked, from the first message received to the last. If nearly all worked nearly all of
     * the time, messages waited for a consumer. Thread-safe.
     */
    static final class WorkingTime {
        /** Fewer messages find all consumers working by chance. */
        private static final int LEAST_MESSAGES = 10;

        private long messages;
        private int atWork;
        private long workNanos;
        private long firstAt;
        private long changedAt;
        private long spanNanos;
        private long workInSpanNanos;

        /** A consumer begins to work on received messages. */
        synchronized void begin(int count, long now) {
            if (messages == 0) {
                firstAt = now;
                changedAt = now;
            }
            advance(now);
            messages += count;
            atWork++;
            spanNanos = changedAt - firstAt;
            workInSpanNanos = workNanos;
        }

        /** It has worked on all of them. */
        synchronized void end(long now) {
            advance(now);
            atWork--;
        }

        private void advance(long now) {
            long at = Math.max(now, changedAt); // two threads may arrive in another order than they read the clock
            workNanos += atWork * (at - changedAt);
            changedAt = at;
        }

        synchronized void count(int consumers, Map<String, Long> counts) {
            long workMillis = TimeUnit.NANOSECONDS.toMillis(workInSpanNanos);
            if (messages >= LEAST_MESSAGES && workMillis > 0) {
                counts.put("consumer milliseconds", TimeUnit.NANOSECONDS.toMillis(consumers * spanNanos));
                counts.put("consumer milliseconds at work", workMillis);
            }
        }
    }

    public void count(Map<String, Long> counts) {
        foreign.count(counts);
        otherShards.count(counts);
        counts.put("polls", polls.sum());
        failed.forEach((reason, times) -> counts.put("polls failed (" + reason + ")", times.sum()));
        counts.put("polls with a full batch", fullPolls.sum());
        TargetCounts.putIfAny(counts, "messages redelivered", redelivered.sum());
        TargetCounts.putIfAny(counts, "messages of other shards", ofSiblings.sum());
        TargetCounts.putIfAny(counts, "messages out of order in their group", order.wrong.sum());
        working.count(threads.size(), counts);
        deletions.count(counts);
    }

    @Override
    public void close() {
        closed = true;
        if (options.use().isShared()) {
            await(TimeUnit.SECONDS.toNanos(2 * SHARED_POLL_SECONDS));
        }
        polling.forEach(pendingPoll -> pendingPoll.cancel(true));
        await(PATIENCE_NANOS);
        threads.forEach(Thread::interrupt);
        await(ENDING_NANOS);
        otherShards.await();
        foreign.close();
        deletions.close();
    }

    private void await(long nanos) {
        long until = System.nanoTime() + nanos;
        try {
            for (Thread thread : threads) {
                long left = until - System.nanoTime();
                if (left > 0 && thread.isAlive()) {
                    TimeUnit.NANOSECONDS.timedJoin(thread, left);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
