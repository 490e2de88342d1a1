package dev.downbeat.run.engine;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a warm-up once the service's median is steady: the medians of the three thirds of the latest half agree. A fresh
 * service speeds up while its JVM compiles, and a run that includes this is not comparable to another.
 */
final class UntilSteady implements Progress {
    /** A relative change of the median too small to matter in a comparison. */
    private static final double SAME = 0.03;

    /** Thirds within this many standard errors differ by chance. */
    private static final double CHANCE = 2;

    /**
     * The standard error of the median of a normal distribution, in interquartile ranges divided by the root of the
     * count.
     */
    private static final double ERROR_OF_MEDIAN = 1.2533 / 1.349;

    /** Two intervals per third. */
    private static final int LEAST_INTERVALS = 6;

    private final Runnable steady;
    private final List<Distribution> seen = new ArrayList<>();
    private boolean isOver;

    /**
     * Observes a warm-up.
     *
     * @param steady called once, when the median is steady
     */
    UntilSteady(Runnable steady) {
        this.steady = steady;
    }

    @Override
    public void interval(Interval interval) {
        seen.add(interval.recording().responseAtLeast());
        int latest = Math.max(LEAST_INTERVALS, seen.size() / 2);
        if (!isOver && seen.size() >= latest && agree(seen.subList(seen.size() - latest, seen.size()))) {
            isOver = true;
            steady.run();
        }
    }

    private static boolean agree(List<Distribution> latest) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        double error = 0;
        for (int third = 0; third < 3; third++) {
            Distribution times = latest.subList(third * latest.size() / 3, (third + 1) * latest.size() / 3).stream()
                    .reduce(Distribution.empty(), Distribution::plus);
            if (times.isEmpty()) {
                return false;
            }
            double median = times.valueAtPercentile(50);
            double range = times.valueAtPercentile(75) - times.valueAtPercentile(25);
            least = Math.min(least, median);
            most = Math.max(most, median);
            error = Math.max(error, ERROR_OF_MEDIAN * range / Math.sqrt(times.count()));
        }
        return most - least <= Math.max(SAME * least, CHANCE * error);
    }
}
