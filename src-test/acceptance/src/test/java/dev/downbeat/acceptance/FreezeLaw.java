package dev.downbeat.acceptance;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The response times of a service that answers at once, but for one freeze, at a constant rate: every planned request is
 * reckoned by itself, none is estimated. Instants are nanoseconds from the first intended time.
 *
 * <p>A request due at {@code t} in the freeze is answered when the freeze is over. What has gathered is worked off in
 * order and, as a model, at an even pace until nothing waits any more: the real service is one queue that must drain.
 */
final class FreezeLaw {
    private final long drainNanos;
    private final long[] byIndex;
    private final long[] timesNanos;

    /**
     * Reckons.
     *
     * @param fromNanos when the service froze
     * @param untilNanos when it went on
     * @param clearNanos when nothing waited any more
     * @param plan which requests were due when
     */
    FreezeLaw(long fromNanos, long untilNanos, long clearNanos, Plan plan) {
        drainNanos = clearNanos - untilNanos;
        timesNanos = new long[plan.count()];
        for (int k = 0; k < timesNanos.length; k++) {
            long dueNanos = k * plan.gapNanos();
            if (dueNanos >= fromNanos && dueNanos < clearNanos) {
                double share = (double) (dueNanos - fromNanos) / (clearNanos - fromNanos);
                timesNanos[k] = untilNanos + Math.round(drainNanos * share) - dueNanos;
            }
        }
        byIndex = timesNanos.clone();
        Arrays.sort(timesNanos);
    }

    /** The nearest rank among some of the requests, by their index. */
    long percentileNanos(double percentile, IntPredicate ofWhom) {
        long[] own = IntStream.range(0, byIndex.length)
                .filter(ofWhom)
                .mapToLong(index -> byIndex[index])
                .sorted()
                .toArray();
        int rank = (int) Math.ceil(Math.nextDown(percentile) / 100 * own.length);
        return own[Math.max(1, rank) - 1];
    }

    /** So many requests at even distances. */
    record Plan(int count, long gapNanos) {}

    /** How long the service took to work off what had gathered. */
    long drainNanos() {
        return drainNanos;
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
