package dev.downbeat.audit;

import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * Whether requests start at a constant rate regardless of the service. Gaps in such a schedule are requests that were
 * planned but not sent. Not thread-safe.
 */
final class Pace {
    private static final int LEAST = 100;
    private static final int PART = 10;

    private final Histogram gaps = Distribution.newHistogram();
    private long lastStart = Long.MIN_VALUE;

    /** Adds the next request in file order. */
    void add(long startNanos) {
        if (lastStart != Long.MIN_VALUE) {
            gaps.recordValue(Math.min(Distribution.MAX_NANOS, Math.abs(startNanos - lastStart)));
        }
        lastStart = startNanos;
    }

    /**
     * Whether at least 90 % of the gaps between starts are equal, within 10 % or the file's resolution, and vary less
     * than the durations. A closed loop's gaps vary with its durations.
     *
     * @param durations durations of the requests
     */
    boolean isConstant(long resolutionNanos, Histogram durations) {
        if (gaps.getTotalCount() < LEAST) {
            return false;
        }
        long usual = gaps.getValueAtPercentile(50);
        long spread = spread(gaps);
        return usual > 4 * resolutionNanos
                && spread <= usual / PART + 2 * resolutionNanos
                && 2 * spread < spread(durations);
    }

    private static long spread(Histogram values) {
        return values.getValueAtPercentile(95) - values.getValueAtPercentile(5);
    }
}
