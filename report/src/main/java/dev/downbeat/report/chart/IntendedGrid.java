package dev.downbeat.report.chart;

import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.report.chart.draw.Scale;
import java.util.List;

/**
 * Requests by intended time and response time. A request is counted in the interval in which it ended. Its intended
 * time is that end less its response time, and so known to within one interval. A bucket's requests are spread evenly
 * over that time.
 */
final class IntendedGrid {
    private static final int LEAST_COLUMNS = 60;
    private static final int MOST_COLUMNS = 240;
    private static final double NEGLIGIBLE = 0.1;

    private final double[][] counts;

    /** The band of each bucket, plus one; 0 until its first use. A logarithm for each would be most of the work. */
    private final int[] bandOf = new int[Bucket.of(Distribution.MAX_NANOS) + 1];

    private final Scale.Log durations;
    private final double columnNanos;
    private final long lengthNanos;
    private double most;

    IntendedGrid(List<Interval> intervals, Scale.Log durations, int bands) {
        this.durations = durations;
        this.lengthNanos = intervals.get(intervals.size() - 1).endNanos();
        int each = Math.max(1, (LEAST_COLUMNS + intervals.size() - 1) / intervals.size());
        int columns = Math.min(MOST_COLUMNS, each * intervals.size());
        this.columnNanos = (double) lengthNanos / columns;
        this.counts = new double[columns][bands];
        for (Interval interval : intervals) {
            Distribution times = interval.recording().responseAtLeast();
            times.forEach((nanos, count) -> spread(interval, nanos, count));
        }
    }

    private void spread(Interval interval, long nanos, long count) {
        double from = (double) Math.max(0, Math.min(interval.startNanos() - nanos, lengthNanos - 1));
        double to = Math.max(from + 1, (double) Math.min(interval.endNanos() - nanos, lengthNanos));
        int band = band(nanos);
        int last = (int) Math.min(counts.length - 1, to / columnNanos);
        for (int column = (int) (from / columnNanos); column <= last; column++) {
            double overlap = Math.min(to, (column + 1) * columnNanos) - Math.max(from, column * columnNanos);
            if (overlap > NEGLIGIBLE * Math.min(columnNanos, to - from)) {
                counts[column][band] += count * overlap / (to - from);
                most = Math.max(most, counts[column][band]);
            }
        }
    }

    private int band(long nanos) {
        int bucket = Bucket.of(nanos);
        if (bandOf[bucket] == 0) {
            int bands = counts[0].length;
            bandOf[bucket] = 1 + (int) Math.min(bands - 1, durations.share((double) nanos) * bands);
        }
        return bandOf[bucket] - 1;
    }

    int columns() {
        return counts.length;
    }

    int bands() {
        return counts[0].length;
    }

    /** The colour level of a cell: -1 for no request, 0 to {@code levels - 1} otherwise, on a logarithmic scale. */
    int level(int column, int band, int levels) {
        double count = counts[column][band];
        if (count == 0) {
            return -1;
        }
        return count <= 1 || most <= 1 ? 0 : (int) Math.min(levels - 1, Math.log(count) / Math.log(most) * levels);
    }

    /** The number of requests intended in a column, rounded. */
    long count(int column) {
        double sum = 0;
        for (double count : counts[column]) {
            sum += count;
        }
        return Math.round(sum);
    }

    /** The upper end of the highest non-empty band, in nanoseconds; 0 if there is none. */
    long topNanos(int column) {
        for (int band = bands() - 1; band >= 0; band--) {
            if (counts[column][band] > 0) {
                return Math.round(durations.valueAt((band + 1.0) / bands()));
            }
        }
        return 0;
    }

    double columnNanos() {
        return columnNanos;
    }
}
