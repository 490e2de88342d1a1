package dev.downbeat.run;

/**
 * Tells which part of a wait is ours. A request that becomes due while no slot is free waits for the target, and is as
 * good as dispatched at its intended time; but not while this thread itself stood still, for then nobody would have
 * sent it had there been a slot.
 *
 * <p>The backlog itself is not kept: it is what the agenda has due. Kept are only the standstills of this thread that
 * fell into it, in a ring of fixed size; when the ring is full, the newest two are joined, which blames us too much
 * rather than too little.
 */
final class Backlog {
    /** Turns of the loop that come later than asked by more than this count as standstills. */
    static final long STANDSTILL_NANOS = 200_000;

    private final long[] from = new long[64];
    private final long[] until = new long[64];
    private int head;
    private int count;
    private boolean saturated;
    private long saturatedAt;

    /** Whether no slot was free when the last turn of the loop ended. */
    boolean isSaturated() {
        return saturated;
    }

    /**
     * A turn of the loop begins.
     *
     * @param askedFor when the loop had asked to be woken at the latest
     */
    void turn(long askedFor, long now) {
        if (now - askedFor > STANDSTILL_NANOS) {
            add(askedFor, now);
        }
    }

    private void add(long fromAt, long untilAt) {
        if (count == from.length) {
            until[(head + count - 1) % from.length] = untilAt;
            return;
        }
        int end = (head + count++) % from.length;
        from[end] = fromAt;
        until[end] = untilAt;
    }

    /** A turn of the loop ends: {@code saturated} if no slot is free for what is or becomes due. */
    void turned(boolean saturated, long now) {
        if (saturated && !this.saturated) {
            saturatedAt = now;
        }
        this.saturated = saturated;
        if (!saturated) {
            count = 0;
        }
    }

    /**
     * When the generator noticed, or would have noticed, the request. Ask in the order of intended times.
     *
     * @param now when it is being sent or given up
     */
    long dispatchedAt(long intendedAt, long now) {
        while (count > 0 && intendedAt - until[head] > 0) {
            head = (head + 1) % from.length;
            count--;
        }
        if (count > 0 && intendedAt - from[head] >= 0) {
            return earlier(until[head], now);
        }
        if (saturated) {
            return intendedAt - saturatedAt >= 0 ? intendedAt : earlier(saturatedAt, now);
        }
        return now;
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }
}
