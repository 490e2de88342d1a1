package dev.downbeat.stats;

import java.util.Optional;

/**
 * Whether the response time grows under a constant load, and the capacity that follows. Below its capacity, a service's
 * response time has no trend. Above it, each second of load adds b seconds of queueing, and the capacity is the rate
 * divided by 1 + b. Immutable.
 *
 * <p>The slope is the mean of the increments between stretches. A queue above its capacity is a random walk, whose
 * increments are independent while its lengths are not.
 *
 * @param slope seconds of response time per second of intended time
 * @param lowSlope lower end of its 95 % interval
 * @param highSlope upper end of its 95 % interval
 */
public record Growth(double slope, double lowSlope, double highSlope) {
    private static final int STRETCHES = 16;

    /** The least number of values. */
    public static final int LEAST = 8;

    /**
     * An estimated capacity.
     *
     * @param perSecond requests per second
     * @param lowPerSecond lower end of the 95 % interval
     * @param highPerSecond upper end of the 95 % interval
     */
    public record CapacityEstimate(double perSecond, double lowPerSecond, double highPerSecond) {}

    /**
     * Estimates the growth in a run.
     *
     * @param nanos response times in stretches of equal length by intended time, such as the median of each second; at
     *     least {@link #LEAST}, without the start of the run
     * @param stretchNanos length of each stretch, above 0
     */
    public static Growth of(long[] nanos, long stretchNanos) {
        if (nanos.length < LEAST || stretchNanos < 1) {
            throw new IllegalArgumentException("there must be at least " + LEAST + " values of stretches longer than 0,"
                    + " but there were " + nanos.length + " of " + stretchNanos);
        }
        int size = Math.max(1, (nanos.length - 1) / STRETCHES);
        double[] rises = new double[(nanos.length - 1) / size];
        for (int i = 0; i < rises.length; i++) {
            rises[i] = (double) (nanos[(i + 1) * size] - nanos[i * size]) / ((double) size * stretchNanos);
        }
        double mean = Series.mean(rises);
        double error = Math.sqrt(Series.squares(rises) / (rises.length - 1) / rises.length)
                * StudentT.quantile(0.975, rises.length - 1.0);
        return new Growth(mean, mean - error, mean + error);
    }

    /**
     * Estimates the growth in a run whose requests are only known by their end. In a growing queue, requests were
     * intended earlier than they are answered by the length of the queue. A rise of c per second of answering is
     * therefore c / (1 - c) per second of intended time.
     *
     * @param nanos response times in stretches of equal length by the time of the answer; at least {@link #LEAST},
     *     without the start of the run and the drain
     * @param stretchNanos length of each stretch, above 0
     */
    public static Growth ofAnswers(long[] nanos, long stretchNanos) {
        Growth byAnswers = of(nanos, stretchNanos);
        return new Growth(
                perIntendedSecond(byAnswers.slope),
                perIntendedSecond(byAnswers.lowSlope),
                perIntendedSecond(byAnswers.highSlope));
    }

    private static double perIntendedSecond(double slope) {
        return slope < 1 ? slope / (1 - slope) : Double.POSITIVE_INFINITY;
    }

    /** Whether the response time certainly grows. */
    public boolean grows() {
        return lowSlope > 0;
    }

    /**
     * The capacity of the service, if the load exceeded it.
     *
     * @param perSecond planned requests per second
     * @return empty if the response time does not certainly grow, or next to nothing was answered
     */
    public Optional<CapacityEstimate> capacity(double perSecond) {
        return grows() && !Double.isInfinite(slope)
                ? Optional.of(new CapacityEstimate(
                        perSecond / (1 + slope), perSecond / (1 + highSlope), perSecond / (1 + lowSlope)))
                : Optional.empty();
    }
}
