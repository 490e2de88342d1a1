package dev.downbeat.capacity;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import java.util.List;

/**
 * The phases in which a service was slow, over all runs of a search. A run shows what a service sustains only if it is long
 * enough to meet several of them: between two it looks like a better one.
 */
final class SlowPhases {
    /** A stretch is slow if its median is so many times that of the quicker quarter of its run. */
    private static final double FACTOR = 2;

    /** A run that meets fewer may have met too few by chance. */
    private static final double LEAST_MET = 4;

    /** Of the time: single stretches are slow by chance. */
    private static final double LEAST_SHARE = 0.02;

    private static final int LEAST_ANSWERS = 10;

    private double seenNanos;
    private double slow;
    private double slowSquared;

    /** Counts those of a run that ended in it: a queue that grows to the end is no phase. The beginning is left out. */
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

    /** How long a run must be to meet enough of them; their number is that of equal ones (Kish 1965), so that flicker hardly counts. */
    long leastNanos() {
        return slow <= LEAST_SHARE * seenNanos ? 0 : (long) (LEAST_MET * seenNanos * slowSquared / (slow * slow));
    }
}
