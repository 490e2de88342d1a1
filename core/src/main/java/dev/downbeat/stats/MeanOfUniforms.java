package dev.downbeat.stats;

/**
 * How improbable is a high mean of ranks? For ranks from 0 to 1 that are alike.
 *
 * @see <a href="https://doi.org/10.1214/aoms/1177729330">Chernoff: A measure of asymptotic efficiency for tests of a
 *     hypothesis based on the sum of observations, Ann. Math. Stat. 23, 1952</a>
 */
final class MeanOfUniforms {
    private MeanOfUniforms() {}

    /**
     * A bound, never below the truth, of the natural logarithm of the probability that {@code count} independent uniform
     * values have a mean of at least {@code mean}.
     */
    static double logTailBound(long count, double mean) {
        if (mean <= 0.5) {
            return 0;
        }
        double t = tilt(Math.min(mean, 1 - 1e-9));
        return -count * (t * mean - logMoment(t));
    }

    /** The t at which the uniform law, weighted by exp(t x), has this mean. */
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

    /** The logarithm of (exp(t) - 1) / t. */
    private static double logMoment(double t) {
        return t < 1e-4 ? t / 2 : t + Math.log(-Math.expm1(-t) / t);
    }
}
