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

    /**
     * The sum over two consecutive periods.
     *
     * @param lengthNanos length of the earlier period
     */
    LaneCounts then(LaneCounts later, long lengthNanos) {
        boolean isLater = later.peakBacklog > peakBacklog;
        return new LaneCounts(
                connections.then(later.connections),
                counts.plus(later.counts.later(lengthNanos)),
                Math.max(peakBacklog, later.peakBacklog),
                isLater ? lengthNanos + later.peakBacklogAtNanos : peakBacklogAtNanos,
                saturation.plus(later.saturation));
    }
}
