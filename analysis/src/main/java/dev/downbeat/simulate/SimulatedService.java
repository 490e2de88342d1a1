package dev.downbeat.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A service that exists on paper: some servers that share one queue, first come first served. Immutable.
 *
 * @param law how long a server works on a request
 * @param servers how many there are, at least 1
 * @param queueLimit so many requests may wait, at least 0; whoever comes then is refused
 * @param stalls when all servers stall
 * @param dropsAbandoned whether a request that nobody waits for any more is dropped when its turn comes, instead of being
 *     worked on in vain
 */
public record SimulatedService(
        ServiceLaw law, int servers, int queueLimit, List<Stall> stalls, boolean dropsAbandoned) {
    /** Checks the ranges, and that not all time is stalled. */
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

    /** One server with a queue without end that never stalls. */
    public static SimulatedService of(ServiceLaw law) {
        return new SimulatedService(law, 1, Integer.MAX_VALUE, List.of(), false);
    }

    /** The same with another number of servers. */
    public SimulatedService servers(int count) {
        return new SimulatedService(law, count, queueLimit, stalls, dropsAbandoned);
    }

    /** The same with one more stall. */
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

    /** How many requests it can answer in a second, stalls that come back taken off; infinite for a law of zero. */
    public double perSecond() {
        double stalled = stalls.stream().mapToDouble(Stall::share).sum();
        return servers * 1e9 / law.meanNanos() * (1 - stalled);
    }

    /** When work of that length ends that begins at that time; both in nanoseconds from the start of the run. */
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
}
