package dev.downbeat.record.recorder;

import dev.downbeat.record.Bucket;
import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.record.Waits;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests that many threads report at the same time, for whoever has a generator or a service of their own.
 *
 * <p>Thread-safe and lock-free. A duration is one atomic addition to the counter of its bucket, in one of a few copies of
 * the buckets, so that threads seldom meet; a reader takes each counter and leaves 0. So each duration is in exactly one
 * drain, and nobody waits for the reader. Recording allocates nothing, except for the first failure with a new reason.
 */
public final class SharedRecorder {
    /** So many different reasons of failures are told apart: whoever puts an order's number into them fills no memory. */
    static final int MOST_REASONS = 200;

    static final String OTHER = "other reasons";
    private static final int LONGEST_REASON = 200;

    private static final int BUCKETS = Bucket.of(Distribution.MAX_NANOS) + 1;
    private static final int MOST_COPIES = 8;

    /** Longs from one thread's counter of arrivals to the next one's: two cache lines. */
    private static final int APART_BITS = 4;

    private static final int COPIES =
            Math.min(MOST_COPIES, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));

    /** Of the golden ratio: spreads the numbers of threads, which follow each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final AtomicLongArray[] response = copies();
    private final AtomicLongArray[] service = copies();
    private final AtomicLongArray[] theirs;
    private final AtomicLongArray censoredTheirs = new AtomicLongArray(BUCKETS);
    private final boolean knowsOurs;
    private final AtomicLongArray arrivals = new AtomicLongArray(COPIES << APART_BITS);
    private final AtomicLongArray backlogWait = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray failed = new AtomicLongArray(BUCKETS);
    private final AtomicLongArray censored = new AtomicLongArray(BUCKETS);
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

    /** All that requests take is the service's. */
    public SharedRecorder() {
        this(false);
    }

    private SharedRecorder(boolean knowsOurs) {
        this.knowsOurs = knowsOurs;
        this.theirs = knowsOurs ? copies() : response;
    }

    /** For whoever knows what of a response time may be their own, and tells it of each request. */
    public static SharedRecorder ofGenerator() {
        return new SharedRecorder(true);
    }

    private static AtomicLongArray[] copies() {
        AtomicLongArray[] copies = new AtomicLongArray[COPIES];
        for (int i = 0; i < COPIES; i++) {
            copies[i] = new AtomicLongArray(BUCKETS);
        }
        return copies;
    }

    /** Notes that a request came. Nobody is obliged to; the drain does not need it. */
    public void arrived() {
        arrivals.getAndIncrement(copy() << APART_BITS);
    }

    /** How many requests came so far; not reset by {@link #drain}. */
    public long arrivals() {
        long sum = 0;
        for (int i = 0; i < COPIES; i++) {
            sum += arrivals.get(i << APART_BITS);
        }
        return sum;
    }

    /**
     * Counts an answered request. Durations below 0 count as 0, those above {@link Distribution#MAX_NANOS} as that.
     *
     * @param responseNanos from the intended time to the end
     * @param serviceNanos from the start of the work to the end
     */
    public void answered(long responseNanos, long serviceNanos) {
        answered(responseNanos, serviceNanos, 0);
    }

    /**
     * The same of a generator.
     *
     * @param oursNanos how much of the response time may be the generator's own, at most
     */
    public void answered(long responseNanos, long serviceNanos, long oursNanos) {
        int copy = copy();
        count(response[copy], responseNanos);
        count(service[copy], serviceNanos);
        if (knowsOurs) {
            count(theirs[copy], responseNanos - oursNanos);
        }
    }

    /**
     * Counts a failed request.
     *
     * @param responseNanos from the intended time to the failure
     * @param reason a few words; beyond the first {@value #MOST_REASONS} different ones each counts as {@value #OTHER}
     */
    public void failed(long responseNanos, String reason) {
        count(failed, responseNanos);
        LongAdder counted = failures.get(reason);
        if (counted == null) {
            counted = failures.computeIfAbsent(
                    failures.size() < MOST_REASONS ? cut(reason) : OTHER, first -> new LongAdder());
        }
        counted.increment();
    }

    private static String cut(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "...";
    }

    /** Notes how long a request waited before it was taken up; its response time is counted apart from this. */
    public void waited(long nanos) {
        count(backlogWait, nanos);
    }

    /**
     * Counts a request whose end will not be seen.
     *
     * @param ageNanos from its intended time to when it was seen last: its response time is at least this
     */
    public void unfinished(long ageNanos) {
        unfinished(ageNanos, 0);
    }

    /**
     * The same of a generator.
     *
     * @param oursNanos how much of the age may be the generator's own, at most
     */
    public void unfinished(long ageNanos, long oursNanos) {
        count(censored, ageNanos);
        if (knowsOurs) {
            count(censoredTheirs, ageNanos - oursNanos);
        }
    }

    private static int copy() {
        return (int) ((Thread.currentThread().getId() * SPREAD) >>> 32) & (COPIES - 1);
    }

    private static void count(AtomicLongArray counts, long nanos) {
        counts.getAndIncrement(Bucket.of(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS))));
    }

    /**
     * What was counted since the last call. Requests whose end was not seen are in the ledger as in flight. By one thread
     * at a time; others may record meanwhile.
     */
    public Recording drain() {
        Distribution answered = drain(response);
        Distribution broken = drain(failed);
        Distribution open = drain(censored);
        Ledger ledger = new Ledger(
                answered.count() + broken.count() + open.count(),
                answered.count(),
                broken.count(),
                0,
                0,
                open.count(),
                0);
        Distribution none = Distribution.empty();
        Distribution least = knowsOurs ? drain(theirs) : answered;
        Distribution openLeast = knowsOurs ? drain(censoredTheirs) : open;
        ResponseTimes times = new ResponseTimes(answered, drain(service), least, broken, open, openLeast, none);
        return Recording.of(ledger, times, Tallies.ofFailures(drainFailures()))
                .withWaits(Waits.of(none, drain(backlogWait)));
    }

    private static Distribution drain(AtomicLongArray... copies) {
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            long count = 0;
            for (AtomicLongArray counts : copies) {
                if (counts.getPlain(bucket) != 0) { // most are empty, and a look is cheaper than an exchange
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
        failures.forEach((reason, count) -> {
            long since = count.sumThenReset();
            if (since > 0) {
                taken.put(reason, since);
            }
        });
        return taken;
    }
}
