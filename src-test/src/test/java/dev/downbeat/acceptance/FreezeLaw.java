package dev.downbeat.acceptance;

import java.util.Arrays;

/**
 * The response times of a service that answers at once, but for one freeze, at a constant rate: every planned request is
 * reckoned by itself, none is estimated. Instants are nanoseconds from the first intended time.
 *
 * <p>A request due at {@code t} in the freeze is answered when the freeze is over. What has gathered is worked off in
 * order and, as a model, at an even pace until nothing waits any more: the real service is one queue that must drain.
 *
 * @param fromNanos when the service froze
 * @param untilNanos when it went on
 * @param clearNanos when nothing waited any more
 * @param timesNanos the response times of all planned requests, ascending
 */
record FreezeLaw(long fromNanos, long untilNanos, long clearNanos, long[] timesNanos) {
    static FreezeLaw of(long fromNanos, long untilNanos, long clearNanos, Plan plan) {
        long[] times = new long[plan.count()];
        for (int k = 0; k < times.length; k++) {
            long dueNanos = k * plan.gapNanos();
            if (dueNanos >= fromNanos && dueNanos < clearNanos) {
                double share = (double) (dueNanos - fromNanos) / (clearNanos - fromNanos);
                times[k] = untilNanos + Math.round((clearNanos - untilNanos) * share) - dueNanos;
            }
        }
        Arrays.sort(times);
        return new FreezeLaw(fromNanos, untilNanos, clearNanos, times);
    }

    /** So many requests at even distances. */
    record Plan(int count, long gapNanos) {}

    /** How long the service took to work off what had gathered. */
    long drainNanos() {
        return clearNanos - untilNanos;
    }

    double meanNanos() {
        return Arrays.stream(timesNanos).average().orElseThrow();
    }

    /** The nearest rank. */
    long percentileNanos(double percentile) {
        int rank = (int) Math.ceil(Math.nextDown(percentile) / 100 * timesNanos.length);
        return timesNanos[Math.max(1, rank) - 1];
    }
}
