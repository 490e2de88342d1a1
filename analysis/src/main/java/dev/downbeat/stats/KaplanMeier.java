package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * How long requests took, estimated with those whose end was not seen: each of them says that it took longer than it had
 * lasted when it was last seen. Immutable.
 *
 * <p>It assumes that whether an end was seen has nothing to do with how long the request would have taken: true where a
 * run simply came to its end, false where the service stalled at that moment. In the second case only the bounds are
 * true, that is the percentiles with each age taken as a duration, and with each taken as infinite.
 *
 * @see <a href="https://doi.org/10.1080/01621459.1958.10501452">Kaplan, Meier: Nonparametric estimation from incomplete
 *     observations, J. Am. Stat. Assoc. 53, 1958</a>
 */
public final class KaplanMeier {
    /** Ascending; only values at which a request ended. */
    private final long[] values;

    /** Share of the requests that take longer than the value. */
    private final double[] survival;

    /** Greenwood's sum: the variance of the survival divided by its square. */
    private final double[] greenwood;

    private final long atLeastNanos;
    private final long count;

    private KaplanMeier(long[] values, double[] survival, double[] greenwood, Distribution all) {
        this.values = values;
        this.survival = survival;
        this.greenwood = greenwood;
        this.atLeastNanos = all.maxNanos();
        this.count = all.count();
    }

    /**
     * The estimate.
     *
     * @param ended durations of requests that ended
     * @param censored how long the others had lasted
     */
    public static KaplanMeier of(Distribution ended, Distribution censored) {
        Counts deaths = Counts.of(ended);
        Counts losses = Counts.of(censored);
        int size = deaths.values().length;
        double[] survival = new double[size];
        double[] greenwood = new double[size];
        double atRisk = ended.count() + censored.count();
        double left = 1;
        double sum = 0;
        int lost = 0;
        for (int i = 0; i < size; i++) {
            // who was lost sight of at the very moment of an end was still there
            while (lost < losses.values().length && losses.values()[lost] < deaths.values()[i]) {
                atRisk -= losses.counts()[lost++];
            }
            double died = deaths.counts()[i];
            left *= 1 - died / atRisk;
            sum += died / (atRisk * Math.max(1, atRisk - died));
            survival[i] = left;
            greenwood[i] = sum;
            atRisk -= died;
        }
        return new KaplanMeier(deaths.values(), survival, greenwood, ended.plus(censored));
    }

    /** The share of the requests that take longer than {@code nanos}. */
    public double survivalAt(long nanos) {
        int place = Arrays.binarySearch(values, nanos);
        int last = place >= 0 ? place : -place - 2;
        return last < 0 ? 1 : survival[last];
    }

    /** The longest that any request, ended or not, is known to have lasted; 0 if there are none. */
    public long atLeastNanos() {
        return atLeastNanos;
    }

    /**
     * The duration that a share of all requests do not exceed.
     *
     * @param percentile above 0, below 100
     * @return empty if so many ends were not seen that it is only known to be at least {@link #atLeastNanos}
     */
    public OptionalLong valueAtPercentile(double percentile) {
        QuantileInterval.requireInside(percentile);
        double left = 1 - percentile / 100;
        for (int i = 0; i < values.length; i++) {
            // one part in 10^12 for the rounding of the product
            if (survival[i] <= left * (1 + 1e-12) + 1e-15) {
                return OptionalLong.of(values[i]);
            }
        }
        return OptionalLong.empty();
    }

    /**
     * The 95 % interval of a percentile: all durations at which the survival, on the scale of log(-log S), is not too far
     * from the one asked for.
     *
     * @param percentile above 0, below 100
     * @param varianceInflation at least 1; 1 if the requests do not depend on each other, else what the correlation
     *     of the run makes of it
     * @see <a href="https://doi.org/10.2307/2530286">Brookmeyer, Crowley: A confidence interval for the median survival
     *     time, Biometrics 38, 1982</a>
     */
    public QuantileInterval at(double percentile, double varianceInflation) {
        QuantileInterval.requireInside(percentile);
        if (!(varianceInflation >= 1)) {
            throw new IllegalArgumentException("varianceInflation must be at least 1, but was " + varianceInflation);
        }
        double wanted = Math.log(-Math.log(1 - percentile / 100));
        double z = Normal.quantile(1 - (1 - QuantileInterval.CONFIDENCE) / 2);
        OptionalLong low = OptionalLong.empty();
        OptionalLong high = OptionalLong.empty();
        for (int i = 0; i < values.length; i++) {
            boolean decided = survival[i] > 0 && survival[i] < 1;
            double error = decided ? Math.sqrt(varianceInflation * greenwood[i]) / -Math.log(survival[i]) : 0;
            double distance = decided ? Math.log(-Math.log(survival[i])) - wanted : survival[i] <= 0 ? 1 : -1;
            if (low.isEmpty() && distance >= -z * error) {
                low = OptionalLong.of(values[i]);
            }
            if (high.isEmpty() && distance > z * error) {
                high = OptionalLong.of(values[i]);
            }
        }
        long value = valueAtPercentile(percentile).orElse(atLeastNanos);
        return new QuantileInterval(percentile, value, low, high, count / varianceInflation);
    }
}
