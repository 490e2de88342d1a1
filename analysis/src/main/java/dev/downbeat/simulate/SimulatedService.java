package dev.downbeat.simulate;

import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A simulated service: servers that share one first-come, first-served queue. Immutable.
 *
 * @param law distribution of service times
 * @param servers number of servers, at least 1
 * @param queueLimit longest queue, at least 0; further requests are refused
 * @param stalls times at which all servers stall
 * @param dropsAbandoned whether abandoned requests are dropped when their turn comes, rather than served
 */
public record SimulatedService(
        ServiceLaw law, int servers, int queueLimit, List<Stall> stalls, boolean dropsAbandoned) {
    /** Checks the ranges, and that the stalls do not cover all time. */
    public SimulatedService {
        Objects.requireNonNull(law, "law");
        stalls = List.copyOf(stalls);
        if (servers < 1 || queueLimit < 0) {
            throw new IllegalArgumentException(
                    "servers must be at least 1 and queueLimit at least 0, but were " + servers + " and " + queueLimit);
        }
        double stalled = stalls.stream().mapToDouble(Stall::share).sum();
        if (stalled >= 1) {
            throw new IllegalArgumentException(
                    "stalls that come back must take less than all of the time, but took " + stalled + " of it");
        }
    }

    /** One server with an unbounded queue and no stalls. */
    public static SimulatedService of(ServiceLaw law) {
        return new SimulatedService(law, 1, Integer.MAX_VALUE, List.of(), false);
    }

    /** The same service with another number of servers. */
    public SimulatedService servers(int count) {
        return new SimulatedService(law, count, queueLimit, stalls, dropsAbandoned);
    }

    /** The same service with one more stall. */
    public SimulatedService stall(Stall stall) {
        List<Stall> more = new ArrayList<>(stalls);
        more.add(stall);
        return new SimulatedService(law, servers, queueLimit, more, dropsAbandoned);
    }

    /** In one line: {@code a simulated service: 1 server, exp:100us (10,000/s at most)}. */
    public String describe() {
        StringBuilder text = new StringBuilder("a simulated service: ");
        text.append(String.format(Locale.ROOT, "%,d %s, ", servers, servers == 1 ? "server" : "servers"));
        text.append(law.describe());
        if (law.meanNanos() > 0 && Double.isFinite(law.meanNanos())) {
            text.append(String.format(Locale.ROOT, " (at most %,.0f/s)", perSecond()));
        }
        if (queueLimit < Integer.MAX_VALUE) {
            text.append(String.format(Locale.ROOT, ", at most %,d wait", queueLimit));
        }
        stalls.forEach(stall -> text.append(", stalls ").append(stall.describe()));
        return text.append(dropsAbandoned ? ", drops what nobody waits for" : "")
                .toString();
    }

    /** Capacity in requests per second, less recurring stalls; infinite if service takes no time. */
    public double perSecond() {
        double stalled = stalls.stream().mapToDouble(Stall::share).sum();
        return servers * 1e9 / law.meanNanos() * (1 - stalled);
    }

    /** When work of this length ends if it starts at this time; both in nanoseconds from the start of the run. */
    long endOfWork(long fromNanos, long workNanos) {
        if (stalls.isEmpty()) {
            return fromNanos + workNanos;
        }
        long at = resume(fromNanos);
        long left = workNanos;
        while (true) {
            long next = startAfter(at);
            if (left <= next - at) {
                return at + left;
            }
            left -= next - at;
            at = resume(next);
        }
    }

    private long resume(long nanos) {
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

    private long startAfter(long nanos) {
        long first = Long.MAX_VALUE;
        for (Stall stall : stalls) {
            first = Math.min(first, stall.startAfter(nanos));
        }
        return first;
    }

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
            String length = DurationText.word(lengthNanos);
            return periodNanos == 0
                    ? length + "@" + DurationText.word(startNanos)
                    : "every " + DurationText.word(periodNanos) + " for " + length;
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
            return periodNanos == 0
                    ? Long.MAX_VALUE
                    : startNanos + ((nanos - startNanos) / periodNanos + 1) * periodNanos;
        }
    }
}
