package dev.downbeat.arrival;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A rate as a count per period. Both are integers, since most rates (3/s) have no exact gap in nanoseconds. Equality
 * compares both numbers: 1/s and 60/m are different values.
 *
 * @param count arrivals per period; 0 is a pause
 * @param periodNanos the period in nanoseconds, at least 1
 */
public record Rate(long count, long periodNanos) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /**
     * Validates both numbers.
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
     * @param count arrivals per second, at least 0
     * @return the rate
     */
    public static Rate perSecond(long count) {
        return new Rate(count, SECOND);
    }

    /**
     * The rate for display. Schedules are computed from {@link #count} and {@link #periodNanos}, never from this value.
     *
     * @return arrivals per second, rounded to a double
     */
    public double perSecond() {
        return (double) count * SECOND / periodNanos;
    }

    boolean isZero() {
        return count == 0;
    }

    /**
     * The rate in readable form, {@code 7,279.34/s}. For an unusual period it is converted to a rate per second, if
     * that is at least 1.
     */
    String words() {
        boolean isOdd = periodNanos != SECOND && periodNanos != MINUTE && periodNanos != HOUR;
        return isOdd && perSecond() >= 1
                ? String.format(Locale.ROOT, "%,.2f", perSecond()).replaceAll("\\.?0+$", "") + "/s"
                : toString();
    }

    /** The rate for readers: {@code 2,000/s}, {@code 30/m}, {@code 50/100 ms}. */
    @Override
    public String toString() {
        String period = periodNanos == SECOND
                ? "s"
                : periodNanos == MINUTE ? "m" : periodNanos == HOUR ? "h" : period(periodNanos);
        return String.format(Locale.ROOT, "%,d/%s", count, period);
    }

    /** A duration in command-line syntax: {@code 1m30s}, {@code 100 ms}. */
    static String period(long nanos) {
        if (nanos == 0 || nanos % SECOND != 0) {
            return belowSeconds(nanos);
        }
        long seconds = nanos / SECOND;
        StringBuilder text = new StringBuilder();
        append(text, seconds / 3600, "h");
        append(text, seconds / 60 % 60, "m");
        append(text, seconds % 60, "s");
        return text.toString();
    }

    private static String belowSeconds(long nanos) {
        if (nanos % 1_000_000 == 0) {
            return nanos / 1_000_000 + " ms";
        }
        return nanos % 1_000 == 0 ? nanos / 1_000 + " us" : nanos + " ns";
    }

    private static void append(StringBuilder text, long value, String unit) {
        if (value != 0) {
            text.append(value).append(unit);
        }
    }
}
