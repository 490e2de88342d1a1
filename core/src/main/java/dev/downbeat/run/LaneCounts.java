package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;

/**
 * Lane statistics: what happened between the generators and the target.
 *
 * @param connections connection counts
 * @param counts counts specific to this kind of target
 * @param peakBacklog maximum number of requests waiting for a slot, summed over each generator's own peak
 * @param peakBacklogAtNanos time of the peak, from the start of the run
 * @param saturation time without a free slot, and whether Downbeat or the target was the cause
 */
public record LaneCounts(
        ConnectionCounts connections,
        TargetCounts counts,
        long peakBacklog,
        long peakBacklogAtNanos,
        Saturation saturation) {
    /** Unknown or nothing happened. */
    public static final LaneCounts NONE = of(ConnectionCounts.NONE, TargetCounts.NONE);

    /** Lanes that always had a free slot. */
    public static LaneCounts of(ConnectionCounts connections, TargetCounts counts) {
        return new LaneCounts(connections, counts, 0, 0, Saturation.NONE);
    }

    /** The sum over two consecutive periods, the earlier of this length. */
    LaneCounts then(LaneCounts later, long lengthNanos) {
        boolean isLater = later.peakBacklog > peakBacklog;
        return new LaneCounts(
                connections.then(later.connections),
                counts.plus(later.counts.later(lengthNanos)),
                Math.max(peakBacklog, later.peakBacklog),
                isLater ? lengthNanos + later.peakBacklogAtNanos : peakBacklogAtNanos,
                saturation.plus(later.saturation));
    }

    /**
     * Time without a free slot, and the generators' activity in it. If they were busy throughout, responses waited for
     * Downbeat, not the reverse. Nanoseconds, summed over the generators.
     *
     * @param nanos time without a free slot
     * @param busyNanos part of it with work for the generator; -1 if the target's lanes do not report it
     */
    public record Saturation(long nanos, long busyNanos) {
        /** A slot was always free. */
        public static final Saturation NONE = new Saturation(0, 0);

        public Saturation plus(Saturation other) {
            boolean isKnown = busyNanos >= 0 && other.busyNanos >= 0;
            return new Saturation(nanos + other.nanos, isKnown ? busyNanos + other.busyNanos : -1);
        }
    }
}
