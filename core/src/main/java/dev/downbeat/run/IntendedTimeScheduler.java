package dev.downbeat.run;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.Waiter;
import java.util.Objects;

/**
 * Calls back at each intended time, for programs that send with a client of their own. It never skips a time and never
 * moves one: if the callback is slow, the next call is late and is told its intended instant all the same, so that the
 * delay can be counted. A callback that waits for its response turns an open workload into a closed one; hand the
 * request over and return.
 *
 * <p>Not thread-safe but for {@link #stop}: one thread runs it, once.
 */
public final class IntendedTimeScheduler {
    private final IntendedTimes times;
    private final NanoClock clock;
    private final Waiter waiter;
    private volatile boolean stopped;

    /** Told of one intended time after the other. */
    @FunctionalInterface
    public interface Beat {
        /**
         * A request is meant to start.
         *
         * @param index which, from 0
         * @param intendedAt when, on the scheduler's clock in nanoseconds; measure from here, not from now
         */
        void at(long index, long intendedAt);
    }

    /**
     * A scheduler for one pass over the times.
     *
     * @param waiter waits by the same clock
     */
    public IntendedTimeScheduler(IntendedTimes times, NanoClock clock, Waiter waiter) {
        this.times = Objects.requireNonNull(times, "times");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.waiter = Objects.requireNonNull(waiter, "waiter");
    }

    /** By the system's clock; the last 100 us of each wait are spun away. */
    public static IntendedTimeScheduler system(IntendedTimes times) {
        return new IntendedTimeScheduler(times, NanoClock.system(), Waiter.parkThenSpin(NanoClock.system(), 100_000));
    }

    /**
     * Calls back at each intended time that lies before {@code durationNanos} after now; returns after the last, or
     * early if stopped or interrupted.
     *
     * @return how many times it called
     */
    public long run(long durationNanos, Beat beat) {
        long startAt = clock.nanoTime();
        long called = 0;
        for (long nanos = times.nextNanos(); nanos < durationNanos; nanos = times.nextNanos()) {
            long intendedAt = startAt + nanos;
            if (waiter.awaitUntil(intendedAt) - intendedAt < 0 || stopped) {
                return called;
            }
            beat.at(times.index(), intendedAt);
            called++;
        }
        return called;
    }

    /** Ends {@link #run} before its next call. Thread-safe; does not wake a wait. */
    public void stop() {
        stopped = true;
    }
}
