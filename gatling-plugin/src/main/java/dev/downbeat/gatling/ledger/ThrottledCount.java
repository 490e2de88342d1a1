package dev.downbeat.gatling.ledger;

/** How many requests wait for a throttle, and when they were most. Not thread-safe. */
final class ThrottledCount {
    private long count;
    private long peak;
    private long peakAt;

    ThrottledCount(long startAt) {
        peakAt = startAt;
    }

    void add(int change, long nowAt) {
        count += change;
        if (count > peak) {
            peak = count;
            peakAt = nowAt;
        }
    }

    /** Forgets when they were most: those that wait now are the most so far. */
    void restart(long nowAt) {
        peak = count;
        peakAt = nowAt;
    }

    long peak() {
        return peak;
    }

    long peakAt() {
        return peakAt;
    }
}
