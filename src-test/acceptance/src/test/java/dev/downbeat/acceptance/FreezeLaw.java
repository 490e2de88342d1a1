package dev.downbeat.acceptance;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The response times of a service that answers at once, but for one freeze, at a constant rate: every planned request is
 * reckoned by itself, none is estimated. Instants are nanoseconds from the first intended time.
 *
 * <p>A request due at {@code t} in the freeze is answered when the freeze is over. What has gathered is worked off in
 * order, at the pace that the service was seen to keep: the real service is one queue that must drain.
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
     * @param answered the instants at which the service was seen to have answered so many requests, since it went on
     */
    FreezeLaw(long fromNanos, long untilNanos, long clearNanos, Plan plan, NavigableMap<Long, Long> answered) {
        drainNanos = clearNanos - untilNanos;
        timesNanos = new long[plan.count()];
        for (int k = 0; k < timesNanos.length; k++) {
            long dueNanos = k * plan.gapNanos();
            if (dueNanos >= fromNanos && dueNanos < clearNanos) {
                timesNanos[k] = Math.max(0, answeredNanos(answered, k + 1L, clearNanos) - dueNanos);
            }
        }
        byIndex = timesNanos.clone();
        Arrays.sort(timesNanos);
    }

    /** Between two looks, the pace is taken to be even. */
    private static long answeredNanos(NavigableMap<Long, Long> answered, long count, long clearNanos) {
        Map.Entry<Long, Long> before = answered.lowerEntry(count);
        Map.Entry<Long, Long> seen = answered.ceilingEntry(count);
        if (seen == null) {
            return clearNanos;
        }
        if (before == null) {
            return seen.getValue();
        }
        double share = (double) (count - before.getKey()) / (seen.getKey() - before.getKey());
        return before.getValue() + Math.round(share * (seen.getValue() - before.getValue()));
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
