package dev.downbeat.record;

import dev.downbeat.record.BucketCounts.Bucket;
import java.util.List;
import java.util.stream.LongStream;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Counts of durations in HdrHistogram buckets with three significant digits. Distributions can be added losslessly in
 * any order; they are never averaged.
 *
 * <p>Immutable and compact: empty buckets are not stored. Durations are in nanoseconds, from 0 to {@link #MAX_NANOS}. A
 * value read back is at most 0.1 % above the recorded one.
 */
public final class Distribution {
    /** Seven days. Longer durations are clamped to this. */
    public static final long MAX_NANOS = 7L * 24 * 3600 * 1_000_000_000L;

    public static final int DIGITS = 3;

    /** From this many on, an array of all buckets is cheaper than pairwise sums. */
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

    public static Distribution empty() {
        return EMPTY;
    }

    /** A fixed-size histogram with the range and precision of all distributions; single writer. */
    public static Histogram newHistogram() {
        return new Histogram(1, MAX_NANOS, DIGITS);
    }

    /** Converts a histogram of any layout; values above {@link #MAX_NANOS} are clamped. */
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

    /** Counts durations, in any order and clamped to the range. For few of them: an array of all buckets would cost more. */
    public static Distribution of(LongStream nanos) {
        int[] sorted = nanos.mapToInt(each -> Bucket.of(Math.max(0, Math.min(each, MAX_NANOS))))
                .sorted()
                .toArray();
        BucketCounts.Writer buckets = new BucketCounts.Writer();
        int from = 0;
        for (int to = 1; to <= sorted.length; to++) {
            if (to == sorted.length || sorted[to] != sorted[from]) {
                buckets.add(sorted[from], to - from);
                from = to;
            }
        }
        return of(buckets.done());
    }

    /** Wraps counts that already use these buckets. */
    public static Distribution of(BucketCounts counts) {
        Distribution counted = new Distribution(counts);
        return counted.count == 0 ? EMPTY : counted;
    }

    /**
     * Restores a distribution from the values passed by {@link #forEach}.
     *
     * @param nanos ascending, from 0 to {@link #MAX_NANOS} or the end of its bucket
     * @param counts the count for each value; at least 1
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

    /** Restores a distribution from its {@link #bytes}, which are rejected if they are invalid. */
    public static Distribution of(byte[] bytes) {
        return of(BucketCounts.read(bytes, Bucket.of(MAX_NANOS)));
    }

    /**
     * For each non-empty bucket, the step from the one before it and its count, as little-endian base-128 numbers. A tenth of
     * the size of decimal digits.
     */
    public byte[] bytes() {
        return buckets.bytes();
    }

    public long count() {
        return count;
    }

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

    /** The mean of the bucket midpoints; 0 if there are no durations. */
    public long meanNanos() {
        return count == 0 ? 0 : Math.round(sumNanos() / count);
    }

    /** The sum of the bucket midpoints: it never falls when durations are added. */
    public double sumNanos() {
        double sum = 0;
        BucketCounts.Cursor cursor = buckets.cursor();
        while (cursor.next()) {
            sum += (double) Bucket.middle(cursor.bucket()) * cursor.count();
        }
        return sum;
    }

    /**
     * The smallest duration such that at least {@code percentile} per cent of durations do not exceed it. Nearest rank,
     * never interpolated, so the result is an actual duration (to three digits).
     *
     * @param percentile from 0 to 100
     * @return nanoseconds; 0 if there are no durations
     */
    public long valueAtPercentile(double percentile) {
        return count == 0 ? 0 : valueAtRank(rankOf(percentile, count));
    }

    /** One ulp less before rounding up: 99.9 / 100 * 1000 must be 999, not 1000 (as in HdrHistogram). */
    static long rankOf(double percentile, long count) {
        if (!(percentile >= 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile must be from 0 to 100, but was " + percentile);
        }
        double share = Math.max(0, Math.nextDown(percentile)) / 100;
        return Math.max(1, (long) Math.ceil(share * count));
    }

    /** The duration at a rank from 1 in ascending order; past the end, the longest; 0 if there are none. */
    public long valueAtRank(long rank) {
        BucketCounts.Cursor cursor = buckets.cursor();
        long cumulated = 0;
        while (cursor.next()) {
            cumulated += cursor.count();
            if (cumulated >= rank) {
                return Bucket.highest(cursor.bucket());
            }
        }
        return maxNanos;
    }

    /**
     * The durations at several ranks, in one pass.
     *
     * @param ascending ranks as for {@link #valueAtRank}, none below the one before it
     */
    public long[] valuesAtRanks(long[] ascending) {
        long[] values = new long[ascending.length];
        BucketCounts.Cursor cursor = buckets.cursor();
        long cumulated = 0;
        for (int i = 0; i < values.length; i++) {
            boolean isMore = true;
            while (cumulated < ascending[i] && isMore) {
                isMore = cursor.next();
                cumulated += cursor.count();
            }
            values[i] = cumulated < ascending[i] ? maxNanos : Bucket.highest(cursor.bucket());
        }
        return values;
    }

    /** The number of durations in buckets wholly above {@code nanos}. */
    public long countAbove(long nanos) {
        BucketCounts.Cursor cursor = buckets.cursor();
        long above = count;
        while (cursor.next() && Bucket.lowest(cursor.bucket()) <= nanos) {
            above -= cursor.count();
        }
        return above;
    }

    public Distribution plus(Distribution other) {
        if (other.count == 0) {
            return this;
        }
        if (count == 0) {
            return other;
        }
        BucketCounts.Writer sum = BucketCounts.Writer.ofSum(buckets, other.buckets);
        BucketCounts.Cursor left = buckets.cursor();
        BucketCounts.Cursor right = other.buckets.cursor();
        left.next();
        right.next();
        while (left.count() > 0 || right.count() > 0) {
            int bucket = Math.min(left.bucket(), right.bucket());
            long counted = 0;
            if (left.bucket() == bucket) {
                counted += left.count();
                left.next();
            }
            if (right.bucket() == bucket) {
                counted += right.count();
                right.next();
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
     * What was counted since an earlier state of the same sum.
     *
     * @param earlier counts no bucket more often than this
     */
    public Distribution since(Distribution earlier) {
        if (earlier.count == 0) {
            return this;
        }
        BucketCounts.Writer rest = new BucketCounts.Writer();
        BucketCounts.Cursor left = buckets.cursor();
        BucketCounts.Cursor right = earlier.buckets.cursor();
        right.next();
        while (left.next()) {
            while (right.bucket() < left.bucket()) {
                right.next();
            }
            long counted = left.count() - (right.bucket() == left.bucket() ? right.count() : 0);
            if (counted > 0) {
                rest.add(left.bucket(), counted);
            }
        }
        return of(rest.done());
    }

    /**
     * The sum of several distributions. A large number is added in one array of buckets, in a single pass over each.
     *
     * @param parts in any order
     */
    public static Distribution sum(List<Distribution> parts) {
        if (parts.size() < MANY) {
            return parts.stream().reduce(EMPTY, Distribution::plus);
        }
        long shortest = Long.MAX_VALUE;
        long longest = -1;
        for (Distribution part : parts) {
            shortest = part.isEmpty() ? shortest : Math.min(shortest, part.minNanos);
            longest = part.isEmpty() ? longest : Math.max(longest, part.maxNanos);
        }
        if (longest < 0) {
            return EMPTY;
        }
        int first = Bucket.of(shortest);
        long[] counts = new long[Bucket.of(longest) - first + 1];
        for (Distribution part : parts) {
            BucketCounts.Cursor cursor = part.buckets.cursor();
            while (cursor.next()) {
                counts[cursor.bucket() - first] += cursor.count();
            }
        }
        BucketCounts.Writer sum = new BucketCounts.Writer();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                sum.add(first + i, counts[i]);
            }
        }
        return of(sum.done());
    }

    /** A histogram with the same counts, for HdrHistogram's formats and tools. */
    public Histogram toHistogram() {
        Histogram histogram = newHistogram();
        forEach(histogram::recordValueWithCount);
        return histogram;
    }

    /** Calls the visitor with the highest value of each bucket in nanoseconds and its count, ascending. */
    public void forEach(BucketVisitor visitor) {
        BucketCounts.Cursor cursor = buckets.cursor();
        while (cursor.next()) {
            visitor.visit(Bucket.highest(cursor.bucket()), cursor.count());
        }
    }

    @FunctionalInterface
    public interface BucketVisitor {
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
