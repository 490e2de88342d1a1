package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.stream.LongStream;

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

    /**
     * The values of some ranks of a distribution.
     *
     * @param from the first rank, from 0
     * @param to the first rank after them
     */
    public static Distribution ofRanks(Distribution times, long from, long to) {
        LongStream.Builder values = LongStream.builder();
        LongStream.Builder counts = LongStream.builder();
        long[] before = {0};
        times.forEach((nanos, count) -> {
            long within = Math.min(to, before[0] + count) - Math.max(from, before[0]);
            before[0] += count;
            if (within > 0) {
                values.add(nanos);
                counts.add(within);
            }
        });
        return Distribution.of(values.build().toArray(), counts.build().toArray());
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
