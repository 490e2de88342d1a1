package dev.downbeat.simulate;

import java.util.List;

/**
 * The number of requests that waited for a server over time, which no client of a real service can see. Requests in
 * service are not counted. Immutable.
 *
 * @param stretches stretches of equal length in order of time; the last one may be shorter
 * @param most the longest queue
 * @param mostAtNanos when the queue first reached that length, from the start of the run
 * @param growthPerSecond growth of the queue over the second half of the load, in requests per second, by linear
 *     regression
 * @param atEndOfLoad length of the queue at the intended time of the last request
 */
public record QueueLengths(
        List<Stretch> stretches, long most, long mostAtNanos, double growthPerSecond, long atEndOfLoad) {
    /** A queue is steady if its growth in the second half of the load is a smaller share of its final length. */
    private static final double LEAST_GAIN = 0.25;

    /** A growing queue ends the load at no less than this share of its maximum. */
    private static final double LEAST_SHARE_OF_PEAK = 0.75;

    private static final long NOTEWORTHY = 50;

    /**
     * A stretch of time.
     *
     * @param startNanos from the start of the run
     * @param endNanos from the start of the run
     * @param mean time-weighted mean length
     * @param most the greatest length
     */
    public record Stretch(long startNanos, long endNanos, double mean, long most) {}

    public QueueLengths {
        stretches = List.copyOf(stretches);
    }

    /** The time-weighted mean length. */
    public double mean() {
        double area = 0;
        double nanos = 0;
        for (Stretch stretch : stretches) {
            area += stretch.mean() * (stretch.endNanos() - stretch.startNanos());
            nanos += stretch.endNanos() - stretch.startNanos();
        }
        return nanos == 0 ? 0 : area / nanos;
    }

    /** Whether the queue was still growing when the load ended, as it does beyond the capacity. */
    public boolean grows(long loadNanos) {
        double gain = growthPerSecond * loadNanos / 2e9;
        return atEndOfLoad >= NOTEWORTHY
                && atEndOfLoad >= LEAST_SHARE_OF_PEAK * most
                && gain >= LEAST_GAIN * atEndOfLoad;
    }
}
