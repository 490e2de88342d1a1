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
public record Movement(double low, double high) {
    /**
     * So many times what it moved is how far the percentile of the service may be from those seen. Simulated: with it, queues up
     * to a utilisation of 0.98 and levels that wander for up to eight times a run's length are told apart in 5.3 % of identical
     * pairs at most; with three times, in 12 %.
     */
    private static final double TIMES = 5;

    /** Within the width of a bucket nobody sees a movement: a thousandth. */
    private static final double UNSEEN = Math.log(1.001);

    /** A percentile that moves by no more than a hundredth is steady, in whatever order its values come. */
    private static final double SLIGHT = Math.log(1.01);

    /** An end that is ten times as far as what was seen says nothing. */
    private static final double SAYS_NOTHING = Math.log(10);

    /**
     * Looks at a run.
     *
     * @param tenths of the run, as {@link Stretches#tenths} cuts them
     * @param percentile above 0, below 100
     * @return empty if there is none, or if one has less than a request beyond the percentile
     */
    public static Optional<Movement> of(List<Distribution> tenths, double percentile) {
        if (tenths.isEmpty() || tenths.stream().anyMatch(tenth -> tenth.count() * (1 - percentile / 100) < 1)) {
            return Optional.empty();
        }
        double[] logs = tenths.stream()
                .mapToDouble(tenth -> Math.log((double) Math.max(1, tenth.valueAtPercentile(percentile))))
                .sorted()
                .toArray();
        return Optional.of(new Movement(logs[0], logs[logs.length - 1]));
    }

    public double width() {
        return high - low;
    }

    private double reach() {
        return TIMES * Math.max(UNSEEN, width());
    }

    /** Whether the ends that it gives say something. */
    public boolean isTelling() {
        return reach() <= SAYS_NOTHING;
    }

    /** Whether it is too little to speak of. */
    public boolean isSlight() {
        return high - low <= SLIGHT;
    }

    /** The least that the service's percentile may be. */
    public double leastLog() {
        return low - reach();
    }

    /** The most that it may be. */
    public double mostLog() {
        return high + reach();
    }
}
