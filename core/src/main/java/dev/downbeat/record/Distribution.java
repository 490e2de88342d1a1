package dev.downbeat.record;

import java.util.List;
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

    /** From so many on, an array of all buckets is cheaper than sums of two. */
    private static final int MANY = 8;

    private static final Distribution EMPTY = new Distribution(BucketCounts.NONE);

    private final BucketCounts buckets;
    private final long count;
    private final long minNanos;
    private final long maxNanos;

    private Distribution(BucketCounts buckets) {
        this.buckets = buckets;
        BucketCounts.Cursor cursor = buckets.cursor();
        long sum = 0;
        long least = 0;
        long greatest = 0;
        while (cursor.next()) {
            least = sum == 0 ? Bucket.lowest(cursor.bucket()) : least;
            greatest = Bucket.highest(cursor.bucket());
            sum += cursor.count();
        }
        this.count = sum;
        this.minNanos = least;
        this.maxNanos = greatest;
    }

    private Distribution(BucketCounts buckets, long count, long minNanos, long maxNanos) {
        this.buckets = buckets;
        this.count = count;
        this.minNanos = minNanos;
        this.maxNanos = maxNanos;
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
        BucketCounts.Writer buckets = new BucketCounts.Writer();
        int last = -1;
        long counted = 0;
        for (HistogramIterationValue value : histogram.recordedValues()) {
            int bucket = Bucket.of(Math.min(value.getValueIteratedTo(), MAX_NANOS));
            if (bucket != last && counted > 0) {
                buckets.add(last, counted);
                counted = 0;
            }
            last = bucket;
            counted += value.getCountAtValueIteratedTo();
        }
        buckets.add(last, counted);
        return new Distribution(buckets.done());
    }

    /** Counts that are in our own buckets already. */
    public static Distribution of(BucketCounts counts) {
        Distribution counted = new Distribution(counts);
        return counted.count == 0 ? EMPTY : counted;
    }

    /**
     * The durations that {@link #forEach} told of.
     *
     * @param nanos ascending, from 0 to {@link #MAX_NANOS} or the end of the bucket of that
     * @param counts of each; at least 1
     */
    public static Distribution of(long[] nanos, long[] counts) {
        BucketCounts.Writer buckets = new BucketCounts.Writer();
        int last = -1;
        for (int i = 0; i < nanos.length; i++) {
            int bucket = nanos[i] < 0 ? -1 : Bucket.of(nanos[i]);
            if (bucket <= last || bucket > Bucket.of(MAX_NANOS) || counts[i] < 1) {
                throw new IllegalArgumentException("durations must ascend from 0 to " + MAX_NANOS
                        + " and be counted, but there was " + nanos[i] + " x " + counts[i]);
            }
            buckets.add(bucket, counts[i]);
            last = bucket;
        }
        return nanos.length == 0 ? EMPTY : new Distribution(buckets.done());
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
        return maxNanos;
    }

    /** The shortest duration; 0 if there are none. */
    public long minNanos() {
        return minNanos;
    }

    /** The mean, from the middle of each bucket; 0 if there are none. */
    public long meanNanos() {
        if (count == 0) {
            return 0;
        }
        double sum = 0;
        BucketCounts.Cursor cursor = buckets.cursor();
        while (cursor.next()) {
            sum += (double) Bucket.middle(cursor.bucket()) * cursor.count();
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
        BucketCounts.Cursor cursor = buckets.cursor();
        long seen = 0;
        while (cursor.next()) {
            seen += cursor.count();
            if (seen >= rank) {
                return Bucket.highest(cursor.bucket());
            }
        }
        return maxNanos;
    }

    /** How many durations lie in buckets wholly above {@code nanos}. */
    public long countAbove(long nanos) {
        BucketCounts.Cursor cursor = buckets.cursor();
        long above = count;
        while (cursor.next() && Bucket.lowest(cursor.bucket()) <= nanos) {
            above -= cursor.count();
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
        BucketCounts.Writer sum = BucketCounts.Writer.ofSum(buckets, other.buckets);
        BucketCounts.Cursor mine = buckets.cursor();
        BucketCounts.Cursor theirs = other.buckets.cursor();
        mine.next();
        theirs.next();
        while (mine.count() > 0 || theirs.count() > 0) {
            int bucket = Math.min(mine.bucket(), theirs.bucket());
            long counted = 0;
            if (mine.bucket() == bucket) {
                counted += mine.count();
                mine.next();
            }
            if (theirs.bucket() == bucket) {
                counted += theirs.count();
                theirs.next();
            }
            sum.add(bucket, counted);
        }
        return new Distribution(
                sum.done(),
                count + other.count,
                Math.min(minNanos, other.minNanos),
                Math.max(maxNanos, other.maxNanos));
    }

    /**
     * The durations of all of them. Many are added up in an array of all buckets, which reads each of them once.
     *
     * @param parts in any order
     */
    public static Distribution sum(List<Distribution> parts) {
        if (parts.size() < MANY) {
            return parts.stream().reduce(EMPTY, Distribution::plus);
        }
        long longest = parts.stream().mapToLong(Distribution::maxNanos).max().orElse(0);
        long[] counts = new long[Bucket.of(longest) + 1];
        for (Distribution part : parts) {
            BucketCounts.Cursor cursor = part.buckets.cursor();
            while (cursor.next()) {
                counts[cursor.bucket()] += cursor.count();
            }
        }
        BucketCounts.Writer sum = new BucketCounts.Writer();
        for (int bucket = 0; bucket < counts.length; bucket++) {
            if (counts[bucket] > 0) {
                sum.add(bucket, counts[bucket]);
            }
        }
        return of(sum.done());
    }

    /** A histogram with the same counts, for HdrHistogram's own formats and tools. */
    public Histogram toHistogram() {
        Histogram histogram = newHistogram();
        forEach(histogram::recordValueWithCount);
        return histogram;
    }

    /**
     * What {@link Histogram#encodeIntoByteBuffer} gives of {@link #toHistogram}, without making that: it has room for all durations
     * that there are, and a run with many names has tens of thousands of distributions.
     */
    public byte[] encoded() {
        return HistogramBytes.of(buckets);
    }

    /** Calls back with each bucket's greatest value in nanoseconds and its count, ascending. */
    public void forEach(BucketVisitor visitor) {
        BucketCounts.Cursor cursor = buckets.cursor();
        while (cursor.next()) {
            visitor.visit(Bucket.highest(cursor.bucket()), cursor.count());
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
        return other instanceof Distribution that && buckets.equals(that.buckets);
    }

    @Override
    public int hashCode() {
        return buckets.hashCode();
    }

    @Override
    public String toString() {
        return "Distribution[count=" + count + ", p50=" + valueAtPercentile(50) + " ns, max=" + maxNanos() + " ns]";
    }
}
