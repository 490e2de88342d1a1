package dev.downbeat.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A phase of the load in which the service answered less than it was asked, and the rest waited longer and longer or timed out.
 *
 * @param startNanos when it began, from the start of the run
 * @param endNanos when it ended: with the load, or when the load fell
 * @param caughtUpNanos when what had piled up was worked off; the end of the run if it never was
 * @param isOpen whether it lasted to the end of the load
 * @param offeredPerSecond requests that were meant to start in the phase
 * @param answeredPerSecond requests that were answered in it
 * @param timedOutShare how many of the former timed out, until what had piled up was worked off, from 0 to 1
 * @param limit what the connections can carry, where they and not the service were the limit
 * @param isOfSeveral whether these rates are those of the worst of several stages
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
     * What connections carry when all of them are in use all the time.
     *
     * @param connections how many there were
     * @param perSecond requests that they carry at most
     */
    public record Limit(long connections, double perSecond) {}

    /** What follows each other without a break, as one, with the rates of the worst. */
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

    /** A phase as long as the load, of which no more is known. */
    public static Overload ofWhole(double answeredPerSecond, double offeredPerSecond, long lengthNanos) {
        return new Overload(
                0, lengthNanos, lengthNanos, true, offeredPerSecond, answeredPerSecond, 0, Optional.empty(), false);
    }

    /** How long it lasted. */
    public long lengthNanos() {
        return endNanos - startNanos;
    }

    /** How much of what was asked had no answer, from 0 to 1. */
    public double missingShare() {
        return offeredPerSecond == 0 ? 0 : Math.max(0, 1 - answeredPerSecond / offeredPerSecond);
    }

    /** Whether an instant lies in it, or in the time in which it was worked off. */
    boolean isFelt(long nanos) {
        return nanos >= startNanos && nanos < caughtUpNanos;
    }
}
