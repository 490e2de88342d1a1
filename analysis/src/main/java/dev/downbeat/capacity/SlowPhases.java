package dev.downbeat.capacity;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import java.util.List;

/**
 * The slow phases of a service over all runs of a search. Between two slow phases a service looks better than it is. A
 * run must therefore be long enough to contain several.
 */
final class SlowPhases {
    /** A stretch is slow if its median is at least this multiple of its run's lower quartile. */
    private static final double FACTOR = 2;

    /** A run should contain at least this many phases; fewer may be chance. */
    private static final double LEAST_MET = 4;

    /** The least share of slow time that counts; single stretches are slow by chance. */
    private static final double LEAST_SHARE = 0.02;

    private static final int LEAST_ANSWERS = 10;

    private double seenNanos;
    private double slow;
    private double slowSquared;

    /**
     * Adds the phases that ended within a run, without its settling time. A queue that grows to the end is not a phase.
     */
    void add(RunResult run, long settlingNanos) {
        List<Interval> stretches = run.intervals().stream()
                .filter(stretch ->
                        stretch.startNanos() >= settlingNanos && times(stretch).count() >= LEAST_ANSWERS)
                .toList();
        long[] medians = stretches.stream()
                .mapToLong(stretch -> times(stretch).valueAtPercentile(50))
                .sorted()
                .toArray();
        double limit = medians.length == 0 ? 0 : FACTOR * medians[medians.length / 4];
        double phase = 0;
        for (Interval stretch : stretches) {
            if (times(stretch).valueAtPercentile(50) > limit) {
                phase += stretch.lengthNanos();
            } else {
                seenNanos += stretch.lengthNanos() + phase;
                slow += phase;
                slowSquared += phase * phase;
                phase = 0;
            }
        }
    }

    private static Distribution times(Interval stretch) {
        return stretch.recording().responseAtLeast();
    }

    /**
     * The run length that contains enough phases. Phases are counted by their effective number (Kish 1965), so that
     * flicker hardly counts.
     */
    long leastNanos() {
        return slow <= LEAST_SHARE * seenNanos ? 0 : (long) (LEAST_MET * seenNanos * slowSquared / (slow * slow));
    }
}
