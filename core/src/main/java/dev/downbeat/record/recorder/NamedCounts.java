package dev.downbeat.record.recorder;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import java.util.LinkedHashMap;
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

    static final String OTHERS = "(other names)";

    private final Map<String, Named> names = new ConcurrentHashMap<>();
    private final boolean separatesOwnDelay;

    /** Whether callers report their own share of each response time, as for {@link SharedRecorder#ofGenerator}. */
    public NamedCounts(boolean separatesOwnDelay) {
        this.separatesOwnDelay = separatesOwnDelay;
    }

    private static final class Named {
        private final SparseCounts response = new SparseCounts();
        private final SparseCounts service = new SparseCounts();
        private final SparseCounts theirs;
        private final SparseCounts failed = new SparseCounts();
        private final Map<String, Long> failures = new TreeMap<>();

        Named(boolean separatesOwnDelay) {
            theirs = separatesOwnDelay ? new SparseCounts() : response;
        }

        synchronized void answered(long responseNanos, long serviceNanos, long oursNanos) {
            response.record(responseNanos);
            service.record(serviceNanos);
            if (theirs != response) {
                theirs.record(responseNanos - oursNanos);
            }
        }

        synchronized void failed(long responseNanos, String reason) {
            failed.record(responseNanos);
            String cut = SharedRecorder.cut(reason);
            boolean isKnown = failures.containsKey(cut) || failures.size() < SharedRecorder.MOST_REASONS;
            failures.merge(isKnown ? cut : SharedRecorder.OTHER, 1L, Long::sum);
        }

        synchronized Recording drain() {
            Distribution answered = response.drain();
            Distribution least = theirs == response ? answered : theirs.drain();
            Distribution broken = failed.drain();
            Distribution none = Distribution.empty();
            Map<String, Long> reasons = new TreeMap<>(failures);
            failures.clear();
            return Recording.of(
                    new Ledger(answered.count() + broken.count(), answered.count(), broken.count(), 0, 0, 0, 0),
                    new ResponseTimes(answered, service.drain(), least, broken, none, none, none),
                    Tallies.ofFailures(reasons));
        }
    }

    private Named named(String name) {
        return SharedRecorder.counter(names, name, MOST_NAMES, OTHERS, () -> new Named(separatesOwnDelay));
    }

    /**
     * Counts an answered request, as {@link SharedRecorder#answered} does.
     *
     * @param name one of a few; after the first {@value #MOST_NAMES}, new names count as {@value #OTHERS}
     */
    public void answered(String name, long responseNanos, long serviceNanos, long oursNanos) {
        named(name).answered(responseNanos, serviceNanos, oursNanos);
    }

    /** Counts a failed request, as {@link SharedRecorder#failed} does. */
    public void failed(String name, long responseNanos, String reason) {
        named(name).failed(responseNanos, reason);
    }

    /** Returns and resets the counts in order of name; names without requests are omitted. */
    public Map<String, Recording> drain() {
        Map<String, Recording> taken = new LinkedHashMap<>();
        new TreeMap<>(names).forEach((name, counts) -> {
            Recording counted = counts.drain();
            if (counted.ledger().planned() > 0) {
                taken.put(name, counted);
            }
        });
        return taken;
    }
}
