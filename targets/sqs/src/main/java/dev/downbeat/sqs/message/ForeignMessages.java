package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Messages of others that one lane received: never deleted, and received only once while this process uses their queue,
 * because each receive counts towards the queue's dead-letter policy. They stay hidden until the last lane on the queue
 * closes, then they are given back. Beyond {@value #MOST} messages, the rest comes again every minute, and the run ends
 * before such a message has one receive left. If the process is killed, messages are visible again within a minute; those
 * that could not be hidden yet, after the visibility timeout with which they were received. Thread-safe.
 */
public final class ForeignMessages implements AutoCloseable {
    /** Why a queue is refused. */
    public static final String RECEIVED_ONCE =
            "the queue holds messages of other producers, whose next receive would be the last before the dead-letter"
                    + " queue: use a separate queue (run --create makes one)";

    private static final String COUNT = "messages of others, given back";
    private static final String ONE_LEFT = "messages of others with one receive left";
    private static final String SPENT = "messages of others without a receive left";
    private static final String SPARED = "stops to spare messages of others";
    private static final String REFUSED = "refusals to hide messages of others";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    static final int MOST = 10_000;

    /** Each takes place when 40 of 60 s are over. */
    private static final int RENEWALS_PER_MINUTE = 2;

    private final SdkConnection connections;
    private final Queue queue;
    private final HiddenMessages hidden;

    // Guarded by this.
    private final Set<String> met = new HashSet<>();
    private long metBeyond;
    private final Set<String> oneLeft = new HashSet<>();
    private final Set<String> spent = new HashSet<>();
    private boolean isSafe = true;
    private long refusals;
    private CompletableFuture<?> allAnswered = CompletableFuture.completedFuture(null);

    /**
     * Starts empty.
     *
     * @param connections the client for hiding messages, not closed here
     */
    public ForeignMessages(SdkConnection connections, Queue queue) {
        this(connections, queue, HiddenMessages.of(queue));
    }

    /** With other hidden messages than those of this process. */
    ForeignMessages(SdkConnection connections, Queue queue, HiddenMessages hidden) {
        this.connections = connections;
        this.queue = queue;
        this.hidden = hidden;
        hidden.opened(this);
    }

    /**
     * Refuses a queue whose messages can be received once only. Call it before the first run of a process: later, and in
     * shards, messages may be the process's own.
     *
     * @throws IOException with one line, if the queue holds some
     */
    public static void check(Queue queue) throws IOException {
        if (queue.maxReceives() == 1 && queue.messages() > 0) {
            throw new IOException(RECEIVED_ONCE);
        }
    }

    /** At most so many requests a minute keep this many messages of others hidden. */
    public static long requestsPerMinute(long messages) {
        long batches = (Math.min(MOST, messages) + HiddenMessages.BATCH - 1) / HiddenMessages.BATCH;
        return batches * RENEWALS_PER_MINUTE;
    }

    /** Whether the next receive of a message may be the last before it moves to the dead-letter queue. */
    public boolean isScarce(Message message) {
        return receives(message) >= queue.maxReceives() - 1;
    }

    /** Hides received messages; does not block. */
    public void hide(List<Message> messages) {
        if (messages.isEmpty()) {
            return;
        }
        for (Message message : messages) {
            note(message);
        }
        CompletableFuture<?> answered = hidden.add(this, messages);
        synchronized (this) {
            allAnswered = CompletableFuture.allOf(allAnswered, answered);
        }
    }

    private synchronized void note(Message message) {
        String id = message.messageId();
        long receives = receives(message);
        if (met.size() < MOST) {
            met.add(id);
        } else if (receives == 1) { // one of several receives may have been counted
            metBeyond++;
        }
        int most = queue.maxReceives();
        boolean isSpent = most != Queue.UNKNOWN && receives >= most;
        if (isSpent) {
            spent.add(id);
            oneLeft.remove(id);
        } else if (most != Queue.UNKNOWN && isScarce(message)) {
            oneLeft.add(id);
        }
        if (isSpent || isScarce(message) && hidden.mayComeAgain(id)) {
            endanger();
        }
    }

    private synchronized void endanger() {
        isSafe &= queue.maxReceives() == Queue.UNLIMITED;
    }

    /** Without the permission to hide messages, they come again and again. */
    private synchronized void refused() {
        refusals++;
        endanger();
    }

    /** Whether more messages may be received: no message of others comes so often that it moves to the dead-letter queue. */
    public synchronized boolean isSafe() {
        return isSafe;
    }

    /** Why receiving ended at a message of others. */
    public synchronized Outcome ending() {
        if (isSafe) {
            return SqsFailures.FOREIGN_MESSAGES;
        }
        return refusals > 0 ? SqsFailures.NOT_HIDDEN : SqsFailures.DEAD_LETTERS;
    }

    private static long receives(Message message) {
        String count = message.attributes().getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1");
        return count.matches("\\d{1,18}") ? Long.parseLong(count) : 1; // compatible servers differ
    }

    public synchronized void count(Map<String, Long> counts) {
        TargetCounts.putIfAny(counts, COUNT, met.size() + metBeyond);
        TargetCounts.putIfAny(counts, ONE_LEFT, oneLeft.size());
        TargetCounts.putIfAny(counts, SPENT, spent.size());
        TargetCounts.putIfAny(counts, SPARED, isSafe ? 0 : 1);
        TargetCounts.putIfAny(counts, REFUSED, refusals);
    }

    /** Adds the number of requests not made, or not awaited, because of a message of others. */
    public static void countEnded(Map<String, Long> counts, long requests) {
        TargetCounts.putIfAny(counts, "requests ended by messages of others", requests);
    }

    /** Gives the messages back if no other lane of this process uses the queue. Waits for the queue, up to a limit. */
    @Override
    public void close() {
        CompletableFuture<?> outstanding;
        synchronized (this) {
            outstanding = allAnswered;
        }
        outstanding
                .completeOnTimeout(null, PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        hidden.closed(this);
    }

    /** The messages of others in one queue, for all runs of this process, whose lanes come and go. Thread-safe. */
    static final class HiddenMessages {
        private static final Map<String, HiddenMessages> BY_QUEUE = new ConcurrentHashMap<>();

        private static final int HIDDEN_SECONDS = 60;

        /** Renewed from then on, so that several attempts may fail. */
        private static final int DUE_SECONDS = 20;

        private static final int PAUSE_SECONDS = 2;

        /** A poll that was cancelled here may go on at the service for so long, and would take them once more. */
        private static final int RETURN_SECONDS = 20;

        private static final int BATCH = 10;
        private static final int BATCHES_AT_ONCE = 4;

        /**
         * A message.
         *
         * @param handle the handle of its last receive
         * @param untilNanos when it becomes visible, as far as known
         */
        private record Held(String id, String handle, long untilNanos) {
            boolean isVisible(long nowNanos) {
                return untilNanos - nowNanos <= 0;
            }

            boolean isDue(long nowNanos) {
                return !isVisible(nowNanos) && untilNanos - nowNanos <= TimeUnit.SECONDS.toNanos(DUE_SECONDS);
            }
        }

        private final String url;
        private final LongSupplier nanos;
        private final Function<Runnable, Thread> starter;

        /** Held while visibilities are changed, so that none is renewed after it was given back. */
        private final ReentrantLock changing = new ReentrantLock();

        // Guarded by this. Visible messages stay until the next run, because they may have come from here.
        private final Map<String, Held> messages = new LinkedHashMap<>();
        private final Set<ForeignMessages> open = new LinkedHashSet<>();
        private @Nullable Thread renewing;

        /** With another clock, and another way to start a thread. */
        HiddenMessages(String url, LongSupplier nanos, Function<Runnable, Thread> starter) {
            this.url = url;
            this.nanos = nanos;
            this.starter = starter;
        }

        static HiddenMessages of(Queue queue) {
            return BY_QUEUE.computeIfAbsent(
                    queue.url(),
                    url -> new HiddenMessages(
                            url, System::nanoTime, task -> Daemon.start("downbeat-sqs-foreign", task)));
        }

        synchronized void opened(ForeignMessages lane) {
            if (open.isEmpty()) {
                forgetVisible();
            }
            open.add(lane);
            Thread running = renewing;
            if (running != null) {
                LockSupport.unpark(running); // before those of the run before come back
            }
        }

        /** Their owners may have received them. */
        private void forgetVisible() {
            long soon = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(1);
            messages.values().removeIf(one -> one.isVisible(soon));
        }

        /** Whether the message would come again after this receive: it did before, or too many are hidden already. */
        synchronized boolean mayComeAgain(String id) {
            return messages.size() >= MOST || messages.containsKey(id);
        }

        CompletableFuture<?> add(ForeignMessages lane, List<Message> received) {
            // due when the first attempt to hide it must have been answered
            long untilNanos = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(DUE_SECONDS) + PATIENCE.toNanos();
            List<Held> added = received.stream()
                    .map(message -> new Held(message.messageId(), message.receiptHandle(), untilNanos))
                    .toList();
            synchronized (this) {
                for (Held one : added) {
                    if (messages.size() < MOST || messages.containsKey(one.id())) {
                        messages.put(one.id(), one);
                    }
                }
                if (renewing == null) {
                    renewing = starter.apply(this::renew);
                }
            }
            return change(lane, added, HIDDEN_SECONDS);
        }

        private void renew() {
            try {
                while (isNeeded()) {
                    renewDue();
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
                }
            } finally {
                synchronized (this) {
                    if (renewing == Thread.currentThread()) {
                        renewing = null;
                    }
                }
            }
        }

        /** Until those that were given back are visible, for a run that begins before. */
        private synchronized boolean isNeeded() {
            if (open.isEmpty()) {
                forgetVisible();
            }
            boolean isNeeded = !messages.isEmpty();
            if (!isNeeded) {
                renewing = null; // from now on, the next message starts another thread
            }
            return isNeeded;
        }

        /** Prolongs what is due, up to the first change that fails: a queue that refuses gets few requests at a time. */
        void renewDue() {
            boolean isChanged = true;
            while (isChanged) {
                changing.lock();
                try {
                    ForeignMessages lane;
                    List<Held> due;
                    synchronized (this) {
                        if (open.isEmpty()) {
                            return;
                        }
                        lane = open.iterator().next();
                        due = first(BATCH * BATCHES_AT_ONCE, one -> one.isDue(nanos.getAsLong()));
                    }
                    if (due.isEmpty()) {
                        return;
                    }
                    isChanged = changeSome(lane, due, HIDDEN_SECONDS);
                    if (!isChanged) {
                        tryLater(lane, due);
                    }
                } finally {
                    changing.unlock();
                }
            }
        }

        private List<Held> first(int most, Predicate<Held> wanted) {
            return messages.values().stream().filter(wanted).limit(most).toList();
        }

        /** By another lane, since this one may be about to close, and after other messages. */
        private synchronized void tryLater(ForeignMessages lane, List<Held> due) {
            if (open.remove(lane)) {
                open.add(lane);
            }
            for (Held one : due) {
                if (messages.remove(one.id(), one)) {
                    messages.put(one.id(), one);
                }
            }
        }

        void closed(ForeignMessages lane) {
            synchronized (this) {
                open.remove(lane);
                if (!open.isEmpty() || messages.isEmpty()) {
                    return;
                }
            }
            try {
                if (changing.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    try {
                        giveBack(lane);
                    } finally {
                        changing.unlock();
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt(); // they are visible again within a minute
            }
        }

        /** Gives back what is hidden, unless the queue answers too slowly. */
        private void giveBack(ForeignMessages lane) {
            long startNanos = nanos.getAsLong();
            List<Held> all;
            synchronized (this) {
                all = first(MOST, one -> !one.isVisible(startNanos));
            }
            int at = 0;
            while (at < all.size() && nanos.getAsLong() - startNanos < PATIENCE.toNanos()) {
                int next = Math.min(all.size(), at + BATCH * BATCHES_AT_ONCE);
                changeSome(lane, all.subList(at, next), RETURN_SECONDS);
                at = next;
            }
        }

        /** Waits for the answers, and returns whether all were given. */
        private boolean changeSome(ForeignMessages lane, List<Held> some, int seconds) {
            List<CompletableFuture<Boolean>> changes = new ArrayList<>();
            for (int i = 0; i < some.size(); i += BATCH) {
                changes.add(change(lane, some.subList(i, Math.min(some.size(), i + BATCH)), seconds));
            }
            boolean isChanged = true;
            for (CompletableFuture<Boolean> one : changes) {
                isChanged &= one.join();
            }
            return isChanged;
        }

        /** Completes with whether no change needs another attempt. */
        private CompletableFuture<Boolean> change(ForeignMessages lane, List<Held> batch, int seconds) {
            List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
            for (Held one : batch) {
                entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(entries.size()))
                        .receiptHandle(one.handle())
                        .visibilityTimeout(seconds)
                        .build());
            }
            long untilNanos = nanos.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
            CompletableFuture<ChangeMessageVisibilityBatchResponse> answer;
            try {
                answer = SqsCalls.within(
                        PATIENCE,
                        lane.connections
                                .calls()
                                .changeVisibility(ChangeMessageVisibilityBatchRequest.builder()
                                        .queueUrl(url)
                                        .entries(entries)
                                        .build()));
            } catch (RuntimeException closed) {
                answer = CompletableFuture.failedFuture(closed);
            }
            return answer.handle((given, thrown) -> {
                if (thrown == null) {
                    return changed(batch, given.failed(), untilNanos);
                }
                if (SqsFailures.isDenied(thrown)) {
                    lane.refused();
                }
                return false;
            });
        }

        private synchronized boolean changed(List<Held> batch, List<BatchResultErrorEntry> failed, long untilNanos) {
            Map<String, BatchResultErrorEntry> failures = new HashMap<>();
            failed.forEach(one -> failures.put(one.id(), one));
            boolean isChanged = true;
            for (int i = 0; i < batch.size(); i++) {
                Held one = batch.get(i);
                BatchResultErrorEntry failure = failures.get(Integer.toString(i));
                boolean isGone = failure != null && Boolean.TRUE.equals(failure.senderFault());
                if (failure == null || isGone) {
                    // its owner has deleted or received one that is gone, unless it came here again
                    long at = isGone ? nanos.getAsLong() : untilNanos;
                    messages.replace(one.id(), one, new Held(one.id(), one.handle(), at));
                } else {
                    isChanged = false;
                }
            }
            return isChanged;
        }
    }
}
