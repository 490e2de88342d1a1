package dev.downbeat.stats;

import java.util.Optional;

/**
 * Whether the response time grows while a load lasts, and what that says about the capacity. Below its capacity a service
 * has a response time without a trend. Above it, each second of load adds b seconds of queue, and the capacity is the rate
 * divided by 1 + b. Immutable.
 *
 * <p>The slope is the mean of the rises between stretches of the run, since a queue above its capacity is a random walk:
 * its rises do not depend on each other, while its lengths do.
 *
 * @param slope seconds of response time per second of intended time
 * @param lowSlope lower end of its 95 % interval
 * @param highSlope upper end of it
 */
public record Growth(double slope, double lowSlope, double highSlope) {
    private static final int STRETCHES = 16;

    /** With fewer values nothing can be told. */
    public static final int LEAST = 8;

    /**
     * A capacity.
     *
     * @param perSecond what the service can do
     * @param lowPerSecond lower end of the 95 % interval
     * @param highPerSecond upper end of it
     */
    public record Capacity(double perSecond, double lowPerSecond, double highPerSecond) {}

    /**
     * Looks at a run.
     *
     * @param nanos the response time in each of many stretches of equal length by intended time, such as the median of
     *     each second; at least {@link #LEAST}, without the start of the run
     * @param stretchNanos how long each stretch is, above 0
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
     * Looks at a run of which only is known when its requests ended. Who is answered at a moment of a growing queue came so
     * much earlier as the queue is long, so a rise of c by the second of answering is one of c / (1 - c) by that of the
     * intended time.
     *
     * @param nanos the response time in each of many stretches of equal length by the time of the answer; at least
     *     {@link #LEAST}, without the start of the run and without what came after it
     * @param stretchNanos how long each stretch is, above 0
     */
    public static Growth ofAnswers(long[] nanos, long stretchNanos) {
        Growth byAnswers = of(nanos, stretchNanos);
        return new Growth(
                byIntention(byAnswers.slope), byIntention(byAnswers.lowSlope), byIntention(byAnswers.highSlope));
    }

    private static double byIntention(double slope) {
        return slope < 1 ? slope / (1 - slope) : Double.POSITIVE_INFINITY;
    }

    /** Whether the response time surely grows. */
    public boolean grows() {
        return lowSlope > 0;
    }

    /** Whether it surely grows by less than {@code tolerance} seconds per second. */
    public boolean isFlat(double tolerance) {
        return highSlope < tolerance;
    }

    /**
     * The capacity of the service, if this was a load above it.
     *
     * @param perSecond the rate at which requests were meant to start
     * @return empty if the response time does not surely grow
     */
    public Optional<Capacity> capacity(double perSecond) {
        return grows()
                ? Optional.of(
                        new Capacity(perSecond / (1 + slope), perSecond / (1 + highSlope), perSecond / (1 + lowSlope)))
                : Optional.empty();
    }
}
