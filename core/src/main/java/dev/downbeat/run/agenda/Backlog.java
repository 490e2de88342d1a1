package dev.downbeat.run.agenda;

import dev.downbeat.run.Saturation;

/**
 * Tells which part of a wait is ours. A request that becomes due while no slot is free waits for the target, and is as
 * good as dispatched at its intended time; but not while this thread itself was paused, for then nobody would have
 * sent it had there been a slot.
 *
 * <p>The backlog itself is not kept: it is what the agenda has due. Kept are only the standstills of this thread that
 * fell into it, a fixed number of them; when there are more, the shortest is forgotten.
 */
public final class Backlog {
    /** Turns of the loop that come later than asked by more than this count as standstills. */
    public static final long STANDSTILL_NANOS = 200_000;

    private static final int KEPT = 256;

    /** Oldest first, from index 0 on. */
    private final long[] from = new long[KEPT];

    private final long[] until = new long[KEPT];
    private int count;
    private boolean saturated;
    private long saturatedAt;
    private long turnedAt;
    private long fullNanos;

    /** Whether requests waited for slots when the last turn of the loop ended. */
    public boolean isSaturated() {
        return saturated;
    }

    /**
     * How long no slot was free, and how much of that time this thread was busy.
     *
     * @param idleNanos how much of it the thread waited; negative if nobody knows
     */
    public Saturation saturation(long idleNanos) {
        return new Saturation(fullNanos(), idleNanos < 0 ? -1 : Math.max(0, fullNanos() - idleNanos));
    }

    /** For how long requests have waited for slots, since the start, in nanoseconds. */
    public long fullNanos() {
        return fullNanos;
    }

    /**
     * A turn of the loop begins.
     *
     * @param askedFor when the loop had asked to be woken at the latest
     */
    public void turn(long askedFor, long now) {
        if (now - askedFor > STANDSTILL_NANOS) {
            add(askedFor, now);
        }
    }

    private void add(long fromAt, long untilAt) {
        if (count == KEPT) {
            int shortest = 0;
            for (int i = 1; i < count; i++) {
                if (until[i] - from[i] < until[shortest] - from[shortest]) {
                    shortest = i;
                }
            }
            if (until[shortest] - from[shortest] >= untilAt - fromAt) {
                return;
            }
            remove(shortest);
        }
        from[count] = fromAt;
        until[count++] = untilAt;
    }

    private void remove(int index) {
        count--;
        System.arraycopy(from, index + 1, from, index, count - index);
        System.arraycopy(until, index + 1, until, index, count - index);
    }

    /**
     * A turn of the loop ends: {@code saturated} if no slot is free for what is or becomes due, or if what has waited for
     * one is not all sent yet.
     */
    public void turned(boolean saturated, long now) {
        if (this.saturated) {
            fullNanos += now - turnedAt; // with all the work of this turn, during which answers wait
        }
        turnedAt = now;
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
     * @param now when it is being sent or abandoned
     */
    public long dispatchedAt(long intendedAt, long now) {
        while (count > 0 && intendedAt - until[0] > 0) {
            remove(0);
        }
        if (count > 0 && intendedAt - from[0] >= 0) {
            return DueRequests.earlier(until[0], now);
        }
        if (saturated) {
            return intendedAt - saturatedAt >= 0 ? intendedAt : DueRequests.earlier(saturatedAt, now);
        }
        return now;
    }
}
