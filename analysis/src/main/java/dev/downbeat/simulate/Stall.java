package dev.downbeat.simulate;

import dev.downbeat.time.DurationText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stall of all servers, once or periodic: no work is done, and arrivals wait. Immutable.
 *
 * @param startNanos start of the first stall, from the start of the run, at least 0
 * @param lengthNanos length of each stall, at least 1
 * @param periodNanos from start to start, more than the length; 0 if it does not recur
 */
public record Stall(long startNanos, long lengthNanos, long periodNanos) {
    private static final Pattern ONCE = Pattern.compile("([^@ ]+)@([^@ ]+)");
    private static final Pattern EVERY = Pattern.compile("every +([^ ]+) +for +([^ ]+)");

    public Stall {
        if (startNanos < 0 || lengthNanos < 1) {
            throw new IllegalArgumentException("startNanos must be at least 0 and lengthNanos at least 1, but were "
                    + startNanos + " and " + lengthNanos);
        }
        if (periodNanos != 0 && periodNanos <= lengthNanos) {
            throw new IllegalArgumentException(
                    "periodNanos must be 0 or above lengthNanos, " + lengthNanos + ", but was " + periodNanos);
        }
    }

    /**
     * Parses {@code 1s@5s} (length, start) or {@code every 10s for 200ms}, which starts after 10 s.
     *
     * @throws IllegalArgumentException with one line that states what is accepted
     */
    public static Stall parse(String text) {
        Matcher once = ONCE.matcher(text.strip());
        if (once.matches()) {
            return new Stall(DurationText.parseNanos(once.group(2)), DurationText.parseNanos(once.group(1)), 0);
        }
        Matcher every = EVERY.matcher(text.strip());
        if (every.matches()) {
            long period = DurationText.parseNanos(every.group(1));
            return new Stall(period, DurationText.parseNanos(every.group(2)), period);
        }
        throw new IllegalArgumentException(
                "a stall is like 1s@5s (length, start) or 'every 10s for 200ms', but was '" + text + "'");
    }

    /** The stall in the syntax of {@link #parse}. */
    public String describe() {
        String length = DurationText.format(lengthNanos).replace(" ", "");
        return periodNanos == 0
                ? length + "@" + DurationText.format(startNanos).replace(" ", "")
                : "every " + DurationText.format(periodNanos).replace(" ", "") + " for " + length;
    }

    /** The long-run share of time spent in stalls. */
    double share() {
        return periodNanos == 0 ? 0 : (double) lengthNanos / periodNanos;
    }

    /** The end of the stall that covers a time, or the time itself. A stall includes its start but not its end. */
    long resumeNanos(long nanos) {
        long start = startNanos;
        if (periodNanos > 0 && nanos > startNanos) {
            start += (nanos - startNanos) / periodNanos * periodNanos;
        }
        return nanos >= start && nanos < start + lengthNanos ? start + lengthNanos : nanos;
    }

    /** The first start after the time; {@link Long#MAX_VALUE} if there is none. */
    long startAfter(long nanos) {
        if (nanos < startNanos) {
            return startNanos;
        }
        return periodNanos == 0 ? Long.MAX_VALUE : startNanos + ((nanos - startNanos) / periodNanos + 1) * periodNanos;
    }
}
