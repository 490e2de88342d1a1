package dev.downbeat.record.recorder;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts requests by name; a {@link SharedRecorder} counts those without one. Uses memory only for durations that occur,
 * about 100 KB per name. Thread-safe: each name has its own lock.
 */
public final class NamedCounts {
    /** The maximum number of names, so that a service that puts order numbers into names cannot exhaust memory. */
    static final int MOST_NAMES = 100;

    private final Map<String, Named> names = new ConcurrentHashMap<>();
    private final Map<String, String> reasons = new ConcurrentHashMap<>();
    private final boolean separatesOwnDelay;

    /** Whether callers report their own share of each response time, as for {@link SharedRecorder#ofGenerator}. */
    public NamedCounts(boolean separatesOwnDelay) {
        this.separatesOwnDelay = separatesOwnDelay;
    }

    private static final class Named {
        /** Without secrets; several names may look the same. */
        private final String sanitized;

        private final SparseCounts response = new SparseCounts();
        private final SparseCounts service = new SparseCounts();
        private final SparseCounts withoutOwnDelay;
        private final SparseCounts failed = new SparseCounts();
        private final Map<String, Long> failures = new TreeMap<>();

        Named(String name, boolean separatesOwnDelay) {
            sanitized = SharedRecorder.sanitized(name);
            withoutOwnDelay = separatesOwnDelay ? new SparseCounts() : response;
        }

        synchronized void answered(long responseNanos, long serviceNanos, long ownNanos) {
            response.record(responseNanos);
            service.record(serviceNanos);
            if (withoutOwnDelay != response) {
                withoutOwnDelay.record(responseNanos - ownNanos);
            }
        }

        synchronized void failed(long responseNanos, String reason) {
            failed.record(responseNanos);
            failures.merge(reason, 1L, Long::sum);
        }

        synchronized Recording drain() {
            Distribution answered = response.drain();
            Distribution atLeast = withoutOwnDelay == response ? answered : withoutOwnDelay.drain();
            Distribution failedTimes = failed.drain();
            Distribution none = Distribution.empty();
            Map<String, Long> reasons = new TreeMap<>(failures);
            failures.clear();
            return Recording.of(
                    new Ledger(
                            answered.count() + failedTimes.count(), answered.count(), failedTimes.count(), 0, 0, 0, 0),
                    new ResponseTimes(answered, service.drain(), atLeast, failedTimes, none, none, none),
                    OutcomeCounts.ofFailures(reasons));
        }
    }

    private Named named(String name) {
        return SharedRecorder.counter(
                names, name, MOST_NAMES, Recording.OTHERS, first -> new Named(first, separatesOwnDelay));
    }

    /** Gives this name a row of its own, even beyond the limit of names. */
    public void reserve(String name) {
        names.computeIfAbsent(name, first -> new Named(first, separatesOwnDelay));
    }

    /**
     * Counts an answered request, as {@link SharedRecorder#answered} does.
     *
     * @param name one of a few; after the first {@value #MOST_NAMES}, new names count as {@value Recording#OTHERS}
     */
    public void answered(String name, long responseNanos, long serviceNanos, long ownNanos) {
        named(name).answered(responseNanos, serviceNanos, ownNanos);
    }

    /** Counts a failed request, as {@link SharedRecorder#failed} does. */
    public void failed(String name, long responseNanos, String reason) {
        String sanitized = SharedRecorder.counter(
                reasons,
                SharedRecorder.shortened(reason),
                SharedRecorder.MOST_REASONS,
                SharedRecorder.OTHER,
                SharedRecorder::sanitized);
        named(name).failed(responseNanos, sanitized);
    }

    /** Makes room for new reasons, as {@link SharedRecorder#forgetReasons} does. */
    public void forgetReasons() {
        reasons.clear(); // counts are kept by name
    }

    /** Returns and resets the counts in order of name; names without requests are omitted. */
    public Map<String, Recording> drain() {
        Map<String, Recording> taken = new TreeMap<>();
        names.values().forEach(counts -> {
            Recording counted = counts.drain();
            if (counted.ledger().planned() > 0) {
                taken.merge(counts.sanitized, counted, Recording::plus);
            }
        });
        return taken;
    }
}
