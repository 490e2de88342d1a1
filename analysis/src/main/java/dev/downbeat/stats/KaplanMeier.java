package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.OptionalLong;

/**
 * The distribution of durations, estimated with requests whose end was not seen. Each of these is known to take longer
 * than its age when it was last seen. Immutable.
 *
 * <p>The estimate assumes that censoring is independent of the duration. That holds if the run simply ended, but not if
 * the service stalled at that moment. In that case only the bounds hold: each age taken as the duration, or as
 * infinite.
 *
 * @see <a href="https://doi.org/10.1080/01621459.1958.10501452">Kaplan, Meier: Nonparametric estimation from incomplete
 *     observations, J. Am. Stat. Assoc. 53, 1958</a>
 */
public final class KaplanMeier {
    /** Ascending; only values at which a request ended. */
    private final long[] values;

    /** Share of the requests that take longer than the value. */
    private final double[] survival;

    private KaplanMeier(long[] values, double[] survival) {
        this.values = values;
        this.survival = survival;
    }

    /**
     * Estimates the distribution.
     *
     * @param ended durations of requests that ended
     * @param censored ages of the other requests
     */
    public static KaplanMeier of(Distribution ended, Distribution censored) {
        Counts deaths = Counts.of(ended);
        Counts losses = Counts.of(censored);
        int size = deaths.values().length;
        double[] survival = new double[size];
        double atRisk = ended.count() + censored.count();
        double left = 1;
        int lost = 0;
        for (int i = 0; i < size; i++) {
            // a request censored at the very moment of an end was still in flight
            while (lost < losses.values().length && losses.values()[lost] < deaths.values()[i]) {
                atRisk -= losses.counts()[lost++];
            }
            double died = deaths.counts()[i];
            left *= 1 - died / atRisk;
            survival[i] = left;
            atRisk -= died;
        }
        return new KaplanMeier(deaths.values(), survival);
    }

    /**
     * The duration that a share of all requests does not exceed.
     *
     * @param percentile above 0, below 100
     * @return empty if too many requests were censored, so that only a lower bound is known
     */
    public OptionalLong valueAtPercentile(double percentile) {
        QuantileInterval.requireInside(percentile);
        double left = 1 - percentile / 100;
        for (int i = 0; i < values.length; i++) {
            // tolerance of one part in 10^12 for rounding errors of the product
            if (survival[i] <= left * (1 + 1e-12) + 1e-15) {
                return OptionalLong.of(values[i]);
            }
        }
        return OptionalLong.empty();
    }
}
