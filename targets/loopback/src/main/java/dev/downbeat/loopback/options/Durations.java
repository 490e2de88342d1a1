package dev.downbeat.loopback.options;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in user syntax: a number and its unit, such as {@code 2ms}. */
public final class Durations {
    /** The maximum duration, so that sums of a few cannot overflow a {@code long}. */
    static final long LONGEST_NANOS = 24 * 3600 * 1_000_000_000L;

    private static final Pattern GRAMMAR = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)");

    private Durations() {}

    /**
     * Parses a duration.
     *
     * @param thing name of the quantity, for the message
     * @throws IllegalArgumentException if the unit is missing or unknown, the value is negative, above 24 h, or not a
     *     whole number of nanoseconds
     */
    public static long parse(String thing, String text) {
        Matcher parts = GRAMMAR.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    thing + " must be a number with a unit (ns, us, ms, s, m, h) such as 2ms, but was " + quoted(text));
        }
        BigDecimal nanos = new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unitNanos(parts.group(2))));
        if (nanos.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException(
                    thing + " must be a whole number of nanoseconds, but was " + quoted(text));
        }
        if (nanos.compareTo(BigDecimal.valueOf(LONGEST_NANOS)) > 0) {
            throw new IllegalArgumentException(thing + " must be at most 24h, but was " + quoted(text));
        }
        return nanos.longValueExact();
    }

    /** The duration in the largest unit that gives a whole number, so that {@link #parse} returns the same value. */
    static String format(long nanos) {
        if (nanos == 0) {
            return "0ms";
        }
        String best = "ns";
        for (String unit : new String[] {"us", "ms", "s", "m", "h"}) {
            if (nanos % unitNanos(unit) == 0) {
                best = unit;
            }
        }
        return nanos / unitNanos(best) + best;
    }

    /** Rejects a duration outside {@code lowest} to 24 h. */
    static void check(String thing, long nanos, long lowest) {
        if (nanos < lowest || nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(
                    thing + " must be from " + format(lowest) + " to 24h, but was " + nanos + "ns");
        }
    }

    public static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60 * 1_000_000_000L;
            default -> 3600 * 1_000_000_000L;
        };
    }
}
