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
 * Counts requests by their names beside a {@link SharedRecorder} that counts all of them. Takes memory for the durations that
 * occur, some 100 KB a name. Thread-safe: a name is counted under a lock of its own.
 */
public final class NamedCounts {
    /** So many names are told apart: whoever puts an order's number into them fills no memory. */
    static final int MOST_NAMES = 100;

    static final String OTHERS = "(other names)";

    private final Map<String, Named> names = new ConcurrentHashMap<>();

    private static final class Named {
        private final SparseCounts response = new SparseCounts();
        private final SparseCounts service = new SparseCounts();
        private final SparseCounts failed = new SparseCounts();
        private final Map<String, Long> failures = new TreeMap<>();

        synchronized void answered(long responseNanos, long serviceNanos) {
            response.record(responseNanos);
            service.record(serviceNanos);
        }

        synchronized void failed(long responseNanos, String reason) {
            failed.record(responseNanos);
            boolean isKnown = failures.containsKey(reason) || failures.size() < SharedRecorder.MOST_REASONS;
            failures.merge(isKnown ? reason : SharedRecorder.OTHER, 1L, Long::sum);
        }

        synchronized Recording drain() {
            Distribution answered = response.drain();
            Distribution broken = failed.drain();
            Distribution none = Distribution.empty();
            Map<String, Long> reasons = new TreeMap<>(failures);
            failures.clear();
            return Recording.of(
                    new Ledger(answered.count() + broken.count(), answered.count(), broken.count(), 0, 0, 0, 0),
                    new ResponseTimes(answered, service.drain(), answered, broken, none, none, none),
                    Tallies.ofFailures(reasons));
        }
    }

    private Named named(String name) {
        Named known = names.get(name);
        return known != null
                ? known
                : names.computeIfAbsent(names.size() < MOST_NAMES ? name : OTHERS, first -> new Named());
    }

    /**
     * Counts an answered request, as {@link SharedRecorder#answered(long, long)} does.
     *
     * @param name few different ones: beyond the first {@value #MOST_NAMES} each counts as {@value #OTHERS}
     */
    public void answered(String name, long responseNanos, long serviceNanos) {
        named(name).answered(responseNanos, serviceNanos);
    }

    /** Counts a failed request, as {@link SharedRecorder#failed} does. */
    public void failed(String name, long responseNanos, String reason) {
        named(name).failed(responseNanos, reason);
    }

    /** What was counted since the last call, in the order of the names; nothing of a name that had no request. */
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
