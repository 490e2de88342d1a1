package dev.downbeat.audit;

import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * Whether requests start at one constant pace whatever the service does, but for holes: then what is missing in a hole was
 * planned. Not thread-safe.
 */
final class Pace {
    private static final int LEAST = 100;
    private static final int PART = 10;

    private final Histogram gaps = Distribution.newHistogram();
    private long lastStart = Long.MIN_VALUE;

    /** Counts the next request of the file. */
    void add(long startNanos) {
        if (lastStart != Long.MIN_VALUE) {
            gaps.recordValue(Math.min(Distribution.MAX_NANOS, Math.abs(startNanos - lastStart)));
        }
        lastStart = startNanos;
    }

    /** Whether nine tenths of the gaps between starts are the same, up to a tenth or what the file can tell. */
    boolean isConstant(long resolutionNanos) {
        if (gaps.getTotalCount() < LEAST) {
            return false;
        }
        long usual = gaps.getValueAtPercentile(50);
        return usual > 4 * resolutionNanos
                && gaps.getValueAtPercentile(95) - gaps.getValueAtPercentile(5) <= usual / PART + 2 * resolutionNanos;
    }
}
