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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Messages of others that one lane received: never deleted, and received only once while this process uses their queue,
 * because each receive counts towards the queue's dead-letter policy. They stay hidden until the last lane on the queue
 * closes, then they are given back. If the process is killed, they are visible again within a minute. Thread-safe.
 */
public final class ForeignMessages implements AutoCloseable {
    private static final String COUNT = "messages of others, given back";
    private static final String ONE_LEFT = "messages of others with one receive left";
    private static final String SPENT = "messages of others without a receive left";
    private static final String SPARED = "stops to spare messages of others";

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST = 10_000;

    private final SdkConnection connections;
    private final Queue queue;
    private final HiddenMessages hidden;

    // Guarded by this.
    private final Set<String> met = new HashSet<>();
    private final Set<String> oneLeft = new HashSet<>();
    private final Set<String> spent = new HashSet<>();
    private boolean isSafe = true;
    private CompletableFuture<?> allAnswered = CompletableFuture.completedFuture(null);

    /**
     * Starts empty.
     *
     * @param connections the client for hiding messages, not closed here
     */
    public ForeignMessages(SdkConnection connections, Queue queue) {
        this.connections = connections;
        this.queue = queue;
        this.hidden = HiddenMessages.of(queue);
        hidden.opened(this);
    }

    /**
     * Refuses a queue whose messages can be received once only.
     *
     * @throws IOException with one line, if it holds some
     */
    public static void check(Queue queue) throws IOException {
        if (queue.maxReceives() == 1 && queue.messages() > 0) {
            throw new IOException("the queue holds messages of other producers, whose next receive would be the last"
                    + " before the dead-letter queue: use a separate queue (run --create makes one)");
        }
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
        CompletableFuture<?> answered = hidden.add(this, messages).handle((answer, thrown) -> {
            boolean isRefused = thrown == null
                    ? !answer.failed().isEmpty()
                    : thrown instanceof CompletionException && thrown.getCause() instanceof AwsServiceException;
            if (isRefused) {
                endanger(); // they come back after the queue's visibility timeout, again and again
            }
            return null;
        });
        synchronized (this) {
            allAnswered = CompletableFuture.allOf(allAnswered, answered);
        }
    }

    private synchronized void note(Message message) {
        String id = message.messageId();
        met.add(id);
        long receives = receives(message);
        int most = queue.maxReceives();
        boolean isSpent = most != Queue.UNKNOWN && receives >= most;
        if (isSpent) {
            spent.add(id);
            oneLeft.remove(id);
        } else if (most != Queue.UNKNOWN && isScarce(message)) {
            oneLeft.add(id);
        }
        // one that was hidden and came all the same would come again
        if (isSpent || hidden.isFull() || hidden.hasSeen(id) && isScarce(message)) {
            endanger();
        }
    }

    private synchronized void endanger() {
        isSafe &= queue.maxReceives() == Queue.UNLIMITED;
    }

    /** Whether more messages may be received: no message of others comes so often that it moves to the dead-letter queue. */
    public synchronized boolean isSafe() {
        return isSafe;
    }

    /** Why receiving ended at a message of others. */
    public Outcome ending() {
        return isSafe() ? SqsFailures.FOREIGN_MESSAGES : SqsFailures.DEAD_LETTERS;
    }

    private static long receives(Message message) {
        String count = message.attributes().getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1");
        return count.matches("\\d{1,18}") ? Long.parseLong(count) : 1; // compatible servers differ
    }

