package dev.downbeat.stats;

import dev.downbeat.record.Distribution;

/** The buckets of a distribution as arrays: values ascending, and how often each occurred. */
public final class Counts {
    private final long[] values;
    private final long[] counts;

    private Counts(int size) {
        values = new long[size];
        counts = new long[size];
    }

    public static Counts of(Distribution times) {
        int[] size = {0};
        times.forEach((nanos, count) -> size[0]++);
        Counts buckets = new Counts(size[0]);
        int[] next = {0};
        times.forEach((nanos, count) -> {
            buckets.values[next[0]] = nanos;
            buckets.counts[next[0]++] = count;
        });
        return buckets;
    }

    /** The internal array; must not be modified. */
    public long[] values() {
        return values;
    }

    /** The internal array; must not be modified. */
    public long[] counts() {
        return counts;
    }
}
