package dev.downbeat.record.recorder;

import dev.downbeat.record.Bucket;
import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.Distribution;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of durations in the buckets of all distributions, which takes memory only for the doublings that occur: 4 KB for
 * each. Memory is taken the first time that a doubling
 * occurs, and kept. Nothing but the count is kept of a duration: how many there were, the least and the greatest follow from
 * the buckets, and a duration costs one addition where HdrHistogram's own makes four. Up to 4,294,967,295 in one bucket
 * between two drains. Single writer.
 */
final class SparseCounts implements ValueCounts {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int PAGES = (Bucket.of(Distribution.MAX_NANOS) >> PAGE_BITS) + 1;

    private final int[] @Nullable [] pages = new int[PAGES][];

    /** Takes all memory later. */
    SparseCounts() {}

    /** Takes the memory for durations up to this one now. */
    SparseCounts(long nanos) {
        for (int page = 0; page <= Bucket.of(nanos) >> PAGE_BITS; page++) {
            pages[page] = new int[PAGE];
        }
    }

    @Override
    public void record(long nanos) {
        add(bucket(nanos));
    }

    /** The bucket of a duration; of one out of range, that of the nearest that is not. */
    static int bucket(long nanos) {
        return Bucket.of(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS)));
    }

    /** Counts a duration whose bucket is known. */
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
            if (page == null) {
                continue;
            }
            boolean wasUsed = false;
            for (int place = 0; place < PAGE; place++) {
                if (page[place] != 0) {
                    taken.add((number << PAGE_BITS) + place, Integer.toUnsignedLong(page[place]));
                    wasUsed = true;
                }
            }
            if (wasUsed) {
                Arrays.fill(page, 0);
            }
        }
        return Distribution.of(taken.done());
    }
}