    public synchronized void count(Map<String, Long> counts) {
        TargetCounts.putIfAny(counts, COUNT, met.size());
        TargetCounts.putIfAny(counts, ONE_LEFT, oneLeft.size());
        TargetCounts.putIfAny(counts, SPENT, spent.size());
        TargetCounts.putIfAny(counts, SPARED, isSafe ? 0 : 1);
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
    private static final class HiddenMessages {
        private static final Map<String, HiddenMessages> BY_QUEUE = new ConcurrentHashMap<>();

        private static final int HIDDEN_SECONDS = 60;
        private static final int RENEWAL_SECONDS = 20;

        /** A poll that was cancelled here may go on at the service for so long, and would take them once more. */
        private static final int RETURN_SECONDS = 20;

        private static final int BATCH = 10;
        private static final int BATCHES_AT_ONCE = 4;

        private final String url;

        /** Held while visibilities are changed, so that none is renewed after it was given back. */
        private final ReentrantLock changing = new ReentrantLock();

        // Guarded by this.
        private final Map<String, String> handles = new LinkedHashMap<>();
        private final Set<String> seen = new HashSet<>();
        private final Set<ForeignMessages> open = new LinkedHashSet<>();
        private @Nullable Thread renewing;
        private long returnedAt;

        private HiddenMessages(String url) {
            this.url = url;
        }

        static HiddenMessages of(Queue queue) {
            return BY_QUEUE.computeIfAbsent(queue.url(), HiddenMessages::new);
        }

        synchronized void opened(ForeignMessages lane) {
            boolean isOver = System.nanoTime() - returnedAt > TimeUnit.SECONDS.toNanos(RETURN_SECONDS - 1);
            if (open.isEmpty() && isOver) {
                handles.clear(); // they are visible, and their owner may have received them
            }
            open.add(lane);
            Thread running = renewing;
            if (running != null) {
                LockSupport.unpark(running); // before they come back
            } else if (!handles.isEmpty()) {
                startRenewing(0);
            }
        }

        synchronized boolean isFull() {
            return handles.size() >= MOST;
        }

        synchronized boolean hasSeen(String id) {
            return seen.contains(id);
        }

        CompletableFuture<ChangeMessageVisibilityBatchResponse> add(ForeignMessages lane, List<Message> messages) {
            Map<String, String> added = new LinkedHashMap<>();
            messages.forEach(message -> added.put(message.messageId(), message.receiptHandle()));
            synchronized (this) {
                if (!isFull()) {
                    seen.addAll(added.keySet());
                    handles.putAll(added);
                    if (renewing == null) {
                        startRenewing(RENEWAL_SECONDS);
                    }
                }
            }
            return change(lane, List.copyOf(added.values()), HIDDEN_SECONDS);
        }

        private void startRenewing(long afterSeconds) {
            renewing = Daemon.start("downbeat-sqs-foreign", () -> renew(afterSeconds));
        }

        private void renew(long afterSeconds) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(afterSeconds));
            while (true) {
                ForeignMessages lane;
                synchronized (this) {
                    if (open.isEmpty() || handles.isEmpty()) {
                        renewing = null;
                        return;
                    }
                    lane = open.iterator().next();
                }
                changing.lock();
                try {
                    changeAll(lane, HIDDEN_SECONDS, RENEWAL_SECONDS);
                } finally {
                    changing.unlock();
                }
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(RENEWAL_SECONDS));
            }
        }

        void closed(ForeignMessages lane) {
            synchronized (this) {
                open.remove(lane);
                if (!open.isEmpty() || handles.isEmpty()) {
                    return;
                }
                returnedAt = System.nanoTime();
            }
            try {
                if (changing.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    try {
                        changeAll(lane, RETURN_SECONDS, PATIENCE.toSeconds());
                    } finally {
                        changing.unlock();
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt(); // they are visible again within a minute
            }
        }

        /** Changes all visibilities, those of a queue that stops answering excepted. */
        private void changeAll(ForeignMessages lane, int seconds, long atMostSeconds) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(atMostSeconds);
            List<Map.Entry<String, String>> all;
            synchronized (this) {
                all = new ArrayList<>(handles.entrySet().stream()
                        .map(one -> Map.entry(one.getKey(), one.getValue()))
                        .toList());
            }
            for (int i = 0; i < all.size(); i += BATCH * BATCHES_AT_ONCE) {
                synchronized (this) {
                    boolean isReturned = open.isEmpty() && seconds != RETURN_SECONDS;
                    if (isReturned || System.nanoTime() - until > 0) {
                        return;
                    }
                }
                List<Map.Entry<String, String>> some =
                        all.subList(i, Math.min(all.size(), i + BATCH * BATCHES_AT_ONCE));
                if (!changeSome(lane, some, seconds)) {
                    return;
                }
            }
        }

        private boolean changeSome(ForeignMessages lane, List<Map.Entry<String, String>> some, int seconds) {
            List<CompletableFuture<ChangeMessageVisibilityBatchResponse>> calls = new ArrayList<>();
            List<List<Map.Entry<String, String>>> batches = new ArrayList<>();
            for (int i = 0; i < some.size(); i += BATCH) {
                List<Map.Entry<String, String>> batch = some.subList(i, Math.min(some.size(), i + BATCH));
                batches.add(batch);
                calls.add(change(lane, batch.stream().map(Map.Entry::getValue).toList(), seconds));
            }
            boolean isAnswered = true;
            for (int i = 0; i < calls.size(); i++) {
                try {
                    List<BatchResultErrorEntry> gone = calls.get(i).join().failed();
                    for (BatchResultErrorEntry one : gone) {
                        forget(batches.get(i).get(Integer.parseInt(one.id())));
                    }
                } catch (RuntimeException noAnswer) {
                    isAnswered = false;
                }
            }
            return isAnswered;
        }

        /** Its owner has deleted or received it meanwhile, unless it came here again. */
        private synchronized void forget(Map.Entry<String, String> message) {
            handles.remove(message.getKey(), message.getValue());
        }

        private CompletableFuture<ChangeMessageVisibilityBatchResponse> change(
                ForeignMessages lane, List<String> receiptHandles, int seconds) {
            List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
            for (String handle : receiptHandles) {
                entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(entries.size()))
                        .receiptHandle(handle)
                        .visibilityTimeout(seconds)
                        .build());
            }
            return SqsCalls.within(
                    PATIENCE,
                    lane.connections
                            .calls()
                            .changeVisibility(ChangeMessageVisibilityBatchRequest.builder()
                                    .queueUrl(url)
                                    .entries(entries)
                                    .build()));
        }
    }
}
