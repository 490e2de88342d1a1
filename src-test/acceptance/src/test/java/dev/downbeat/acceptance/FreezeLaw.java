package dev.downbeat.acceptance;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The exact response time of every planned request, at a constant rate, of a service that answers at once except during one
 * freeze. Instants are nanoseconds from the first intended time.
 *
 * <p>A request due during the freeze is answered after it. The backlog drains in order, at the pace observed at the service.
 */
final class FreezeLaw {
    private final long drainNanos;
    private final long[] byIndex;
    private final long[] timesNanos;

    /**
     * Computes the response times.
     *
     * @param fromNanos when the service froze
     * @param untilNanos when it resumed
     * @param clearNanos when the backlog was empty
     * @param plan the due times of the requests
     * @param answered the number of answered requests, and when it was first observed after the freeze
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

    /** Interpolates linearly between two observations. */
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

    /** The percentile by nearest rank of the requests whose index is {@code included}. */
    long percentileNanos(double percentile, IntPredicate included) {
        long[] own = IntStream.range(0, byIndex.length)
                .filter(included)
                .mapToLong(index -> byIndex[index])
                .sorted()
                .toArray();
        int rank = (int) Math.ceil(Math.nextDown(percentile) / 100 * own.length);
        return own[Math.max(1, rank) - 1];
    }

    /** Requests at a constant rate. */
    record Plan(int count, long gapNanos) {}

    /** How long the backlog took to drain. */
    long drainNanos() {
        return drainNanos;
    }

    double meanNanos() {
        return Arrays.stream(timesNanos).average().orElseThrow();
    }

    /** The percentile by nearest rank of all requests. */
    long percentileNanos(double percentile) {
        int rank = (int) Math.ceil(Math.nextDown(percentile) / 100 * timesNanos.length);
        return timesNanos[Math.max(1, rank) - 1];
    }
}
