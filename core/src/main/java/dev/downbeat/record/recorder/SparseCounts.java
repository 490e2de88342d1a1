package dev.downbeat.record.recorder;

import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.recorder.FateRecorder.ValueCounts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of durations in the shared bucket layout. Memory is allocated per doubling on first use, 4 KB each, and kept.
 * Only counts are stored: total, minimum and maximum follow from the buckets. A duration costs one addition where
 * HdrHistogram needs four. At most 4,294,967,295 per bucket between two drains. Single writer.
 */
final class SparseCounts implements ValueCounts {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int PAGES = (Bucket.of(Distribution.MAX_NANOS) >> PAGE_BITS) + 1;

    private static final int[] UNUSED = new int[PAGE];

    private final int[] @Nullable [] pages = new int[PAGES][];

    /** Allocates everything on demand. */
    SparseCounts() {}

    /** Allocates memory for durations up to this one in advance. */
    SparseCounts(long nanos) {
        for (int page = 0; page <= Bucket.of(nanos) >> PAGE_BITS; page++) {
            pages[page] = new int[PAGE];
        }
    }

    @Override
    public void record(long nanos) {
        add(bucket(nanos));
    }

    /** The bucket of a duration, clamped to the valid range. */
    static int bucket(long nanos) {
        return Bucket.of(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS)));
    }

    /** Counts a duration given as a bucket. */
    void add(int bucket) {
        int[] page = pages[bucket >> PAGE_BITS];
        if (page == null) {
            page = taken(bucket >> PAGE_BITS);
        }
        page[bucket & (PAGE - 1)]++;
    }

    private int[] taken(int number) {
        int[] page = new int[PAGE];
        pages[number] = page;
        return page;
    }

    @Override
    public Distribution drain() {
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int number = 0; number < PAGES; number++) {
            int[] page = pages[number];
            if (page == null || Arrays.equals(page, UNUSED)) { // most are, and a comparison takes many places at a time
                continue;
            }
            for (int place = 0; place < PAGE; place++) {
                if (page[place] != 0) {
                    taken.add((number << PAGE_BITS) + place, Integer.toUnsignedLong(page[place]));
                }
            }
            Arrays.fill(page, 0);
        }
        return Distribution.of(taken.done());
    }
}
