package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.WaitTimes;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Counts requests reported concurrently by many threads, for external generators and services.
 *
 * <p>Thread-safe and lock-free. Recording a duration is one atomic increment in one of a few copies of the buckets, so
 * threads rarely contend. A reader swaps each counter for 0, so each duration is in exactly one drain and writers never
 * wait. Recording allocates only for the first failure with a new reason.
 */
public final class SharedRecorder {
    /** The maximum number of reasons, so that a service that puts order numbers into reasons cannot exhaust memory. */
    static final int MOST_REASONS = 200;

    static final String OTHER = "other reasons";
    private static final int LONGEST_REASON = 200;

    /** How much of a longer reason is read, so that the cut cannot split a secret. */
    private static final int MOST_READ = 2_000;

    private static final int BUCKETS = Bucket.of(Distribution.MAX_NANOS) + 1;
    private static final int MOST_COPIES = 8;

    /** The distance, in longs, between two threads' arrival counters: two cache lines. */
    private static final int APART_BITS = 4;

    private static final int COPIES =
            Math.min(MOST_COPIES, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));

    /** From the golden ratio: spreads consecutive thread ids. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final AtomicLongArray[] response = copies();
    private final AtomicLongArray[] service = copies();
    private final AtomicLongArray[] withoutOwnDelay;
    private final AtomicLongArray censoredWithoutOwnDelay = new AtomicLongArray(BUCKETS);
    private final boolean separatesOwnDelay;
    private final AtomicLongArray arrivals = new AtomicLongArray(COPIES << APART_BITS);
    private final AtomicLongArray backlogWait = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray failed = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray censored = new AtomicLongArray(BUCKETS);
    private final Map<String, Reason> failures = new ConcurrentHashMap<>();

    /** For services: all of the response time is the service's. */
    public SharedRecorder() {
        this(false);
    }

    private SharedRecorder(boolean separatesOwnDelay) {
        this.separatesOwnDelay = separatesOwnDelay;
        this.withoutOwnDelay = separatesOwnDelay ? copies() : response;
    }

    /** For generators that report their own possible share of each response time. */
    public static SharedRecorder ofGenerator() {
        return new SharedRecorder(true);
    }

    private static AtomicLongArray[] copies() {
        return Stream.generate(() -> new AtomicLongArray(BUCKETS)).limit(COPIES).toArray(AtomicLongArray[]::new);
    }

    /** Counts an arrival. Optional; drains do not depend on it. */
    public void arrived() {
        arrivals.getAndIncrement(copy() << APART_BITS);
    }

    /** The number of arrivals so far; not reset by {@link #drain}. */
    public long arrivals() {
        long sum = 0;
        for (int i = 0; i < COPIES; i++) {
            sum += arrivals.get(i << APART_BITS);
        }
        return sum;
    }

    /**
     * Counts an answered request. Durations are clamped to the range from 0 to {@link Distribution#MAX_NANOS}.
     *
     * @param responseNanos from intended start to end
     * @param serviceNanos from actual start to end
     * @param ownNanos upper bound on a generator's own share of the response time; 0 without a generator
     */
    public void answered(long responseNanos, long serviceNanos, long ownNanos) {
        int copy = copy();
        count(response[copy], responseNanos);
        count(service[copy], serviceNanos);
        if (separatesOwnDelay) {
            count(withoutOwnDelay[copy], responseNanos - ownNanos);
        }
    }

    /**
     * Counts a failed request.
     *
     * @param responseNanos from intended start to failure
     * @param reason a few words; after the first {@value #MOST_REASONS}, new reasons count as {@value #OTHER} until
     *     {@link #forgetReasons}
     */
    public void failed(long responseNanos, String reason) {
        count(failed, responseNanos);
        String shortened = shortened(reason);
        while (!counter(failures, shortened, MOST_REASONS, OTHER, Reason::new).increment()) {
            Thread.yield(); // the reader is about to remove it, and may wait for this processor
        }
    }

    private static final class Reason {
        private static final long FORGOTTEN = -1;

        /** Without secrets; several reasons may look the same. */
        private final String sanitized;

        private final AtomicLong count = new AtomicLong();

        Reason(String given) {
            sanitized = SharedRecorder.sanitized(given);
        }

        /** Returns false if the reason has been forgotten meanwhile, so that no failure is counted in a removed entry. */
        boolean increment() {
            return count.updateAndGet(before -> before == FORGOTTEN ? before : before + 1) != FORGOTTEN;
        }

        long take() {
            return count.getAndUpdate(before -> before == FORGOTTEN ? before : 0);
        }

        /** Returns true unless a failure has been counted since the last take. */
        boolean forget() {
            return count.compareAndSet(0, FORGOTTEN);
        }
    }

    /** A name or reason without secrets, on one line. */
    static String sanitized(String given) {
        return SafeText.line(Redaction.line(given));
    }

    /** The counter of a name, or one for all others once there are {@code most}. */
    static <C> C counter(Map<String, C> all, String name, int most, String others, Function<String, C> first) {
        C counter = all.get(name);
        if (counter == null && all.size() >= most) {
            counter = all.get(others);
        }
        return counter != null ? counter : all.computeIfAbsent(all.size() < most ? name : others, first);
    }

    static String shortened(String reason) {
        if (reason.length() <= LONGEST_REASON) {
            return reason;
        }
        String read = sanitized(reason.substring(0, Math.min(reason.length(), MOST_READ)));
        return read.length() <= LONGEST_REASON ? read : read.substring(0, LONGEST_REASON) + "...";
    }

    /** Records how long a request waited before work on it began; its response time is counted separately. */
    public void waited(long nanos) {
        count(backlogWait, nanos);
    }

    /**
     * Counts a request whose end will not be observed.
     *
     * @param ageNanos from intended start to when it was last observed; a lower bound on its response time
     * @param ownNanos upper bound on a generator's own share of the age; 0 if there is no generator
     */
    public void unfinished(long ageNanos, long ownNanos) {
        count(censored, ageNanos);
        if (separatesOwnDelay) {
            count(censoredWithoutOwnDelay, ageNanos - ownNanos);
        }
    }

    private static int copy() {
        return (int) ((Thread.currentThread().getId() * SPREAD) >>> 32) & (COPIES - 1);
    }

    private static void count(AtomicLongArray counts, long nanos) {
        counts.getAndIncrement(Bucket.of(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS))));
    }

    /**
     * Returns and resets the counts. Unfinished requests are in flight in the ledger. One thread at a time may drain;
     * others may record concurrently.
     */
    public Recording drain() {
        Distribution answered = drain(response);
        Distribution failedTimes = drain(failed);
        Distribution open = drain(censored);
        Ledger ledger = new Ledger(
                answered.count() + failedTimes.count() + open.count(),
                answered.count(),
                failedTimes.count(),
                0,
                0,
                open.count(),
                0);
        Distribution none = Distribution.empty();
        Distribution atLeast = separatesOwnDelay ? drain(withoutOwnDelay) : answered;
        Distribution openAtLeast = separatesOwnDelay ? drain(censoredWithoutOwnDelay) : open;
        ResponseTimes times =
                new ResponseTimes(answered, drain(service), atLeast, failedTimes, open, openAtLeast, none);
        return Recording.of(ledger, times, OutcomeCounts.ofFailures(drainFailures()))
                .withWaits(WaitTimes.of(none, drain(backlogWait)));
    }

    /** Forgets reasons that have not occurred since the last drain, to make room for new ones; threads as for {@link #drain}. */
    public void forgetReasons() {
        failures.values().removeIf(Reason::forget);
    }

    private static Distribution drain(AtomicLongArray... copies) {
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            long count = 0;
            for (AtomicLongArray counts : copies) {
                if (counts.getPlain(bucket) != 0) { // most are empty, and a read is cheaper than a swap
                    count += counts.getAndSet(bucket, 0);
                }
            }
            if (count > 0) {
                taken.add(bucket, count);
            }
        }
        return Distribution.of(taken.done());
    }

    private Map<String, Long> drainFailures() {
        Map<String, Long> taken = new TreeMap<>();
        failures.values().forEach(reason -> {
            long since = reason.take();
            if (since > 0) {
                taken.merge(reason.sanitized, since, Long::sum);
            }
        });
        return taken;
    }
}
