package dev.downbeat.load;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls back at each intended time: the scheduler for your own load generator, whose requests a {@link
 * GeneratorRecorder} counts.
 *
 * <pre>{@code
 * GeneratorRecorder orders = GeneratorRecorder.of("orders");
 * IntendedTimeScheduler.of(Arrivals.perSecond(500)).run(Duration.ofSeconds(30), (index, intendedAt) -> {
 *     Request request = orders.request(intendedAt);
 *     client.sendAsync(order(index), response -> request.answered());
 * });
 * }</pre>
 *
 * <p>It never skips or moves an intended time. After a slow callback, the next call is late but receives its original
 * instant, so the delay counts. A callback that waits for its response turns an open load into a closed loop: hand the
 * request over and return.
 *
 * <p>It runs once: one thread runs it, and any may {@link #stop} it. A null argument throws a {@link
 * NullPointerException}.
 */
public final class IntendedTimeScheduler {
    /** A parked thread wakes some tens of microseconds late. */
    private static final long SPIN_NANOS = 100_000;

    /** A wait in pieces ends soon after {@link #stop}. */
    private static final long LONGEST_PIECE_NANOS = 100_000_000;

    private final IntendedTimes times;
    private final NanoClock clock;
    private final Waiter waiter;
    private final AtomicBoolean isUsed = new AtomicBoolean();
    private volatile boolean stopped;

    /** Receives the intended times in order. */
    @FunctionalInterface
    public interface Callback {
        /**
         * A request should start.
         *
         * @param index index of the request, from 0
         * @param intendedAt intended start, on the scale of {@link System#nanoTime}; measure from here, not from now
         */
        void at(long index, long intendedAt);
    }

    IntendedTimeScheduler(IntendedTimes times, NanoClock clock, Waiter waiter) {
        this.times = times;
        this.clock = clock;
        this.waiter = waiter;
    }

    /**
     * A scheduler with the seed 42, as that of a {@link Load}.
     *
     * @param arrivals the intended times
     */
    public static IntendedTimeScheduler of(Arrivals arrivals) {
        return of(arrivals, LoadSettings.DEFAULT_SEED);
    }

    /**
     * A scheduler on the system clock. It spins for the last 100 us of each wait, because a parked thread wakes late.
     *
     * @param arrivals the intended times
     * @param seed selects one of the possible random schedules
     */
    public static IntendedTimeScheduler of(Arrivals arrivals, long seed) {
        NanoClock clock = NanoClock.system();
        return new IntendedTimeScheduler(arrivals.process(seed).times(), clock, new ParkThenSpin(clock, SPIN_NANOS));
    }

    /**
     * Calls back at each intended time within this duration from now. Returns after the last one, or early if stopped
     * or interrupted; the interrupt flag then stays set. Exceptions of the callback are passed on.
     *
     * @param duration above zero, at most 3650 days
     * @return the number of calls made
     * @throws IllegalArgumentException if {@code duration} is out of range
     * @throws IllegalStateException if it ran before: the times of a schedule are used up
     */
    public long run(Duration duration, Callback callback) {
        Objects.requireNonNull(callback, "callback");
        long durationNanos = ArgumentChecks.aboveZero("duration", duration).toNanos();
        if (!isUsed.compareAndSet(false, true)) {
            throw new IllegalStateException("a scheduler runs once: make another by IntendedTimeScheduler.of");
        }
        long startAt = clock.nanoTime();
        long called = 0;
        for (long nanos = times.nextNanos(); nanos < durationNanos; nanos = times.nextNanos()) {
            long intendedAt = startAt + nanos;
            if (!awaits(intendedAt)) {
                return called;
            }
            callback.at(times.index(), intendedAt);
            called++;
        }
        return called;
    }

    /** Returns whether the instant came before a stop or an interrupt. */
    private boolean awaits(long instantAt) {
        long pieceAt = clock.nanoTime();
        while (!stopped && instantAt - pieceAt > LONGEST_PIECE_NANOS) {
            pieceAt += LONGEST_PIECE_NANOS;
            if (waiter.awaitUntil(pieceAt) - pieceAt < 0) {
                return false;
            }
        }
        return !stopped && waiter.awaitUntil(instantAt) - instantAt >= 0 && !stopped;
    }

    /** Ends {@link #run} before its next call, and a wait in progress within a tenth of a second. Thread-safe. */
    public void stop() {
        stopped = true;
    }
}
