package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

/** What each stretch of a run has more than its share. */
public final class Excess {
    private Excess() {}

    /** Requests above a percentile of the whole, beyond those that a stretch of as many requests should have; the sum is 0. */
    public static double[] above(List<Distribution> seconds, Distribution whole, double percentile) {
        long value = whole.valueAtPercentile(percentile);
        double share = (double) whole.countAbove(value) / Math.max(1, whole.count());
        return seconds.stream()
                .mapToDouble(second -> second.countAbove(value) - share * second.count())
                .toArray();
    }
}
