package dev.downbeat.simulate;

import dev.downbeat.stats.Numbers;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

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
        stalls = Stall.checked(stalls);
        if (servers < 1 || queueLimit < 0) {
            throw new IllegalArgumentException(
                    "servers must be at least 1 and queueLimit at least 0, but were " + servers + " and " + queueLimit);
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

    /** In one line: {@code simulated service: 1 server, exp:100us (10,000/s at most)}. */
    public String describe() {
        StringBuilder text = new StringBuilder("simulated service: ");
        text.append(String.format(Locale.ROOT, "%,d %s, ", servers, servers == 1 ? "server" : "servers"));
        text.append(law.describe());
        if (law.meanNanos() > 0 && Double.isFinite(law.meanNanos())) {
            text.append(" (at most ").append(Numbers.rate(perSecond())).append(')');
        }
        if (queueLimit < Integer.MAX_VALUE) {
            text.append(String.format(Locale.ROOT, ", queue limit %,d", queueLimit));
        }
        stalls.forEach(stall -> text.append(", stalls ").append(stall.describe()));
        return text.append(dropsAbandoned ? ", drops abandoned requests" : "").toString();
    }

    /** Capacity in requests per second, less recurring stalls; infinite if service takes no time. */
    public double perSecond() {
        return servers * 1e9 / law.meanNanos() * (1 - Stall.share(stalls));
    }

    /** When work of this length ends if it starts at this time; both in nanoseconds from the start of the run. */
    long endOfWork(long fromNanos, long workNanos) {
        if (stalls.isEmpty()) {
            return fromNanos + workNanos;
        }
        long at = Stall.resumeNanos(stalls, fromNanos);
        long left = workNanos;
        while (true) {
            long next = startAfter(at);
            if (left <= next - at) {
                return at + left;
            }
            left -= next - at;
            at = Stall.resumeNanos(stalls, next);
        }
    }

    private long startAfter(long nanos) {
        long first = Long.MAX_VALUE;
        for (Stall stall : stalls) {
            first = Math.min(first, stall.startAfter(nanos));
        }
        return first;
    }
}
