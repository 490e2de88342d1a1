package dev.downbeat.stats;

/**
 * The beta distribution, and with it the binomial and Student's t distributions.
 *
 * @see <a href="https://dlmf.nist.gov/8.17">NIST Digital Library of Mathematical Functions, 8.17</a>
 */
public final class Beta {
    private static final double TINY = 1e-300;

    /** The relative error of the probability at which one more step suffices. */
    private static final double NEAR = 1e-8;

    /** Coefficients of 1/x, 1/x^3, ... in Stirling's series. */
    private static final double[] STIRLING = {
        1 / 12.0, -1 / 360.0, 1 / 1260.0, -1 / 1680.0, 1 / 1188.0, -691 / 360_360.0, 1 / 156.0
    };

    private Beta() {}

    /** The logarithm of the gamma function for x above 0, by Stirling's series (5.11.1) from 10 on. */
    static double logGamma(double x) {
        double product = 1;
        double y = x;
        while (y < 10) {
            product *= y++;
        }
        double series = 0;
        for (int i = STIRLING.length - 1; i >= 0; i--) {
            series = series / (y * y) + STIRLING[i];
        }
        return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series / y - Math.log(product);
    }

    /**
     * The cumulative distribution function of the beta distribution: the regularised incomplete beta function.
     *
     * @param x from 0 to 1
     * @param a above 0
     * @param b above 0
     */
    static double cdf(double x, double a, double b) {
        if (!(a > 0 && b > 0)) {
            throw new IllegalArgumentException("a and b must be above 0, but were " + a + " and " + b);
        }
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        return cdf(x, a, b, logNorm(a, b));
    }

    private static double logNorm(double a, double b) {
        return logGamma(a + b) - logGamma(a) - logGamma(b);
    }

    private static double cdf(double x, double a, double b, double logNorm) {
        double front = Math.exp(logNorm + a * Math.log(x) + b * Math.log1p(-x));
        // the fraction converges quickly only on this side of the mean
        return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
    }

    /** The continued fraction 8.17.22, by Lentz's method as modified by Thompson and Barnett 1986. */
    private static double fraction(double x, double a, double b) {
        double c = 1;
        double d = 1 / awayFromZero(1 - (a + b) * x / (a + 1));
        double h = d;
        for (int m = 1; m <= 20_000; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / awayFromZero(1 + even * d);
            c = awayFromZero(1 + even / c);
            h *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / awayFromZero(1 + odd * d);
            c = awayFromZero(1 + odd / c);
            h *= d * c;
            if (Math.abs(d * c - 1) < 1e-15) {
                break;
            }
        }
        return h;
    }

    private static double awayFromZero(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /**
     * The quantile function. Newton's method from the mean, with bisection where a step leaves the bracket or hardly
     * converges.
     *
     * @param p from 0 to 1
     */
    static double quantile(double p, double a, double b) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException("p must be from 0 to 1, but was " + p);
        }
        if (p == 0 || p == 1) {
            return p;
        }
        double logNorm = logNorm(a, b);
        double low = 0;
        double high = 1;
        double x = a / (a + b);
        double missedBefore = Double.MAX_VALUE;
        while (high - low > Math.ulp(high) * 2 && high > TINY) {
            double missed = cdf(x, a, b, logNorm) - p;
            if (missed < 0) {
                low = x;
            } else {
                high = x;
            }
            double density = Math.exp(logNorm + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
            double next = x - missed / density;
            if (Math.abs(missed) <= NEAR * Math.min(p, 1 - p)) {
                return missed == 0 ? x : Math.max(0, Math.min(1, next)); // each step doubles the correct digits
            }
            boolean isNearer = Math.abs(missed) < missedBefore / 2;
            missedBefore = Math.abs(missed);
            x = isNearer && next > low && next < high ? next : (low + high) / 2;
        }
        return (low + high) / 2;
    }

    /** The probability of at most k successes in n trials that succeed with probability p. */
    public static double binomialCdf(long k, long n, double p) {
        return k < 0 ? 0 : k >= n ? 1 : cdf(1 - p, (double) (n - k), (double) (k + 1));
    }
}
