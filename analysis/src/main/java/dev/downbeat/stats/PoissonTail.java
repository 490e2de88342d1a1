package dev.downbeat.stats;

/** The upper tail of the Poisson distribution: how often independent events come together by chance. */
public final class PoissonTail {
    private static final double NEGLIGIBLE = 1e-18;

    private PoissonTail() {}

    /** The probability of at least {@code count} events; taken as 1 up to the mean. */
    public static double atLeast(long count, double mean) {
        if (count <= mean) {
            return 1;
        }
        double term = Math.exp(count * Math.log(mean) - mean - Beta.logGamma(count + 1.0));
        double sum = 0;
        for (long i = count; term > NEGLIGIBLE; i++) {
            sum += term;
            term *= mean / (i + 1);
        }
        return Math.min(1, sum);
    }
}
