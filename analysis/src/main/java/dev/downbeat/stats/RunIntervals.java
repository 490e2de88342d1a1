package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Intervals for the percentiles of a run, which hold although its requests depend on each other: who waits in a queue
 * waits together with the others. They need the counts of each second only.
 *
 * <p>The share of requests below a value is a mean over batches in time, so its variance can be seen from how the batches
 * differ; the interval for the share is then read back as one of values (Woodruff: Confidence intervals for medians and
 * other position measures, J. Am. Stat. Assoc. 47, 1952), with the number of independent requests that would have the
 * same variance put into the exact binomial interval (Korn, Graubard: Confidence intervals for proportions with small
 * expected number of positive counts, Surv. Methodol. 24, 1998). A variance to which a few batches contribute most is
 * known less well: its degrees of freedom follow from the kurtosis (Satterthwaite: An approximate distribution of estimates
 * of variance components, Biometrics Bull. 2, 1946). Immutable.
 */
public final class RunIntervals {
    /** With fewer batches their differences tell too little. */
    public static final int LEAST_BATCHES = 20;

    /** With more, batches are merged, so that in a long run even slow waves stay within one of them. */
    private static final int MOST_BATCHES = 64;

    private static final double[] GUARDS = {50, 90, 99, 99.9, 99.99};

    /** However uneven the batches are. */
    private static final double LEAST_FREEDOM = 4;

    private static final double HALF_ERROR = (1 - QuantileInterval.CONFIDENCE) / 2;

    private final List<Distribution> batches;
    private final Distribution whole;

    private RunIntervals(List<Distribution> batches) {
        this.batches = batches;
        this.whole = sum(batches);
    }

    /**
     * The intervals of a run.
     *
     * @param perSecond the run's times in stretches of equal length, at least a second each, in their order and without
     *     a warm-up
     * @return empty if there are fewer than {@link #LEAST_BATCHES} stretches
     */
    public static Optional<RunIntervals> of(List<Distribution> perSecond) {
        return perSecond.size() < LEAST_BATCHES ? Optional.empty() : Optional.of(new RunIntervals(batches(perSecond)));
    }

    /** At most {@link #MOST_BATCHES}, and a few more. */
    static List<Distribution> batches(List<Distribution> perSecond) {
        int size = (perSecond.size() + MOST_BATCHES - 1) / MOST_BATCHES;
        List<Distribution> batches = new ArrayList<>();
        for (int i = 0; i + size <= perSecond.size(); i += size) {
            // what is left over at the end goes into the last batch
            int end = i + 2 * size > perSecond.size() ? perSecond.size() : i + size;
            batches.add(sum(perSecond.subList(i, end)));
        }
        return batches;
    }

    static Distribution sum(List<Distribution> parts) {
        if (parts.size() < 2) {
            return parts.isEmpty() ? Distribution.empty() : parts.get(0);
        }
        int half = parts.size() / 2;
        return sum(parts.subList(0, half)).plus(sum(parts.subList(half, parts.size())));
    }

    /** All times of the run. */
    public Distribution whole() {
        return whole;
    }

    /** How the batches scatter around a percentile. */
    private record Scatter(double inflation, double degreesOfFreedom) {
        /** What independent requests would have to be multiplied by, for as wide an interval. */
        double price(double halfError) {
            double t = StudentT.quantile(1 - halfError, degreesOfFreedom);
            double z = Normal.quantile(1 - halfError);
            return inflation * (t / z) * (t / z);
        }
    }

    /**
     * By how much more the share of requests below this percentile varies than it would if they did not depend on each
     * other; at least 1.
     *
     * @param percentile above 0, below 100
     */
    public double varianceInflation(double percentile) {
        return upTo(percentile).mapToDouble(Scatter::inflation).max().orElse(1);
    }

    /** Far out there are too few values to see that they come in clusters, so the greatest inflation before counts. */
    private Stream<Scatter> upTo(double percentile) {
        QuantileInterval.requireInside(percentile);
        return DoubleStream.concat(
                        DoubleStream.of(percentile), Arrays.stream(GUARDS).filter(guard -> guard < percentile))
                .mapToObj(this::scatter);
    }

    private Scatter scatter(double percentile) {
        double m = batches.size();
        long value = whole.valueAtPercentile(percentile);
        double total = whole.count();
        double share = 1 - whole.countAbove(value) / total;
        double squares = 0;
        double fourths = 0;
        for (Distribution batch : batches) {
            double excess = batch.count() - batch.countAbove(value) - share * batch.count();
            squares += excess * excess;
            fourths += excess * excess * excess * excess;
        }
        if (total == 0 || squares <= 0 || share >= 1) {
            return new Scatter(1, m - 1);
        }
        double variance = m / (m - 1) * squares / (total * total);
        double kurtosis = m * fourths / (squares * squares);
        return new Scatter(
                Math.max(1, variance * total / (share * (1 - share))),
                Math.max(LEAST_FREEDOM, Math.min(m - 1, 2 * m / Math.max(1e-9, kurtosis - 1))));
    }

    /** How many independent requests would tell as much about this percentile; at most as many as there are. */
    public double effectiveCount(double percentile) {
        return effectiveCount(percentile, HALF_ERROR);
    }

    private double effectiveCount(double percentile, double halfError) {
        return whole.count()
                / upTo(percentile)
                        .mapToDouble(scatter -> scatter.price(halfError))
                        .max()
                        .orElse(1);
    }

    /**
     * The interval of a percentile.
     *
     * @param percentile above 0, below 100
     */
    public QuantileInterval at(double percentile) {
        return at(percentile, QuantileInterval.CONFIDENCE);
    }

    /**
     * The interval of a percentile with a confidence of one's own, such as for one of several looks at the same run.
     *
     * @param percentile above 0, below 100
     * @param confidence from 0.5, below 1
     */
    public QuantileInterval at(double percentile, double confidence) {
        if (!(confidence >= 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("confidence must be from 0.5 and below 1, but was " + confidence);
        }
        double halfError = (1 - confidence) / 2;
        double n = effectiveCount(percentile, halfError);
        double p = percentile / 100;
        OptionalLong low = OptionalLong.empty();
        OptionalLong high = OptionalLong.empty();
        if (whole.count() > 0) {
            double lowShare = Beta.quantile(halfError, p * n, n - p * n + 1);
            double highShare = Beta.quantile(1 - halfError, p * n + 1, n - p * n);
            low = Math.pow(1 - p, n) > halfError
                    ? low
                    : OptionalLong.of(QuantileInterval.lowestAt(whole, rank(lowShare)));
            // as in the interval of independent values: so many would have to be below the percentile by chance
            high = Math.pow(p, n) > halfError ? high : OptionalLong.of(whole.valueAtRank(rank(highShare)));
        }
        return new QuantileInterval(percentile, whole.valueAtPercentile(percentile), low, high, n);
    }

    private long rank(double share) {
        return Math.max(1, (long) Math.ceil(share * whole.count()));
    }

    /**
     * How many requests of this kind are needed before the interval of a percentile has an upper end.
     *
     * @param percentile above 0, below 100
     */
    public long needed(double percentile) {
        double perIndependent = whole.count() / effectiveCount(percentile);
        return (long) Math.ceil(perIndependent * QuantileInterval.independentNeeded(percentile));
    }
}
