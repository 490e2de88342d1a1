package dev.downbeat.event;

import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.run.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gaps between responses that are no stalls: those of a rhythm, and those that chance explains. A run and each of its
 * names share them. Thread-safe.
 */
public final class ExplainedGaps {
    /** A gap longer than the steps of a rhythm by this factor is more than the rhythm. */
    private static final double BEYOND_RHYTHM = 1.5;

    private final long rhythmNanos;
    private final RandomGaps byChance;

    /** Results so far, since the run and each name have the same gaps. */
    private final Map<Pause, Boolean> known = new ConcurrentHashMap<>();

    /** The explained gaps of a run; each gap is examined on first use. */
    public ExplainedGaps(RunResult result) {
        this.rhythmNanos = Rhythm.stepNanos(result.interruptions().silences());
        this.byChance = new RandomGaps(result);
    }

    /** Whether a gap is no stall. */
    boolean contains(long fromNanos, long toNanos) {
        return toNanos - fromNanos < BEYOND_RHYTHM * rhythmNanos
                || known.computeIfAbsent(new Pause(fromNanos, toNanos), gap -> byChance.contains(fromNanos, toNanos));
    }

    /**
     * Responses at regular steps, as of a service that works in batches or by a timer. Most of the time none arrives,
     * without a stall.
     */
    static final class Rhythm {
        /** Fewer equal gaps may be chance. */
        private static final int LEAST = 5;

        /** The least share of gaps that start at a multiple of the step after the previous one. */
        private static final double MOST = 0.8;

        /** The accepted deviation, in steps. */
        private static final double OFF = 0.1;

        /** A gap fills at least this share of the step. Rarer gaps are stalls, however regular. */
        private static final double LEAST_FILLED = 0.5;

        private Rhythm() {}

        /** The step in nanoseconds; 0 if there is no rhythm. */
        static long stepNanos(List<Silence> silences) {
            if (silences.size() < LEAST) {
                return 0;
            }
            long[] steps = new long[silences.size() - 1];
            for (int i = 0; i < steps.length; i++) {
                steps[i] = silences.get(i + 1).toNanos() - silences.get(i).toNanos();
            }
            long[] lengths = silences.stream()
                    .mapToLong(silence -> silence.toNanos() - silence.afterNanos())
                    .sorted()
                    .toArray();
            long[] sorted = steps.clone();
            Arrays.sort(sorted);
            // only the longest gaps are kept, so the shortest distances are one step
            double step = sorted[sorted.length / 10];
            long regular = Arrays.stream(steps)
                    .filter(nanos ->
                            Math.round(nanos / step) > 0 && Math.abs(nanos / step - Math.round(nanos / step)) < OFF)
                    .count();
            return regular >= MOST * steps.length && lengths[lengths.length / 2] >= LEAST_FILLED * step
                    ? (long) step
                    : 0;
        }
    }
}
