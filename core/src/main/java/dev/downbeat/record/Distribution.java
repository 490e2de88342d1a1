package dev.downbeat.record;

import java.util.Arrays;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Counts of durations in the buckets of an HdrHistogram with three significant digits. Distributions can be added,
 * losslessly and in any order; they are never averaged.
 *
 * <p>Immutable and small: only buckets that are not empty are kept. Durations are nanoseconds, from 0 to {@link
 * #MAX_NANOS}; a value read back is at most 0.1 % above the one recorded.
 */
public final class Distribution {
    /** Seven days. What lasts longer is counted as this. */
    public static final long MAX_NANOS = 7L * 24 * 3600 * 1_000_000_000L;

    /** Significant decimal digits of each value. */
    public static final int DIGITS = 3;

    private static final Histogram LAYOUT = newHistogram();
    private static final Distribution EMPTY = new Distribution(new long[0], new long[0]);

    /** Greatest value of each bucket that is not empty, ascending. */
    private final long[] values;

    private final long[] counts;
    private final long count;

    private Distribution(long[] values, long[] counts) {
        this.values = values;
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
    }

    /** No durations. */
    public static Distribution empty() {
        return EMPTY;
    }

    /** A histogram of the range and precision that all distributions share; fixed in size, for one writer. */
    public static Histogram newHistogram() {
        return new Histogram(1, MAX_NANOS, DIGITS);
    }

    /** The counts of a histogram of any layout; values beyond {@link #MAX_NANOS} count as that. */
    public static Distribution of(AbstractHistogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return EMPTY;
        }
        long[] values = new long[64];
        long[] counts = new long[64];
        int size = 0;
        for (HistogramIterationValue bucket : histogram.recordedValues()) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
                counts = Arrays.copyOf(counts, size * 2);
            }
            values[size] = LAYOUT.highestEquivalentValue(Math.min(bucket.getValueIteratedTo(), MAX_NANOS));
            counts[size++] = bucket.getCountAtValueIteratedTo();
        }
        return new Distribution(Arrays.copyOf(values, size), Arrays.copyOf(counts, size));
    }

    /** How many durations there are. */
    public long count() {
        return count;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** The longest duration; 0 if there are none. */
    public long maxNanos() {
        return count == 0 ? 0 : values[values.length - 1];
    }

    /** The shortest duration; 0 if there are none. */
    public long minNanos() {
        return count == 0 ? 0 : LAYOUT.lowestEquivalentValue(values[0]);
    }

    /** The mean, from the middle of each bucket; 0 if there are none. */
    public long meanNanos() {
        if (count == 0) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += (double) LAYOUT.medianEquivalentValue(values[i]) * counts[i];
        }
        return Math.round(sum / count);
    }

    /**
     * The smallest duration that at least {@code percentile} per cent do not exceed: the nearest rank, never
     * interpolated, so that the answer is a duration that occurred (to three digits).
     *
     * @param percentile from 0 to 100
     * @return nanoseconds; 0 if there are no durations
     */
    public long valueAtPercentile(double percentile) {
        return count == 0 ? 0 : valueAtRank(rankOf(percentile, count));
    }

    /** One ulp down before rounding up, since 99.9 / 100 * 1000 must be 999 and not 1000 (as in HdrHistogram). */
    static long rankOf(double percentile, long count) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100, but was " + percentile);
        }
        double share = Math.max(0, Math.nextDown(percentile)) / 100;
        return Math.max(1, (long) Math.ceil(share * count));
    }

    /**
     * The duration at a place in ascending order.
     *
     * @param rank from 1; beyond the last one it is the longest duration
     * @return nanoseconds; 0 if there are no durations
     */
    public long valueAtRank(long rank) {
        long seen = 0;
        for (int i = 0; i < values.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return values[i];
            }
        }
        return maxNanos();
    }

    /** How many durations lie in buckets wholly above {@code nanos}. */
    public long countAbove(long nanos) {
        long above = 0;
        for (int i = values.length - 1; i >= 0 && LAYOUT.lowestEquivalentValue(values[i]) > nanos; i--) {
            above += counts[i];
        }
        return above;
    }

    /** The durations of both. */
    public Distribution plus(Distribution other) {
        if (other.count == 0) {
            return this;
        }
        if (count == 0) {
            return other;
        }
        long[] sumValues = new long[values.length + other.values.length];
        long[] sumCounts = new long[sumValues.length];
        int size = 0;
        for (int i = 0, j = 0; i < values.length || j < other.values.length; size++) {
            long mine = i < values.length ? values[i] : Long.MAX_VALUE;
            long theirs = j < other.values.length ? other.values[j] : Long.MAX_VALUE;
            sumValues[size] = Math.min(mine, theirs);
            sumCounts[size] = (mine <= theirs ? counts[i++] : 0) + (theirs <= mine ? other.counts[j++] : 0);
        }
        return new Distribution(Arrays.copyOf(sumValues, size), Arrays.copyOf(sumCounts, size));
    }

    /** A histogram with the same counts, for HdrHistogram's own formats and tools. */
    public Histogram toHistogram() {
        Histogram histogram = newHistogram();
        forEach(histogram::recordValueWithCount);
        return histogram;
    }

    /** Calls back with each bucket's greatest value in nanoseconds and its count, ascending. */
    public void forEach(BucketVisitor visitor) {
        for (int i = 0; i < values.length; i++) {
            visitor.visit(values[i], counts[i]);
        }
    }

    /** Sees one bucket at a time. */
    @FunctionalInterface
    public interface BucketVisitor {
        /** A bucket that is not empty. */
        void visit(long nanos, long count);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Distribution that
                && Arrays.equals(values, that.values)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(values) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return "Distribution[count=" + count + ", p50=" + valueAtPercentile(50) + " ns, max=" + maxNanos() + " ns]";
    }
}
