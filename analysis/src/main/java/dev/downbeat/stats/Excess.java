package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;

/** The number of requests by which each stretch of a run exceeds its share. */
public final class Excess {
    private Excess() {}

    /** Requests above a percentile of the whole run, less the expected number for the stretch's size; the sum is 0. */
    public static double[] above(List<Distribution> seconds, Distribution whole, double percentile) {
        long value = whole.valueAtPercentile(percentile);
        double share = (double) whole.countAbove(value) / Math.max(1, whole.count());
        return seconds.stream()
                .mapToDouble(second -> second.countAbove(value) - share * second.count())
                .toArray();
    }
}
