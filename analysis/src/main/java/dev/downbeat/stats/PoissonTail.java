package dev.downbeat.stats;

/** The upper tail of the Poisson distribution: how often independent events come together by chance. */
public final class PoissonTail {
    private static final double SMALLEST_LOG = -745;

    private PoissonTail() {}

    /** The probability of at least {@code count} events; taken as 1 up to the mean. */
    public static double atLeast(long count, double mean) {
        if (count <= mean) {
            return 1;
        }
        double log = -mean;
        for (long i = 0; i < count; i++) {
            log += Math.log(mean / (i + 1));
            if (i > mean && log < SMALLEST_LOG) {
                return 0;
            }
        }
        double term = Math.exp(log);
        double sum = 0;
        for (long i = count; term > 1e-18 && i < count + 1_000; i++) {
            sum += term;
            term *= mean / (i + 1);
        }
        return Math.min(1, sum);
    }
}
