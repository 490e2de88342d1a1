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

    /**
     * Whether nine tenths of the gaps between starts are the same, up to a tenth or what the file can tell, and more alike than
     * the durations: who waits for a response and thinks has gaps that vary with them.
     *
     * @param durations of the requests
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
