package dev.downbeat.stats;

/** The standard normal distribution. */
public final class Normal {
    private static final double ROOT_2_PI = Math.sqrt(2 * Math.PI);

    /** Above this value, the continued fraction of the tail is faster than the series and loses no digits. */
    private static final double TAIL = 3;

    private Normal() {}

    static double density(double x) {
        return Math.exp(-0.5 * x * x) / ROOT_2_PI;
    }

    /**
     * The probability of a value above x, accurate even where it is tiny.
     *
     * @see <a href="https://doi.org/10.18637/jss.v011.i04">Marsaglia: Evaluating the normal distribution, J. Stat.
     *     Softw. 11, 2004</a>
     */
    static double upperTail(double x) {
        if (x < -TAIL) {
            return 1 - upperTail(-x);
        }
        if (x < TAIL) {
            return 0.5 - density(x) * oddSeries(x);
        }
        double fraction = x;
        for (int k = 120; k >= 1; k--) {
            fraction = x + k / fraction;
        }
        return density(x) / fraction;
    }

    /** x + x^3/3 + x^5/(3*5) + ... */
    private static double oddSeries(double x) {
        double term = x;
        double sum = x;
        for (int k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
            term *= x * x / k;
            sum += term;
        }
        return sum;
    }

    /**
     * The quantile function, by bisection, since it is called only a few times per run.
     *
     * @param p above 0, below 1
     */
    public static double quantile(double p) {
        if (!(p > 0 && p < 1)) {
            throw new IllegalArgumentException("p must be above 0 and below 1, but was " + p);
        }
        double tail = Math.min(p, 1 - p);
        double low = 0;
        double high = 40;
        for (int i = 0; i < 64; i++) {
            double middle = (low + high) / 2;
            if (upperTail(middle) > tail) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return p < 0.5 ? -low : low;
    }
}
