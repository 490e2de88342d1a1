package dev.downbeat.time;

import java.util.concurrent.locks.LockSupport;

/**
 * Parks the thread first, since that costs nothing, and spins at the end, since no kernel wakes a thread on time. It keeps no
 * state, so any number of threads may share it.
 *
 * @param clock the clock to wait by; one that runs with real time
 * @param spinNanos how long before the instant to stop parking and spin, in nanoseconds: 0 never spins for long,
 *     {@link Long#MAX_VALUE} never parks
 */
public record ParkThenSpin(NanoClock clock, long spinNanos) implements Waiter {
    /**
     * A waiter.
     *
     * @throws IllegalArgumentException if {@code spinNanos} is negative
     */
    public ParkThenSpin {
        if (spinNanos < 0) {
            throw new IllegalArgumentException("spinNanos must be at least 0, but was " + spinNanos);
        }
    }

    @Override
    public long awaitUntil(long instantAt) {
        while (true) {
            long nowAt = clock.nanoTime();
            long leftNanos = instantAt - nowAt;
            if (leftNanos <= 0 || Thread.currentThread().isInterrupted()) {
                return nowAt;
            }
            if (leftNanos > spinNanos) {
                LockSupport.parkNanos(this, leftNanos - spinNanos);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
