package dev.downbeat.loopback.options;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When the server stalls. Times are relative to the first request received, an origin that the client also knows. A
 * response due within a stall is sent at its end.
 *
 * <p>Pure arithmetic; immutable and thread-safe.
 *
 * @param stalls the stalls; they may overlap, but recurring ones must leave gaps: their fractions of the time must sum
 *     to less than 1
 */
public record StallPlan(List<Stall> stalls) {
    /** No stalls. */
    public static final StallPlan NONE = new StallPlan(List.of());

    private static final Pattern ONCE = Pattern.compile("([^@ ]+)@([^@ ]+)");
    private static final Pattern EVERY = Pattern.compile("every +([^ ]+) +for +([^ ]+)");

    public StallPlan {
        stalls = List.copyOf(stalls);
        double share = stalls.stream().mapToDouble(Stall::share).sum();
        if (share >= 1) {
            throw new IllegalArgumentException(
                    "recurring stalls must take less than 100% of the time together, but took " + share * 100 + "%");
        }
    }

    /** A stall pattern. */
    public sealed interface Stall {
        /**
         * The end of the stall at this time, or the time itself if there is none. A stall includes its start but not
         * its end.
         *
         * @param sinceFirstRequestNanos nanoseconds since the first request, at least 0
         */
        long endNanos(long sinceFirstRequestNanos);

        /** The long-term fraction of time in this stall, 0 to 1. */
        double share();

        /** The stall in the syntax of {@link StallPlan#parse}. */
        String describe();
    }

    /**
     * A single stall.
     *
     * @param lengthNanos its length, 1 ns to 24 h
     * @param atNanos its start, relative to the first request, 0 to 24 h
     */
    public record Once(long lengthNanos, long atNanos) implements Stall {
        public Once {
            Durations.check("stall length", lengthNanos, 1);
            Durations.check("stall start", atNanos, 0);
        }

        @Override
        public long endNanos(long sinceFirstRequestNanos) {
            long into = sinceFirstRequestNanos - atNanos;
            return into >= 0 && into < lengthNanos ? atNanos + lengthNanos : sinceFirstRequestNanos;
        }

        @Override
        public double share() {
            return 0;
        }

        @Override
        public String describe() {
            return Durations.format(lengthNanos) + "@" + Durations.format(atNanos);
        }
    }

    /**
     * A recurring stall. The first starts one period after the first request, the n-th after n periods.
     *
     * @param periodNanos from start to start, 1 ns to 24 h
     * @param lengthNanos length of each, at least 1 ns and less than the period
     */
    public record Every(long periodNanos, long lengthNanos) implements Stall {
        public Every {
            Durations.check("stall period", periodNanos, 1);
            Durations.check("stall length", lengthNanos, 1);
            if (lengthNanos >= periodNanos) {
                throw new IllegalArgumentException("stall length must be less than its period "
                        + Durations.format(periodNanos) + ", but was " + Durations.format(lengthNanos));
            }
        }

        @Override
        public long endNanos(long sinceFirstRequestNanos) {
            if (sinceFirstRequestNanos < periodNanos) {
                return sinceFirstRequestNanos;
            }
            long into = sinceFirstRequestNanos % periodNanos;
            return into < lengthNanos ? sinceFirstRequestNanos - into + lengthNanos : sinceFirstRequestNanos;
        }

        @Override
        public double share() {
            return (double) lengthNanos / periodNanos;
        }

        @Override
        public String describe() {
            return "every " + Durations.format(periodNanos) + " for " + Durations.format(lengthNanos);
        }
    }

    /** A plan with one stall. */
    public static StallPlan once(long lengthNanos, long atNanos) {
        return new StallPlan(List.of(new Once(lengthNanos, atNanos)));
    }

    /** A plan with a stall at each multiple of the period, starting after one period. */
    public static StallPlan every(long periodNanos, long lengthNanos) {
        return new StallPlan(List.of(new Every(periodNanos, lengthNanos)));
    }

    /**
     * Parses one stall: {@code 1s@5s} (length, start) or {@code every 10s for 200ms}.
     *
     * @throws IllegalArgumentException if the text has another form; the message names the accepted ones
     */
    public static StallPlan parse(String text) {
        Matcher once = ONCE.matcher(text.strip());
        if (once.matches()) {
            return once(Durations.parse("stall length", once.group(1)), Durations.parse("stall start", once.group(2)));
        }
        Matcher every = EVERY.matcher(text.strip());
        if (every.matches()) {
            return every(
                    Durations.parse("stall period", every.group(1)), Durations.parse("stall length", every.group(2)));
        }
        throw new IllegalArgumentException(
                "stall must be like 1s@5s or \"every 10s for 200ms\", but was " + Durations.quoted(text));
    }

    /** The combination of two plans. */
    public StallPlan and(StallPlan other) {
        List<Stall> both = new ArrayList<>(stalls);
        both.addAll(other.stalls);
        return new StallPlan(both);
    }

    /** Whether the server never stalls. */
    public boolean isEmpty() {
        return stalls.isEmpty();
    }

    /**
     * When a response due at the given time may be sent: that time, or the end of the stall that covers it. Adjoining
     * stalls count as one.
     *
     * @param sinceFirstRequestNanos nanoseconds since the first request, at least 0
     */
    public long resumeNanos(long sinceFirstRequestNanos) {
        long resume = sinceFirstRequestNanos;
        long before;
        do {
            before = resume;
            for (Stall stall : stalls) {
                resume = stall.endNanos(resume);
            }
        } while (resume != before);
        return resume;
    }
}
