package dev.downbeat.simulate;

import java.util.List;

/**
 * How many requests waited for a server, over time: what no client of a real service can see. Those being worked on are
 * not counted. Immutable.
 *
 * @param stretches equal stretches of time, in their order; the last one may be shorter
 * @param most the longest queue
 * @param mostAtNanos when it was that long first, from the start of the run
 * @param growthPerSecond by how many requests a second the queue grew over the second half of the load: the slope of a
 *     line through it
 * @param atEndOfLoad how long it was when the last request was meant to start
 */
public record QueueLengths(
        List<Stretch> stretches, long most, long mostAtNanos, double growthPerSecond, long atEndOfLoad) {
    /** A queue that gains less than this in the second half of the load, as a share of its length at the end, is steady. */
    private static final double LEAST_GAIN = 0.25;

    /** One that grows is about as long as never before when the load ends. */
    private static final double LEAST_OF_MOST = 0.75;

    private static final long NOTEWORTHY = 50;

    /**
     * A stretch of time.
     *
     * @param startNanos from the start of the run
     * @param endNanos from the start of the run
     * @param mean the length, weighted by time
     * @param most the greatest length
     */
    public record Stretch(long startNanos, long endNanos, double mean, long most) {}

    public QueueLengths {
        stretches = List.copyOf(stretches);
    }

    /** The mean length, weighted by time. */
    public double mean() {
        double area = 0;
        double nanos = 0;
        for (Stretch stretch : stretches) {
            area += stretch.mean() * (stretch.endNanos() - stretch.startNanos());
            nanos += stretch.endNanos() - stretch.startNanos();
        }
        return nanos == 0 ? 0 : area / nanos;
    }

    /** Whether it still grew when the load ended, as it does beyond the capacity. */
    public boolean grows(long loadNanos) {
        double gain = growthPerSecond * loadNanos / 2e9;
        return atEndOfLoad >= NOTEWORTHY && atEndOfLoad >= LEAST_OF_MOST * most && gain >= LEAST_GAIN * atEndOfLoad;
    }
}
