package dev.downbeat.loopback;

import dev.downbeat.time.Stall;
import java.util.Arrays;
import java.util.List;

/**
 * Computes when each request is due from its arrival and service time: a queue in order of arrival with a number of
 * slots, and planned stalls.
 *
 * <p>Slots are arithmetic, not locks. A request starts exactly when its predecessor was due, not when a thread woke up,
 * so the queue follows its configured law however late the threads are. Thread-safe. Reads no clock.
 */
final class ServiceSlots {
    private final List<Stall> stalls;
    /** A heap by instant: the slot that becomes free first is at index 0. Empty without a limit. */
    private final long[] freeAt;

    private boolean begun;
    private long firstRequestAt;

    /** @param limit maximum number of requests in service, 0 for no limit */
    ServiceSlots(int limit, List<Stall> stalls) {
        this.stalls = stalls;
        this.freeAt = new long[limit];
    }

    /** When the response to a request that arrived at the given instant is due. */
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
            // A thread may have read the clock before the first request's thread, and then waited for the lock.
            long startAt = arrivedAt - firstRequestAt > 0 ? arrivedAt : firstRequestAt;
            if (freeAt.length > 0 && freeAt[0] - startAt > 0) {
                startAt = freeAt[0];
            }
            long dueAt = firstRequestAt + Stall.resumeNanos(stalls, startAt - firstRequestAt + serviceNanos);
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
