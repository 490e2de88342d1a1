package dev.downbeat.record.recorder;

import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.BucketCounts.Bucket;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.recorder.FateRecorder.ValueCounts;
import org.jspecify.annotations.Nullable;

/**
 * Counts of durations in the shared bucket layout. Memory is allocated per doubling on first use, 4 KB each, and kept.
 * Only counts are stored: total, minimum and maximum follow from the buckets. A duration costs one addition where
 * HdrHistogram needs four. At most 4,294,967,295 per bucket between two drains. Single writer.
 */
final class SparseCounts implements ValueCounts {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int LAST_BUCKET = Bucket.of(Distribution.MAX_NANOS);
    private static final int PAGES = (LAST_BUCKET >> PAGE_BITS) + 1;

    /** The pages used since the last drain. Draining reads no others: it competes with the load for processors. */
    private final int[] @Nullable [] pages = new int[PAGES][];

    private final int[] @Nullable [] empty = new int[PAGES][];

    /** Allocates everything on demand. */
    SparseCounts() {}

    /** Allocates memory for durations up to this one in advance. */
    SparseCounts(long nanos) {
        for (int page = 0; page <= Bucket.of(nanos) >> PAGE_BITS; page++) {
            empty[page] = new int[PAGE];
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
            page = usePage(bucket >> PAGE_BITS);
        }
        page[bucket & (PAGE - 1)]++;
    }

    private int[] usePage(int number) {
        int[] recycled = empty[number];
        int[] page = recycled == null ? new int[PAGE] : recycled;
        pages[number] = page;
        return page;
    }

    @Override
    public Distribution drain() {
        return drain(0);
    }

    /**
     * Returns and resets counts of buckets that were merged in groups: each counts as the longest of its group.
     *
     * @param coarserBits the number of buckets in a group, as a power of two: {@link #add} was given the group's number
     */
    Distribution drain(int coarserBits) {
        int lastInGroup = (1 << coarserBits) - 1;
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int number = 0; number < PAGES; number++) {
            int[] page = pages[number];
            if (page == null) {
                continue;
            }
            for (int place = 0; place < PAGE; place++) {
                if (page[place] != 0) {
                    int group = (number << PAGE_BITS) + place;
                    int bucket = Math.min((group << coarserBits) + lastInGroup, LAST_BUCKET);
                    taken.add(bucket, Integer.toUnsignedLong(page[place]));
                    page[place] = 0;
                }
            }
            empty[number] = page;
            pages[number] = null;
        }
        return Distribution.of(taken.done());
    }
}
