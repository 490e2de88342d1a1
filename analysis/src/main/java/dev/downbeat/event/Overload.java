package dev.downbeat.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A period in which the service answered less than was offered, and the rest waited longer and longer or timed out.
 *
 * @param startNanos start, from the start of the run
 * @param endNanos end: when the load ended or fell
 * @param caughtUpNanos when the backlog was drained; the end of the run if it never was
 * @param isOpen whether it lasted to the end of the load
 * @param offeredPerSecond planned requests per second
 * @param answeredPerSecond answered requests per second
 * @param timedOutShare share of the planned requests that timed out until the backlog was drained, from 0 to 1
 * @param limit the capacity of the connections, if they and not the service were the limit
 * @param isOfSeveral whether the rates are those of the worst of several stages
 */
public record Overload(
        long startNanos,
        long endNanos,
        long caughtUpNanos,
        boolean isOpen,
        double offeredPerSecond,
        double answeredPerSecond,
        double timedOutShare,
        Optional<Limit> limit,
        boolean isOfSeveral) {
    /**
     * The throughput of connections that are always in use.
     *
     * @param connections number of connections
     * @param perSecond requests per second that they can carry
     */
    public record Limit(long connections, double perSecond) {}

    /** Merges adjacent phases into one, with the rates of the worst. */
    public static List<Overload> joined(List<Overload> phases) {
        List<Overload> joined = new ArrayList<>();
        for (Overload phase : phases) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).endNanos == phase.startNanos) {
                joined.set(last, joined.get(last).then(phase));
            } else {
                joined.add(phase);
            }
        }
        return List.copyOf(joined);
    }

    private Overload then(Overload next) {
        Overload worse = next.missingShare() > missingShare() ? next : this;
        return new Overload(
                startNanos,
                next.endNanos,
                next.caughtUpNanos,
                next.isOpen,
                worse.offeredPerSecond,
                worse.answeredPerSecond,
                worse.timedOutShare,
                worse.limit,
                true);
    }

    /** A phase as long as the load, with unknown details. */
    public static Overload ofWhole(double answeredPerSecond, double offeredPerSecond, long lengthNanos) {
        return new Overload(
                0, lengthNanos, lengthNanos, true, offeredPerSecond, answeredPerSecond, 0, Optional.empty(), false);
    }

    /** The share of the offered requests without an answer, from 0 to 1. */
    public double missingShare() {
        return offeredPerSecond == 0 ? 0 : Math.max(0, 1 - answeredPerSecond / offeredPerSecond);
    }

    /** Whether an instant lies in the phase or while its backlog drained. */
    boolean isFelt(long nanos) {
        return nanos >= startNanos && nanos < caughtUpNanos;
    }
}
