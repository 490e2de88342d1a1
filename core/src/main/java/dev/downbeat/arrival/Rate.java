package dev.downbeat.arrival;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * So many arrivals in so much time, as two whole numbers, since most rates (3/s) have no exact gap in nanoseconds. Equality
 * is by the two numbers: 1/s and 60/m are different values.
 *
 * @param count how many arrivals; 0 is a pause
 * @param periodNanos in how many nanoseconds, at least 1
 */
public record Rate(long count, long periodNanos) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /**
     * Checks the two numbers.
     *
     * @throws IllegalArgumentException if {@code count} is negative or {@code periodNanos} is below 1
     */
    public Rate {
        if (count < 0) {
            throw new IllegalArgumentException("count must be at least 0, but was " + count);
        }
        if (periodNanos < 1) {
            throw new IllegalArgumentException("periodNanos must be at least 1, but was " + periodNanos);
        }
    }

    /**
     * A rate per second.
     *
     * @param count how many arrivals, at least 0
     * @return the rate
     */
    public static Rate perSecond(long count) {
        return new Rate(count, SECOND);
    }

    /**
     * A rate per minute.
     *
     * @param count how many arrivals, at least 0
     * @return the rate
     */
    public static Rate perMinute(long count) {
        return new Rate(count, MINUTE);
    }

    /**
     * A rate per hour.
     *
     * @param count how many arrivals, at least 0
     * @return the rate
     */
    public static Rate perHour(long count) {
        return new Rate(count, HOUR);
    }

    /**
     * The rate as a number to show. Schedules are computed from {@link #count} and {@link #periodNanos}, never from this.
     *
     * @return arrivals per second, rounded to a double
     */
    public double perSecond() {
        return (double) count * SECOND / periodNanos;
    }

    boolean isZero() {
        return count == 0;
    }

    /** As a reader wants it, {@code 7,279.34/s}: of an odd period per second, if that is at least one. */
    String words() {
        boolean isOdd = periodNanos != SECOND && periodNanos != MINUTE && periodNanos != HOUR;
        return isOdd && perSecond() >= 1
                ? String.format(Locale.ROOT, "%,.2f", perSecond()).replaceAll("\\.?0+$", "") + "/s"
                : toString();
    }

    /** The rate as the command line reads it: {@code 2,000/s}, {@code 30/m}, {@code 50/100 ms}. */
    @Override
    public String toString() {
        String period = periodNanos == SECOND
                ? "s"
                : periodNanos == MINUTE ? "m" : periodNanos == HOUR ? "h" : PeriodText.of(periodNanos);
        return String.format(Locale.ROOT, "%,d/%s", count, period);
    }
}
