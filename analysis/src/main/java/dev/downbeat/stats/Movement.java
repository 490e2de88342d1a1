package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.List;
import java.util.Optional;

/**
 * Between which values a percentile lay from one tenth of a run to the next, in logarithms of nanoseconds: what can be said of
 * it where its requests depend on each other for too long for an interval. Immutable.
 *
 * @param low of the lowest
 * @param high of the highest
 */
record Movement(double low, double high) {
    /**
     * So many times what it moved is how far the percentile of the service may be from those seen. Simulated: with it, queues up
     * to a utilisation of 0.98 and levels that wander for up to eight times a run's length are told apart in 5.3 % of identical
     * pairs at most; with three times, in 12 %.
     */
    private static final double TIMES = 5;

    /** Who moves by less stands still, whatever the order of it: a hundredth. */
    private static final double SLIGHT = Math.log(1.01);

    /** What may be ten times as much says nothing. */
    private static final double SAYS_NOTHING = Math.log(10);

    /**
     * Looks at a run.
     *
     * @param seconds at least one
     * @param percentile above 0, below 100
     * @return empty if a tenth has less than a request beyond it
     */
    static Optional<Movement> of(List<Distribution> seconds, double percentile) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        int parts = Math.min(Batches.LEAST, seconds.size());
        for (int i = 0; i < parts; i++) {
            Distribution part =
                    Stretches.sum(seconds.subList(i * seconds.size() / parts, (i + 1) * seconds.size() / parts));
            if (part.count() * (1 - percentile / 100) < 1) {
                return Optional.empty();
            }
            double there = Math.log((double) Math.max(1, part.valueAtPercentile(percentile)));
            low = Math.min(low, there);
            high = Math.max(high, there);
        }
        return Optional.of(new Movement(low, high));
    }

    /** Whether the ends that it gives say something. */
    boolean isTelling() {
        return TIMES * (high - low) <= SAYS_NOTHING;
    }

    /** Whether it is too little to speak of. */
    boolean isSlight() {
        return high - low <= SLIGHT;
    }

    /** The least that the service's percentile may be. */
    double leastLog() {
        return low - TIMES * (high - low);
    }

    /** The most that it may be. */
    double mostLog() {
        return high + TIMES * (high - low);
    }
}
