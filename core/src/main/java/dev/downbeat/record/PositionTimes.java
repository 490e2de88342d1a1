package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/** Service times by position on the connection, counted. Single writer; allocates when a position is first met. */
final class PositionTimes {
    private final @Nullable IntCountsHistogram[] byPosition = new IntCountsHistogram[ByPosition.LAST + 1];

    /** Two digits and int counts: there can be 256 of these, and a position's median needs no more. */
    void add(int position, long nanos) {
        int place = Math.min(position, ByPosition.LAST);
        IntCountsHistogram histogram = byPosition[place];
        if (histogram == null) {
            histogram = new IntCountsHistogram(1, Distribution.MAX_NANOS, 2);
            byPosition[place] = histogram;
        }
        Distribution.count(histogram, nanos);
    }

    /** What was counted since the last call. */
    ByPosition drain() {
        List<Distribution> positions = new ArrayList<>();
        int last = ByPosition.LAST;
        while (last > 0 && isEmpty(byPosition[last])) {
            last--;
        }
        for (int position = 1; position <= last; position++) {
            IntCountsHistogram histogram = byPosition[position];
            positions.add(histogram == null ? Distribution.empty() : Distribution.drain(histogram));
        }
        return new ByPosition(positions);
    }

    private static boolean isEmpty(@Nullable IntCountsHistogram histogram) {
        return histogram == null || histogram.getTotalCount() == 0;
    }
}
