package dev.downbeat.run.agenda;

import dev.downbeat.run.LaneCounts.Saturation;
import dev.downbeat.time.NanoClock;

/**
 * Determines which part of a wait is Downbeat's. A request that becomes due with no slot free waits for the target, and
 * counts as dispatched at its intended start. The exception is a pause of this thread: it would not have sent the
 * request even with a free slot.
 *
 * <p>The backlog itself is not stored; it is what the agenda has due. Only this thread's pauses within it are stored,
 * up to a fixed number; beyond that the shortest is dropped.
 */
public final class Backlog {
    /** Loop iterations later than requested by more than this count as pauses. */
    public static final long PAUSE_NANOS = 200_000;

    private static final int KEPT = 256;

    /** Oldest first, from index 0. */
    private final long[] from = new long[KEPT];

    private final long[] until = new long[KEPT];
    private int count;
    private boolean saturated;
    private long saturatedAt;
    private long lastTurnAt;
    private long fullNanos;

    /** Whether requests were waiting for slots at the end of the last loop iteration. */
    public boolean isSaturated() {
        return saturated;
    }

    /**
     * Time without a free slot, and the part of it in which this thread was busy.
     *
     * @param idleNanos the part in which the thread waited; negative if unknown
     */
    public Saturation saturation(long idleNanos) {
        return new Saturation(fullNanos(), idleNanos < 0 ? -1 : Math.max(0, fullNanos() - idleNanos));
    }

    /** Total time that requests waited for slots, in nanoseconds. */
    public long fullNanos() {
        return fullNanos;
    }

    /** A loop iteration begins, which should have begun at {@code wakeAt} at the latest. */
    public void beginTurn(long wakeAt, long now) {
        if (now - wakeAt > PAUSE_NANOS) {
            add(wakeAt, now);
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
     * A loop iteration ends. It is {@code saturated} if no slot is free for requests that are or become due, or if
     * waiting requests are not all sent yet.
     */
    public void endTurn(boolean saturated, long now) {
        if (this.saturated) {
            fullNanos += now - lastTurnAt; // including all work of this iteration, for which responses wait
        }
        lastTurnAt = now;
        if (saturated && !this.saturated) {
            saturatedAt = now;
        }
        this.saturated = saturated;
        if (!saturated) {
            count = 0;
        }
    }

    /**
     * When the generator noticed the request, or would have. Call in order of intended start.
     *
     * @param now when it is sent or abandoned
     */
    public long dispatchedAt(long intendedAt, long now) {
        while (count > 0 && intendedAt - until[0] > 0) {
            remove(0);
        }
        if (count > 0 && intendedAt - from[0] >= 0) {
            return NanoClock.earlier(until[0], now);
        }
        if (saturated) {
            return intendedAt - saturatedAt >= 0 ? intendedAt : NanoClock.earlier(saturatedAt, now);
        }
        return now;
    }
}
