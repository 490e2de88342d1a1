package dev.downbeat.time;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stall of a service, once or periodic: no work is done, and arrivals wait. Pure arithmetic, immutable.
 *
 * @param startNanos start of the first stall, from the start of the run or the first request, at least 0
 * @param lengthNanos length of each stall, at least 1
 * @param periodNanos from start to start, more than the length; 0 if it does not recur
 */
public record Stall(long startNanos, long lengthNanos, long periodNanos) {
    private static final Pattern ONCE = Pattern.compile("([^@ ]+)@([^@ ]+)");
    private static final Pattern EVERY = Pattern.compile("every +([^ ]+) +for +([^ ]+)");

    public Stall {
        if (startNanos < 0 || lengthNanos < 1 || periodNanos < 0) {
            throw new IllegalArgumentException("a stall must last at least 1 ns and start at 0 or later, but lasts "
                    + lengthNanos + " ns and starts at " + startNanos + " ns");
        }
        if (periodNanos > 0 && periodNanos <= lengthNanos) {
            throw new IllegalArgumentException("a stall must be shorter than its period, but lasts "
                    + DurationText.format(lengthNanos) + " every " + DurationText.format(periodNanos));
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
        long period = every.matches() ? DurationText.parseNanos(every.group(1)) : 0;
        if (period > 0) {
            return new Stall(period, DurationText.parseNanos(every.group(2)), period);
        }
        throw new IllegalArgumentException(
                "a stall is like 1s@5s (length, start) or 'every 10s for 200ms', but was '" + text + "'");
    }

    /** The stall in the syntax of {@link #parse}. */
    public String describe() {
        String length = DurationText.word(lengthNanos);
        return periodNanos == 0
                ? length + "@" + DurationText.word(startNanos)
                : "every " + DurationText.word(periodNanos) + " for " + length;
    }

    private double share() {
        return periodNanos == 0 ? 0 : (double) lengthNanos / periodNanos;
    }

    /** The end of the stall that covers a time, or the time itself. A stall includes its start but not its end. */
    private long resumeNanos(long nanos) {
        long start = startNanos;
        if (periodNanos > 0 && nanos > startNanos) {
            start += (nanos - startNanos) / periodNanos * periodNanos;
        }
        return nanos >= start && nanos < start + lengthNanos ? start + lengthNanos : nanos;
    }

    /** The first start after the time; {@link Long#MAX_VALUE} if there is none. */
    public long startAfter(long nanos) {
        if (nanos < startNanos) {
            return startNanos;
        }
        return periodNanos == 0 ? Long.MAX_VALUE : startNanos + ((nanos - startNanos) / periodNanos + 1) * periodNanos;
    }

    /** A copy of a list of stalls, which may overlap but, if periodic, must leave time between them. */
    public static List<Stall> checked(List<Stall> stalls) {
        double stalled = share(stalls);
        if (stalled >= 1) {
            throw new IllegalArgumentException(
                    "periodic stalls must leave time between them, but take " + Math.round(100 * stalled) + " %");
        }
        return List.copyOf(stalls);
    }

    /** The long-run share of time spent in stalls. */
    public static double share(List<Stall> stalls) {
        return stalls.stream().mapToDouble(Stall::share).sum();
    }

    /** The end of the stalls that cover a time, or the time itself. Adjoining stalls count as one. */
    public static long resumeNanos(List<Stall> stalls, long nanos) {
        long at = nanos;
        long before;
        do {
            before = at;
            for (Stall stall : stalls) {
                at = stall.resumeNanos(at);
            }
        } while (at != before);
        return at;
    }
}
