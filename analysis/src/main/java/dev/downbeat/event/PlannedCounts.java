package dev.downbeat.event;

import dev.downbeat.record.Interval;
import java.util.Arrays;
import java.util.List;

/** The cumulative number of planned requests, spread evenly within each interval. */
final class PlannedCounts {
    private final List<Interval> intervals;
    private final long[] starts;
    private final long[] before;

    PlannedCounts(List<Interval> intervals) {
        this.intervals = intervals;
        starts = intervals.stream().mapToLong(Interval::startNanos).toArray();
        before = new long[starts.length];
        for (int i = 1; i < before.length; i++) {
            before[i] = before[i - 1] + planned(i - 1);
        }
    }

    private long planned(int interval) {
        return intervals.get(interval).recording().ledger().planned();
    }

    /** The planned requests that end in a period if each takes {@code nanos}. */
    double ending(long fromNanos, long toNanos, long nanos) {
        return until(toNanos - nanos) - until(fromNanos - nanos);
    }

    private double until(long nanos) {
        int at = Arrays.binarySearch(starts, nanos);
        int last = at < 0 ? -at - 2 : at;
        if (last < 0) {
            return 0;
        }
        double part = (double) (nanos - starts[last])
                / Math.max(1, intervals.get(last).lengthNanos());
        return before[last] + planned(last) * Math.min(1, part);
    }
}
