package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;

/**
 * What happened in the lanes between the generators and the target.
 *
 * @param connections what happened to the connections
 * @param counts what only this kind of target counts
 * @param peakBacklog most requests that waited for a slot at the same time, summed over the generators' own peaks
 * @param peakBacklogAtNanos when that was, from the start of the run
 * @param saturation how long no slot was free, and whether we or the target were the reason
 */
public record LaneCounts(
        ConnectionCounts connections,
        TargetCounts counts,
        long peakBacklog,
        long peakBacklogAtNanos,
        Saturation saturation) {
    /** Nothing is known of them, or nothing happened. */
    public static final LaneCounts NONE = of(ConnectionCounts.NONE, TargetCounts.NONE);

    /** Of lanes in which a slot was always free. */
    public static LaneCounts of(ConnectionCounts connections, TargetCounts counts) {
        return new LaneCounts(connections, counts, 0, 0, Saturation.NONE);
    }

    /**
     * What happened in both of two times that follow each other.
     *
     * @param lengthNanos how long the earlier was
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
