package dev.downbeat.time;

import java.util.concurrent.locks.LockSupport;

record ParkThenSpin(NanoClock clock, long spinNanos) implements Waiter {
    ParkThenSpin {
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
