package dev.downbeat.record.recorder;

import dev.downbeat.record.BucketCounts;
import dev.downbeat.record.Distribution;
import java.util.Arrays;

/**
 * Counts of durations under thousands of keys, such as names. Each duration is an entry in a log that is sorted when
 * read. It needs memory for the requests of an interval and none per key. Single writer.
 */
final class CountLog {
    /** Beyond this size, entries of one bucket are merged before the log grows. */
    private static final int MOST = 1 << 22;

    private static final int COUNT_BITS = 24;
    private static final int BUCKET_BITS = 16;
    private static final long MOST_COUNTED = (1L << COUNT_BITS) - 1;

    /** Key in the upper bits, then bucket, then count, so that sorting groups the entries of a key. */
    private long[] entries = new long[1024];

    private int size;
    private int places;
    private boolean isSorted = true;

    /** Counts under one more key. */
    ValueCounts place() {
        return new Place(places++);
    }

    private void add(int place, int bucket) {
        if (size == entries.length) {
            makeRoom();
        }
        entries[size++] = ((long) place << BUCKET_BITS | bucket) << COUNT_BITS | 1;
        isSorted = false;
    }

    private void makeRoom() {
        if (entries.length >= MOST) {
            sort();
        }
        if (size > entries.length / 2) {
            entries = Arrays.copyOf(entries, 2 * entries.length);
        }
    }

    /** Sorts the entries and merges those of the same bucket. */
    private void sort() {
        if (isSorted) {
            return;
        }
        Arrays.sort(entries, 0, size);
        int last = 0;
        for (int i = 1; i < size; i++) {
            long joined = (entries[last] & MOST_COUNTED) + (entries[i] & MOST_COUNTED);
            if (entries[i] >> COUNT_BITS == entries[last] >> COUNT_BITS && joined <= MOST_COUNTED) {
                entries[last] += entries[i] & MOST_COUNTED;
            } else {
                entries[++last] = entries[i];
            }
        }
        size = Math.min(size, last + 1);
        isSorted = true;
    }

    /** Resets the log once all keys are drained. */
    void clear() {
        size = 0;
        isSorted = true;
    }

    private Distribution of(int place) {
        sort();
        int from = Arrays.binarySearch(entries, 0, size, (long) place << (BUCKET_BITS + COUNT_BITS));
        BucketCounts.Writer counts = new BucketCounts.Writer();
        int bucket = -1;
        long counted = 0;
        for (int i = from < 0 ? -from - 1 : from; i < size && entries[i] >> (BUCKET_BITS + COUNT_BITS) == place; i++) {
            int next = (int) (entries[i] >> COUNT_BITS) & ((1 << BUCKET_BITS) - 1);
            if (next != bucket && counted > 0) {
                counts.add(bucket, counted);
                counted = 0;
            }
            bucket = next;
            counted += entries[i] & MOST_COUNTED;
        }
        if (counted == 0) {
            return Distribution.empty();
        }
        counts.add(bucket, counted);
        return Distribution.of(counts.done());
    }

    private final class Place implements ValueCounts {
        private final int number;

        private Place(int number) {
            this.number = number;
        }

        @Override
        public void record(long nanos) {
            add(number, SparseCounts.bucket(nanos));
        }

        @Override
        public Distribution drain() {
            return of(number);
        }
    }
}
