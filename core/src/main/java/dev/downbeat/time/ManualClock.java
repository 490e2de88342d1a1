package dev.downbeat.time;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves only when it is told to, for runs in virtual time. Waiting for an instant moves it there, so
 * nobody ever sleeps.
 *
 * <p>Safe for use by any number of threads, though only one that moves it gives a run that can be repeated.
 */
public final class ManualClock implements NanoClock, Waiter {
    private final AtomicLong nowAt;

    /**
     * Makes a clock that shows an instant.
     *
     * @param startAt the first reading; any long, since instants are compared by subtraction
     */
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

    /**
     * Moves the clock on.
     *
     * @param nanos by how much, in nanoseconds
     * @throws IllegalArgumentException if {@code nanos} is negative
     */
    public void advanceNanos(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos must be at least 0, but was " + nanos);
        }
        nowAt.addAndGet(nanos);
    }

    /**
     * Moves the clock to an instant, never back.
     *
     * @param at the new reading
     * @throws IllegalArgumentException if {@code at} lies before the present reading
     */
    public void moveTo(long at) {
        nowAt.updateAndGet(now -> {
            if (at - now < 0) {
                throw new IllegalArgumentException("at must not be before " + now + ", but was " + at);
            }
            return at;
        });
    }

    /** Moves the clock to the instant, if it lies ahead. Takes no time, so an interrupt has nothing to end early. */
    @Override
    public long awaitUntil(long instantAt) {
        return nowAt.updateAndGet(now -> instantAt - now > 0 ? instantAt : now);
    }
}
