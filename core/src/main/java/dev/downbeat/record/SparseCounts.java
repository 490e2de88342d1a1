package dev.downbeat.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of durations in the buckets of all distributions, which takes memory only for the doublings that occur: 4 KB for
 * each. A thousand requests with names of their own have thousands of these. Memory is taken the first time that a doubling
 * occurs, and kept. Single writer.
 */
final class SparseCounts {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;

    private final int[] @Nullable [] pages = new int[(Bucket.of(Distribution.MAX_NANOS) >> PAGE_BITS) + 1][];
    private boolean isEmpty = true;

    void record(long nanos) {
        int bucket = Bucket.of(Math.max(0, Math.min(nanos, Distribution.MAX_NANOS)));
        int[] page = pages[bucket >> PAGE_BITS];
        if (page == null) {
            page = new int[PAGE];
            pages[bucket >> PAGE_BITS] = page;
        }
        page[bucket & (PAGE - 1)]++;
        isEmpty = false;
    }

    /** What was counted since the last call. */
    Distribution drain() {
        if (isEmpty) {
            return Distribution.empty();
        }
        BucketCounts.Writer taken = new BucketCounts.Writer();
        for (int number = 0; number < pages.length; number++) {
            int[] page = pages[number];
            if (page == null) {
                continue;
            }
            for (int place = 0; place < PAGE; place++) {
                if (page[place] > 0) {
                    taken.add((number << PAGE_BITS) + place, page[place]);
                }
            }
            Arrays.fill(page, 0);
        }
        isEmpty = true;
        return Distribution.of(taken.done());
    }
}
