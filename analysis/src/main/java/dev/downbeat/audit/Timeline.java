package dev.downbeat.audit;

import java.util.Arrays;

/**
 * Starts and ends of requests in at most 2^20 bins. Bins double in width as the timeline grows, so memory is bounded
 * for any file. Not thread-safe.
 */
final class Timeline {
    /** The upper limit of the number of bins. */
    static final int MOST_BINS = 1 << 20;

    private static final int FIRST_SHIFT = 10;

    private int shift = FIRST_SHIFT;
    private long firstKey;
    private int count;
    private int[] starts = new int[1024];
    private int[] ends = new int[1024];

    /** Counts a request; both times are nanoseconds relative to the same instant. */
    void add(long startNanos, long endNanos) {
        int start = index(startNanos); // before using the arrays, which it may replace
        starts[start]++;
        int end = index(endNanos);
        ends[end]++;
    }

    /** The bin of a time; widens the timeline if needed. */
    private int index(long nanos) {
        long key = nanos >> shift;
        if (count == 0) {
            firstKey = key;
            count = 1;
            return 0;
        }
        long low = Math.min(key, firstKey);
        long high = Math.max(key, firstKey + count - 1);
        while (high - low >= MOST_BINS) {
            coarsen();
            key = nanos >> shift;
            low = Math.min(key, firstKey);
            high = Math.max(key, firstKey + count - 1);
        }
        int needed = (int) (high - low + 1);
        if (low < firstKey) {
            int by = (int) (firstKey - low);
            starts = shifted(starts, by, needed);
            ends = shifted(ends, by, needed);
            firstKey = low;
        } else if (needed > count) {
            if (needed > starts.length) {
                int length = Math.min(MOST_BINS, Math.max(needed, 2 * starts.length));
                starts = Arrays.copyOf(starts, length);
                ends = Arrays.copyOf(ends, length);
            }
            Arrays.fill(starts, count, needed, 0);
            Arrays.fill(ends, count, needed, 0);
        }
        count = needed;
        return (int) (key - firstKey);
    }

    private int[] shifted(int[] bins, int by, int needed) {
        int[] moved = new int[Math.max(needed, bins.length)];
        System.arraycopy(bins, 0, moved, by, count);
        return moved;
    }

    private void coarsen() {
        long low = firstKey >> 1;
        int bins = (int) (((firstKey + count - 1) >> 1) - low + 1);
        int odd = (int) (firstKey & 1);
        halve(starts, odd, bins);
        halve(ends, odd, bins);
        firstKey = low;
        count = bins;
        shift++;
    }

    /**
     * Merges pairs of bins in place. If {@code odd} is 1, the first bin is unpaired, and so may be the last. Bins
     * beyond the new end are cleared when the timeline grows.
     */
    private void halve(int[] counts, int odd, int bins) {
        int pairs = (count + odd) / 2;
        for (int bin = odd, one = odd; bin < pairs; bin++, one += 2) {
            counts[bin] = counts[one] + counts[one + 1];
        }
        if (pairs < bins) {
            counts[pairs] = counts[2 * pairs - odd];
        }
    }

    int bins() {
        return count;
    }

    long widthNanos() {
        return 1L << shift;
    }

    long atNanos(int bin) {
        return (firstKey + bin) << shift;
    }

    /** The bin of a time, or the nearest bin within the timeline. */
    int binOf(long nanos) {
        return (int) Math.max(0, Math.min(count - 1, (nanos >> shift) - firstKey));
    }

    int startsIn(int bin) {
        return starts[bin];
    }

    int endsIn(int bin) {
        return ends[bin];
    }

    /** Requests that started from one bin up to, but not including, another. */
    long startsFrom(int bin, int until) {
        long sum = 0;
        for (int i = Math.max(0, bin); i < Math.min(count, until); i++) {
            sum += starts[i];
        }
        return sum;
    }
}
