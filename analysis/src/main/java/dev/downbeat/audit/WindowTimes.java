package dev.downbeat.audit;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Durations by start time, in at most {@value #MOST} windows that double in width as the timeline grows. Buckets are 3
 * % wide. Not thread-safe.
 */
final class WindowTimes {
    /** Above this number, neighbouring windows are merged in pairs. */
    static final int MOST = 512;

    private static final int BITS = 5;
    private static final int BUCKETS = (53 - BITS) << BITS;

    private int shift = 16;
    private Map<Long, int[]> windows = new HashMap<>();
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private long cachedKey = Long.MIN_VALUE;
    private int @Nullable [] cached;

    void add(long startNanos, long durationNanos) {
        long key = startNanos >> shift;
        int[] counts = cached;
        if (counts == null || key != cachedKey) {
            first = Math.min(first, key);
            last = Math.max(last, key);
            while (last - first >= MOST) {
                coarsen();
            }
            key = startNanos >> shift;
            counts = windows.computeIfAbsent(key, none -> new int[BUCKETS]);
            cached = counts;
            cachedKey = key;
        }
        counts[Math.min(BUCKETS - 1, bucket(durationNanos, BITS))]++;
    }

    private void coarsen() {
        Map<Long, int[]> merged = new HashMap<>();
        windows.forEach((key, counts) -> merged.merge(key >> 1, counts, WindowTimes::sum));
        windows = merged;
        first >>= 1;
        last >>= 1;
        shift++;
        cached = null;
    }

    private static int[] sum(int[] one, int[] other) {
        for (int i = 0; i < one.length; i++) {
            one[i] += other[i];
        }
        return one;
    }

    /** The bucket of a duration, where each power of two has {@code 1 << bits} buckets. */
    static int bucket(long nanos, int bits) {
        long value = Math.max(0, nanos);
        int exponent = Math.max(0, 63 - Long.numberOfLeadingZeros(value) - bits);
        return (exponent << bits) + (int) (value >> exponent);
    }

    static long lowest(int bucket, int bits) {
        int exponent = Math.max(0, (bucket >> bits) - 1);
        return (long) (bucket - (exponent << bits)) << exponent;
    }

    static long highest(int bucket, int bits) {
        return lowest(bucket + 1, bits) - 1;
    }

    int count() {
        return windows.isEmpty() ? 0 : (int) (last - first + 1);
    }

    long widthNanos() {
        return 1L << shift;
    }

    long atNanos(int window) {
        return (first + window) << shift;
    }

    /** The window of a time, or the nearest window. */
    int windowOf(long nanos) {
        return (int) Math.max(0, Math.min(count() - 1L, (nanos >> shift) - first));
    }

    /** How many requests started in a window. */
    long startsIn(int window) {
        int[] counts = windows.get(first + window);
        long sum = 0;
        for (int i = 0; counts != null && i < counts.length; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /** Adds the durations of a window with the given total weight; false if the window is empty. */
    boolean spread(int window, double weight, Masses into) {
        int[] counts = windows.get(first + window);
        long sum = startsIn(window);
        if (counts == null || sum == 0) {
            return false;
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                into.add(highest(i, BITS), weight * counts[i] / sum);
            }
        }
        return true;
    }

    /** Durations with fractional weights, in buckets narrower than 1 %. Not thread-safe. */
    static final class Masses {
        private static final int BITS = 7;
        private final double[] weights = new double[(64 - BITS) << BITS];
        private double sum;

        void add(long nanos, double weight) {
            weights[bucket(nanos, BITS)] += weight;
            sum += weight;
        }

        /** The lowest bucket at or above the percentile. */
        private int bucketAt(double percentile) {
            double targetWeight = sum * percentile / 100;
            double weightSoFar = 0;
            int last = 0;
            for (int i = 0; i < weights.length; i++) {
                if (weights[i] > 0) {
                    weightSoFar += weights[i];
                    last = i;
                    if (weightSoFar >= targetWeight) {
                        return i;
                    }
                }
            }
            return last;
        }

        /** A lower bound of the percentile. */
        long atLeast(double percentile) {
            return lowest(bucketAt(percentile), BITS);
        }

        /** An upper bound of the percentile. */
        long atMost(double percentile) {
            return highest(bucketAt(percentile), BITS);
        }
    }
}
