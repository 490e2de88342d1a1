package dev.downbeat.run.engine;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a warm-up as soon as the median of the service is steady: the medians of the three thirds of the latest half agree. A
 * service that has just started gets faster while its JVM compiles, and a run that saw this compares with nothing.
 */
final class UntilSteady implements Progress {
    /** A change of the median that no comparison would see. */
    private static final double SAME = 0.03;

    /** Thirds of so many standard errors apart differ by chance. */
    private static final double CHANCE = 2;

    /** The standard error of a median, of a normal law, in interquartile ranges over the root of the count. */
    private static final double ERROR_OF_MEDIAN = 1.2533 / 1.349;

    /** Two intervals to a third. */
    private static final int LEAST_INTERVALS = 6;

    private final Runnable steady;
    private final List<Distribution> seen = new ArrayList<>();
    private boolean isOver;

    /**
     * Watches a warm-up.
     *
     * @param steady called once, when nothing changes any more
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
