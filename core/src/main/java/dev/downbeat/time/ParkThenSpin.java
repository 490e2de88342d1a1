package dev.downbeat.time;

import java.util.concurrent.locks.LockSupport;

/**
 * Parks first, which is cheap, and spins at the end, because no kernel wakes a thread exactly on time. Stateless and
 * thread-safe.
 *
 * @param clock a real-time clock
 * @param spinNanos how long before the instant to switch from parking to spinning, in nanoseconds: 0 hardly spins,
 *     {@link Long#MAX_VALUE} never parks
 */
public record ParkThenSpin(NanoClock clock, long spinNanos) implements Waiter {
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
