package dev.downbeat.verdict.bound;

/**
 * Cuts a run into stretches of about equal length. A late tick lengthens one interval and shortens the next. The excess
 * of an interval is credited to the next, so that no stretch is lost. Not thread-safe.
 */
public final class Cuts {
    /** A stretch may be shorter by one part in this number. */
    private static final int RESERVE = 20;

    private final long leastNanos;
    private long openNanos;
    private long lentNanos;
    private int openIntervals;

    /** Cuts stretches of at least this length, tolerating late ticks. */
    public Cuts(long leastNanos) {
        this.leastNanos = leastNanos;
    }

    /** Whether a stretch ends with this interval. Call in order of time. */
    public boolean isAfter(long intervalNanos) {
        openNanos += intervalNanos;
        openIntervals++;
        boolean isFull = openNanos + lentNanos >= leastNanos;
        if (isFull) {
            long meantNanos = leastNanos + leastNanos / (RESERVE - 1);
            long tooMuch = openIntervals == 1 ? openNanos - meantNanos : 0;
            lentNanos = Math.max(0, Math.min(leastNanos / 2, tooMuch));
            openNanos = 0;
            openIntervals = 0;
        }
        return isFull;
    }
}
