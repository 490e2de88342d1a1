package dev.downbeat.record.recorder;

import dev.downbeat.record.Bucket;
import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.ByPosition;
import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Service times by position on the connection. Single writer; allocates for a position that did not occur between the
 * last two drains.
 */
final class PositionTimes {
    /**
     * Eight buckets are merged into one, for two digits. There can be 256 of these, and the median of a position needs
     * no more.
     */
    private static final int COARSER_BITS = 3;

    private static final int LAST_IN_ONE = (1 << COARSER_BITS) - 1;

    /** Memory for service times up to eight seconds is allocated at once. */
    private static final int USUAL = Bucket.of(1L << 33) >> COARSER_BITS;

    private static final int GREATEST = Bucket.of(Distribution.MAX_NANOS);

    private final int[] @Nullable [] byPosition = new int[ByPosition.LAST + 1][];

    /** Counts a service time, given as a bucket, at a position from 1. */
    void add(int position, int bucket) {
        int at = Math.min(position, ByPosition.LAST);
        int[] counts = byPosition[at];
        int place = bucket >> COARSER_BITS;
        if (counts == null || place >= counts.length) {
            counts = grown(counts, place);
            byPosition[at] = counts;
        }
        counts[place]++;
    }

    private static int[] grown(int @Nullable [] counts, int place) {
        int length = Math.max(place, USUAL) + 1;
        return counts == null ? new int[length] : Arrays.copyOf(counts, length);
    }

    /** Returns and resets the counts. */
    ByPosition drain() {
        List<Distribution> positions = new ArrayList<>();
        int last = 0;
        for (int position = 1; position <= ByPosition.LAST; position++) {
            Distribution drained = drained(byPosition[position]);
            positions.add(drained);
            if (drained.isEmpty()) {
                byPosition[position] = null; // old connections have moved past it, so stop scanning it every second
            } else {
                last = position;
            }
        }
        return new ByPosition(positions.subList(0, last));
    }

    private static Distribution drained(int @Nullable [] counts) {
        if (counts == null) {
            return Distribution.empty();
        }
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int place = 0; place < counts.length; place++) {
            if (counts[place] != 0) {
                int bucket = Math.min((place << COARSER_BITS) + LAST_IN_ONE, GREATEST);
                taken.add(bucket, Integer.toUnsignedLong(counts[place]));
            }
        }
        Arrays.fill(counts, 0);
        return Distribution.of(taken.done());
    }
}
