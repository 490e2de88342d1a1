package dev.downbeat.stats.position;

/**
 * The probability of a high mean of ranks, for uniform ranks from 0 to 1.
 *
 * @see <a href="https://doi.org/10.1214/aoms/1177705674">Bahadur, Rao: On deviations of the sample mean, Ann. Math.
 *     Stat. 31, 1960</a>
 */
public final class MeanOfUniforms {
    private MeanOfUniforms() {}

    /**
     * The natural logarithm of the probability that {@code count} independent uniform values have a mean of at least
     * {@code mean}: Chernoff's bound with its correction factor.
     */
    public static double logTail(long count, double mean) {
        if (mean <= 0.5) {
            return 0;
        }
        double x = Math.min(mean, 1 - 1e-9);
        double t = tilt(x);
        double factor = t * Math.sqrt(2 * Math.PI * count * tiltedVariance(t));
        return -count * (t * x - logMoment(t)) - Math.log(Math.max(1, factor));
    }

    /** The t for which the uniform distribution, weighted by exp(t x), has this mean. */
    private static double tilt(double mean) {
        double low = 0;
        double high = 2 / (1 - mean);
        for (int i = 0; i < 50; i++) {
            double t = (low + high) / 2;
            double tilted = t < 1e-4 ? 0.5 + t / 12 : -1 / Math.expm1(-t) - 1 / t;
            if (tilted < mean) {
                low = t;
            } else {
                high = t;
            }
        }
        return (low + high) / 2;
    }

    private static double tiltedVariance(double t) {
        double half = Math.sinh(Math.min(t, 300) / 2);
        return t < 1e-3 ? 1 / 12.0 : 1 / (t * t) - 1 / (4 * half * half);
    }

    /** The logarithm of (exp(t) - 1) / t. */
    private static double logMoment(double t) {
        return t < 1e-4 ? t / 2 : t + Math.log(-Math.expm1(-t) / t);
    }
}
