package dev.downbeat.audit;

import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/** Durations with fractional weights, in buckets narrower than 1 %. Not thread-safe. */
final class Masses {
    private static final int BITS = 7;
    private static final int PARTS = 1 << BITS;

    private final double[] weights = new double[(64 - BITS) * PARTS];
    private double sum;

    /** The bucket of a duration. */
    static int bucket(long nanos) {
        long value = Math.max(0, nanos);
        if (value < PARTS) {
            return (int) value;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(value) - BITS;
        return (exponent + 1) * PARTS + (int) ((value >> exponent) - PARTS);
    }

    static long lowest(int bucket) {
        int exponent = bucket / PARTS - 1;
        return exponent < 0 ? bucket : (long) (PARTS + bucket % PARTS) << exponent;
    }

    static long highest(int bucket) {
        int exponent = bucket / PARTS - 1;
        return exponent < 0 ? bucket : lowest(bucket) + (1L << exponent) - 1;
    }

    void add(long nanos, double weight) {
        weights[bucket(nanos)] += weight;
        sum += weight;
    }

    /** The lowest bucket at or above the percentile. */
    private int bucketAt(double percentile) {
        double wanted = sum * percentile / 100;
        double seen = 0;
        int last = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                seen += weights[i];
                last = i;
                if (seen >= wanted) {
                    return i;
                }
            }
        }
        return last;
    }

    /** A lower bound of the percentile. */
    long atLeast(double percentile) {
        return lowest(bucketAt(percentile));
    }

    /** An upper bound of the percentile. */
    long atMost(double percentile) {
        return highest(bucketAt(percentile));
    }

    /** The durations as a histogram with integer counts. */
    Histogram histogram() {
        Histogram counts = Distribution.newHistogram();
        double rest = 0;
        for (int i = 0; i < weights.length; i++) {
            rest += weights[i];
            long whole = Math.round(rest);
            if (whole > 0) {
                counts.recordValueWithCount(Math.min(lowest(i), Distribution.MAX_NANOS), whole);
                rest -= whole;
            }
        }
        return counts;
    }
}
