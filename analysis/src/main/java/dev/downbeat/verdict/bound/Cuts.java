package dev.downbeat.verdict.bound;

/**
 * Where a run is cut into stretches of about equal length. A tick that comes late makes one interval longer and the next one
 * shorter: that is no stretch less, so what an interval has too much is lent to the next one. Not thread-safe.
 */
public final class Cuts {
    /** A length of a second may be this part shorter. */
    private static final int RESERVE = 20;

    private final long leastNanos;
    private long openNanos;
    private long lentNanos;
    private int openIntervals;

    /** Stretches of so many nanoseconds at least, but for ticks that come late. */
    public Cuts(long leastNanos) {
        this.leastNanos = leastNanos;
    }

    /** Whether a stretch ends with this interval, the next one in the order of time. */
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
