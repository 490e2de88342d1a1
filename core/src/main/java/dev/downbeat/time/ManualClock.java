package dev.downbeat.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A manually advanced clock for runs in virtual time. Waiting for an instant moves the clock there, so no thread ever
 * sleeps.
 *
 * <p>Thread-safe, though a run is reproducible only if one thread moves the clock.
 */
public final class ManualClock implements NanoClock, Waiter {
    private final AtomicLong nowAt;

    /** Starts at any reading, since instants are compared by subtraction. */
    public ManualClock(long startAt) {
        this.nowAt = new AtomicLong(startAt);
    }

    @Override
    public long nanoTime() {
        return nowAt.get();
    }

    @Override
    public boolean isVirtual() {
        return true;
    }

    public void advanceNanos(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos must be at least 0, but was " + nanos);
        }
        nowAt.addAndGet(nanos);
    }

    /** Moves the clock to an instant, never back. */
    public void moveTo(long at) {
        nowAt.updateAndGet(now -> {
            if (at - now < 0) {
                throw new IllegalArgumentException("at must not be before " + now + ", but was " + at);
            }
            return at;
        });
    }

    /** Moves the clock to the instant if it is in the future. Takes no time, so interrupts have no effect. */
    @Override
    public long awaitUntil(long instantAt) {
        return nowAt.updateAndGet(now -> instantAt - now > 0 ? instantAt : now);
    }
}
