package dev.downbeat.stats;

import java.util.Arrays;

/**
 * What kind of load some arrivals were, as they were and not as they were meant. Immutable.
 *
 * @param count how many arrivals there were
 * @param perSecond their rate
 * @param variation standard deviation of the gaps divided by their mean: 0 for a constant rate, 1 for Poisson
 * @param dispersion variance of the number of arrivals in windows of 1, 10 and 100 ms, divided by its mean: 1 for Poisson
 *     in each; NaN for a window that is too long for so short a record
 * @param burst share of the gaps that are shorter than a tenth of the mean: about 0.095 for Poisson
 * @param andersonDarling distance of the gaps from the exponential law, the tails weighted, over at most 5,000 gaps
 * @param kolmogorov greatest distance of the gaps from the exponential law, from 0 to 1: how large the difference is
 */
public record Arrivals(
        long count,
        double perSecond,
        double variation,
        Dispersion dispersion,
        double burst,
        double andersonDarling,
        double kolmogorov) {
    /** With fewer arrivals nothing can be told. */
    public static final int LEAST = 100;

    /** What the arrivals look like. */
    public enum Kind {
        /** Gaps of the same length. */
        CONSTANT,
        /** Nothing speaks against a Poisson process. */
        POISSON,
        /** Several at once, then none. */
        BURSTY,
        /** None of these. */
        OTHER
    }

    /**
     * Variance to mean of the counts in windows.
     *
     * @param ms1 of 1 ms
     * @param ms10 of 10 ms
     * @param ms100 of 100 ms
     */
    public record Dispersion(double ms1, double ms10, double ms100) {}

    private static final int MOST_GAPS = 5_000;
    private static final int LEAST_WINDOWS = 20;

    /** Of Anderson and Darling's statistic for an exponential law with estimated mean, at 1 %. */
    private static final double ANDERSON_DARLING = 1.96;

    /** A difference this small does not matter, however sure it is. */
    private static final double KOLMOGOROV = 0.05;

    /**
     * Looks at a record of arrivals.
     *
     * @param nanos instants, ascending, at least {@link #LEAST}
     */
    public static Arrivals of(long[] nanos) {
        if (nanos.length < LEAST) {
            throw new IllegalArgumentException(
                    "there must be at least " + LEAST + " arrivals, but there were " + nanos.length);
        }
        double[] gaps = new double[nanos.length - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = nanos[i + 1] - nanos[i];
            if (gaps[i] < 0) {
                throw new IllegalArgumentException("arrivals must ascend, but number " + (i + 2) + " does not");
            }
        }
        double mean = Math.max(Series.mean(gaps), 1e-9);
        double[] uniform = uniform(gaps, mean);
        return new Arrivals(
                nanos.length,
                1e9 / mean,
                Math.sqrt(Series.squares(gaps) / (gaps.length - 1)) / mean,
                new Dispersion(
                        dispersion(nanos, 1_000_000), dispersion(nanos, 10_000_000), dispersion(nanos, 100_000_000)),
                (double) Arrays.stream(gaps).filter(gap -> gap < mean / 10).count() / gaps.length,
                andersonDarling(uniform),
                kolmogorov(uniform));
    }

    /** The kind that fits best. */
    public Kind kind() {
        if (variation < 0.1) {
            return Kind.CONSTANT;
        }
        boolean scattered = andersonDarling <= ANDERSON_DARLING || kolmogorov <= KOLMOGOROV;
        boolean even = isAtMost(dispersion.ms1) && isAtMost(dispersion.ms10) && isAtMost(dispersion.ms100);
        if (scattered && even) {
            return Kind.POISSON;
        }
        return variation > 1.2 || burst > 0.2 || !even ? Kind.BURSTY : Kind.OTHER;
    }

    private static boolean isAtMost(double dispersion) {
        return Double.isNaN(dispersion) || dispersion < 2;
    }

    /** What the gaps would be if their law were exponential: uniform. Thinned evenly, if there are many. */
    private static double[] uniform(double[] gaps, double mean) {
        int step = (gaps.length + MOST_GAPS - 1) / MOST_GAPS;
        double[] uniform = new double[gaps.length / step];
        for (int i = 0; i < uniform.length; i++) {
            uniform[i] = -Math.expm1(-gaps[i * step] / mean);
        }
        Arrays.sort(uniform);
        return uniform;
    }

    /**
     * The statistic with the correction for an estimated mean.
     *
     * @see <a href="https://doi.org/10.1080/01621459.1974.10480196">Stephens: EDF statistics for goodness of fit and some
     *     comparisons, J. Am. Stat. Assoc. 69, 1974</a>
     */
    private static double andersonDarling(double[] sorted) {
        int n = sorted.length;
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double low = Math.max(1e-12, sorted[i]);
            double high = Math.max(1e-12, 1 - sorted[n - 1 - i]);
            sum += (2 * i + 1) * (Math.log(low) + Math.log(high));
        }
        return (-n - sum / n) * (1 + 0.6 / n);
    }

    private static double kolmogorov(double[] sorted) {
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            distance = Math.max(distance, sorted[i] - (double) i / sorted.length);
            distance = Math.max(distance, (i + 1.0) / sorted.length - sorted[i]);
        }
        return distance;
    }

    private static double dispersion(long[] nanos, long windowNanos) {
        long windows = (nanos[nanos.length - 1] - nanos[0]) / windowNanos;
        if (windows < LEAST_WINDOWS) {
            return Double.NaN;
        }
        double sum = 0;
        double squares = 0;
        int next = 0;
        for (long window = 0; window < windows; ) {
            long begin = nanos[0] + window * windowNanos;
            int first = next;
            while (nanos[next] < begin + windowNanos) {
                next++;
            }
            double count = next - first;
            sum += count;
            squares += count * count;
            // empty windows add nothing
            window = Math.max(window + 1, (nanos[next] - nanos[0]) / windowNanos);
        }
        double mean = sum / windows;
        return (squares / windows - mean * mean) / mean;
    }
}
