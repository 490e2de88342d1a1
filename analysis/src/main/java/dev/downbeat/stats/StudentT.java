package dev.downbeat.stats;

/** Student's t distribution, as a transformed {@link Beta} distribution. */
public final class StudentT {
    private StudentT() {}

    /**
     * The quantile function.
     *
     * @param p from 0.5, below 1
     * @param degreesOfFreedom above 0
     */
    public static double quantile(double p, double degreesOfFreedom) {
        if (!(p >= 0.5 && p < 1)) {
            throw new IllegalArgumentException("p must be from 0.5 and below 1, but was " + p);
        }
        double x = Beta.quantile(2 * (1 - p), degreesOfFreedom / 2, 0.5);
        return Math.sqrt(degreesOfFreedom * (1 - x) / x);
    }

    /**
     * The probability of a value above t.
     *
     * @param t 0 or more
     * @param degreesOfFreedom above 0
     */
    public static double upperTail(double t, double degreesOfFreedom) {
        return Beta.cdf(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2;
    }
}
