package dev.downbeat.gatling.ledger;

/** The number of requests waiting for a throttle, and its maximum. Not thread-safe. */
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

    /** Resets the maximum to the current number. */
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
