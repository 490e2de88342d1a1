package dev.downbeat.sqs.account;

import dev.downbeat.exchange.TargetCounts.Reading;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.time.Daemon;
import dev.downbeat.time.NanoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Samples a queue once a second during a run, with a separate client: the number of messages in it and in its
 * dead-letter queue, and the age of the oldest undelivered message. The service's counts are approximate. Long runs
 * keep fewer, evenly spaced samples. Thread-safe.
 */
public final class QueueDepths implements AutoCloseable {
    static final String DEPTH = "messages in the queue";
    static final String DEAD = "messages in the dead-letter queue";
    static final String OLDEST = "age of the oldest message in ms";

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_READINGS = 2_000;

    private final SdkConnection connections;
    private final Queue queue;
    private final LongSupplier oldestNanos;
    private final NanoClock clock;
    private final Thread thread = Daemon.of("downbeat-sqs-watch", this::watch);
    private final SortedMap<String, List<Reading>> courses = new TreeMap<>();
    private volatile boolean closed;
    private long everyNanos = PERIOD_NANOS;

    /** The URLs of sampled queues, by name of the course; replaced as a whole. */
    private volatile Map<String, String> sampledUrls = Map.of();

    /**
     * Starts.
     *
     * @param connections its client, closed with it
     * @param oldestNanos the age of the oldest undelivered message; negative if unknown
     */
    public QueueDepths(SdkConnection connections, Queue queue, LongSupplier oldestNanos) {
        this.connections = connections;
        this.queue = queue;
        this.oldestNanos = oldestNanos;
        this.clock = connections.log()::now;
        thread.start();
    }

    private void watch() {
        find();
        while (!closed) {
            sample();
            LockSupport.parkNanos(period());
        }
    }

    private synchronized long period() {
        return everyNanos;
    }

    private void find() {
        Optional<String> dead = attribute(queue.url(), QueueAttributeName.REDRIVE_POLICY)
                .flatMap(RedrivePolicy::of)
                .map(RedrivePolicy::deadLetterName)
                .flatMap(this::url);
        Map<String, String> urls = new TreeMap<>();
        urls.put(DEPTH, queue.url());
        dead.ifPresent(url -> urls.put(DEAD, url));
        sampledUrls = urls;
    }

    private Optional<String> url(String name) {
        return answer(() -> connections.calls().queueUrl(name));
    }

    private Optional<String> attribute(String url, QueueAttributeName name) {
        return answer(() -> connections.calls().queueAttributes(url, name)).map(all -> all.get(name));
    }

    /** Empty if the service refuses, or the run has ended meanwhile. */
    private static <T> Optional<T> answer(Supplier<CompletableFuture<T>> request) {
        try {
            return Optional.ofNullable(
                    request.get().orTimeout(PERIOD_NANOS, TimeUnit.NANOSECONDS).join());
        } catch (CompletionException | RejectedExecutionException denied) {
            return Optional.empty();
        }
    }

    private void sample() {
        long nanos = oldestNanos.getAsLong();
        if (nanos >= 0) {
            add(OLDEST, TimeUnit.NANOSECONDS.toMillis(nanos));
        }
        sampledUrls.forEach((name, url) -> attribute(url, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
                .filter(text -> text.matches("\\d{1,18}")) // compatible servers differ
                .ifPresent(text -> add(name, Long.parseLong(text))));
    }

    private synchronized void add(String name, long value) {
        List<Reading> readings = courses.computeIfAbsent(name, first -> new ArrayList<>());
        readings.add(new Reading(clock.nanoTime(), value));
        if (readings.size() > MOST_READINGS) {
            everyNanos *= 2;
            courses.replaceAll((other, all) -> everyOther(all));
        }
    }

    private static List<Reading> everyOther(List<Reading> all) {
        List<Reading> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 2) {
            some.add(all.get(i));
        }
        return some;
    }

    /** All samples, plus one taken now. */
    public Map<String, List<Reading>> courses() {
        if (!closed) {
            sample();
        }
        synchronized (this) {
            SortedMap<String, List<Reading>> copy = new TreeMap<>();
            courses.forEach((name, readings) -> copy.put(name, List.copyOf(readings)));
            return copy;
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        connections.close();
    }
}
