package dev.downbeat.load;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.Waiter;
import java.time.Duration;
import java.util.Objects;

/**
 * Calls back at each intended time: the beat for a load generator of one's own, whose requests a {@link LiveRecorder} counts.
 *
 * <pre>{@code
 * LiveRecorder orders = LiveRecorder.ofGenerator("orders");
 * IntendedTimeScheduler.of(Arrivals.perSecond(500), 42).run(Duration.ofSeconds(30), (index, intendedAt) -> {
 *     Request request = orders.request(intendedAt);
 *     client.sendAsync(order(index), response -> request.answered());
 * });
 * }</pre>
 *
 * <p>It never skips a time and never moves one: if the callback is slow, the next call is late and is given its intended
 * instant all the same, so that the delay counts. A callback that waits for its response turns an open load into a closed loop:
 * hand the request over and return.
 *
 * <p>Use once: one thread runs it, and any may {@link #stop} it. An argument that is null is refused with a {@link
 * NullPointerException}.
 */
public final class IntendedTimeScheduler {
    /** A parked thread wakes some tens of microseconds late. */
    private static final long SPIN_NANOS = 100_000;

    private final IntendedTimes times;
    private final NanoClock clock;
    private final Waiter waiter;
    private volatile boolean stopped;

    /** Told of one intended time after the other. */
    @FunctionalInterface
    public interface Callback {
        /**
         * A request is meant to start.
         *
         * @param index which, from 0
         * @param intendedAt when, in nanoseconds as {@link System#nanoTime}; measure from here, not from now
         */
        void at(long index, long intendedAt);
    }

    IntendedTimeScheduler(IntendedTimes times, NanoClock clock, Waiter waiter) {
        this.times = times;
        this.clock = clock;
        this.waiter = waiter;
    }

    /**
     * By the system's clock. The last 100 us of each wait are spun away, since a parked thread wakes late.
     *
     * @param arrivals the law of the intended times
     * @param seed which of the possible random times they are
     */
    public static IntendedTimeScheduler of(Arrivals arrivals, long seed) {
        NanoClock clock = NanoClock.system();
        return new IntendedTimeScheduler(arrivals.process(seed).times(), clock, new ParkThenSpin(clock, SPIN_NANOS));
    }

    /**
     * Calls back at each intended time within so long from now; returns after the last one, or early if it is stopped or its
     * thread interrupted, whose flag then stays set. What the callback throws comes through.
     *
     * @param duration above zero, at most 3650 days
     * @return how many times it called
     * @throws IllegalArgumentException if {@code duration} is out of range
     */
    public long run(Duration duration, Callback callback) {
        Objects.requireNonNull(callback, "callback");
        long durationNanos = Given.aboveZero("duration", duration).toNanos();
        long startAt = clock.nanoTime();
        long called = 0;
        for (long nanos = times.nextNanos(); nanos < durationNanos; nanos = times.nextNanos()) {
            long intendedAt = startAt + nanos;
            if (waiter.awaitUntil(intendedAt) - intendedAt < 0 || stopped) {
                return called;
            }
            callback.at(times.index(), intendedAt);
            called++;
        }
        return called;
    }

    /** Ends {@link #run} before its next call. Thread-safe; does not wake a wait. */
    public void stop() {
        stopped = true;
    }
}
