package dev.downbeat.loopback;

import dev.downbeat.loopback.options.StallPlan;
import java.util.Arrays;

/**
 * When each request is due, given when it arrived and how long it takes: a queue in order of arrival before a number of
 * slots, and a plan of stalls.
 *
 * <p>The slots are arithmetic, not locks: a request starts at the very instant its predecessor was due, not when some
 * thread woke up, so the queue has exactly the law that was asked for however late the threads are. Thread-safe. Reads
 * no clock.
 */
final class ServiceSlots {
    private final StallPlan stalls;
    /** A heap by instant: the slot that is free first is at index 0. Empty if there is no limit. */
    private final long[] freeAt;

    private boolean begun;
    private long firstRequestAt;

    /**
     * @param limit most requests in service at once, 0 for no limit
     */
    ServiceSlots(int limit, StallPlan stalls) {
        this.stalls = stalls;
        this.freeAt = new long[limit];
    }

    /** The instant at which the answer to a request may leave that arrived at the given instant. */
    long admit(long arrivedAt, long serviceNanos) {
        if (freeAt.length == 0 && stalls.isEmpty()) {
            return arrivedAt + serviceNanos;
        }
        synchronized (this) {
            if (!begun) {
                begun = true;
                firstRequestAt = arrivedAt;
                Arrays.fill(freeAt, arrivedAt);
            }
            // A thread may have taken its instant before the first one here, and then waited for the lock.
            long startAt = arrivedAt - firstRequestAt > 0 ? arrivedAt : firstRequestAt;
            if (freeAt.length > 0 && freeAt[0] - startAt > 0) {
                startAt = freeAt[0];
            }
            long dueAt = firstRequestAt + stalls.resumeNanos(startAt - firstRequestAt + serviceNanos);
            if (freeAt.length > 0) {
                replaceEarliest(dueAt);
            }
            return dueAt;
        }
    }

    private void replaceEarliest(long dueAt) {
        int hole = 0;
        while (true) {
            int child = 2 * hole + 1;
            if (child >= freeAt.length) {
                break;
            }
            if (child + 1 < freeAt.length && freeAt[child + 1] - freeAt[child] < 0) {
                child++;
            }
            if (freeAt[child] - dueAt >= 0) {
                break;
            }
            freeAt[hole] = freeAt[child];
            hole = child;
        }
        freeAt[hole] = dueAt;
    }
}
