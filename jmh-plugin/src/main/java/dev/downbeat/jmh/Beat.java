package dev.downbeat.jmh;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.jmh.iteration.Recorded;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.TimerSlack;
import dev.downbeat.time.Waiter;
import java.time.Duration;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Paces a benchmark: a method that has one as a parameter begins each operation at its intended time, or as soon after it
 * as its thread is free. What callers would have waited, from the intended times, is published by {@link
 * DownbeatProfiler}.
 *
 * <pre>
 * &#64;Benchmark
 * public Object handshake(Beat beat, Client client) { return client.connect(); }
 * </pre>
 *
 * <p>JMH itself starts its stopwatch after the wait, when an operation begins at last: its own score is the service time,
 * in every mode. An operation that stalls is one long one to JMH; those that were meant to begin meanwhile are
 * never seen to be late.
 *
 * <p>Of the time from the intended beginning to the end of an operation, the part in which the thread was busy with the one
 * before is the backlog wait, the part by which it then began late nevertheless is lateness, our own fault, and the rest is
 * the service time. Operations that were due and had not begun when the iteration ended count with the time that they had
 * waited; the ledger calls them never sent.
 *
 * <p>Both readings of the clock and the waiting are in fixtures of {@code Level.Invocation}. Another such fixture of the
 * benchmark would run at a place that JMH does not promise, and may count as service time: do without. Operations must
 * take {@value #LEAST_SERVICE_MICROS} us or more: of shorter ones the pacing itself, which takes about a hundred nanoseconds
 * and leaves the caches cold, would be a part that matters. Fewer threads than cores keep the lateness small, since waiting
 * ends with a spin.
 *
 * <p>Not thread-safe: one for each thread, as JMH makes them.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls join and begin before it measures
public class Beat {
    /** Operations whose median is below this are refused. */
    static final int LEAST_SERVICE_MICROS = 10;

    private static final long LEAST_SERVICE_NANOS = LEAST_SERVICE_MICROS * 1_000L;

    /** A parked thread wakes some tens of microseconds late. */
    private static final long SPIN_NANOS = Duration.ofNanos(100_000).toNanos();

    private final NanoClock clock;
    private final Waiter waiter;
    private final CorrectedRecorder recorder = new CorrectedRecorder();
    private final Exchange exchange = new Exchange(0);
    private Tempo tempo;
    private int share;
    private IntendedTimes times;
    private long startAt;
    private long nextNanos;
    private long freeAt;

    /** For JMH. */
    public Beat() {
        this(NanoClock.system(), new ParkThenSpin(NanoClock.system(), SPIN_NANOS));
    }

    Beat(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        this.waiter = waiter;
    }

    /** Takes a share of the schedule. */
    @Setup(Level.Trial)
    public void join(Tempo shared) {
        tempo = shared;
        share = shared.join();
        TimerSlack.reduceForThisThread();
    }

    /** Begins with the schedule of the iteration. */
    @Setup(Level.Iteration)
    public void begin() {
        startAt = tempo.startAt();
        times = tempo.times(share);
        nextNanos = times.nextNanos();
        freeAt = startAt;
        recorder.startsAt(startAt);
        recorder.drain();
    }

    /**
     * Waits for the intended time of the next operation.
     *
     * @throws InterruptedException if JMH interrupts the wait, as it does after its time limit
     */
    @Setup(Level.Invocation)
    public void await() throws InterruptedException {
        long intendedAt = startAt + nextNanos;
        long nowAt = waiter.awaitUntil(intendedAt);
        if (nowAt - intendedAt < 0) {
            throw new InterruptedException("interrupted while waiting for the intended time of an operation");
        }
        long possibleAt = freeAt - intendedAt > 0 ? freeAt : intendedAt;
        exchange.begin(intendedAt, intendedAt + (nowAt - possibleAt), nowAt);
    }

    /** Records the operation. */
    @TearDown(Level.Invocation)
    public void end() {
        freeAt = clock.nanoTime();
        exchange.completedAt = freeAt;
        exchange.firstByteAt = freeAt;
        recorder.completed(exchange);
        nextNanos = times.nextNanos();
    }

    /**
     * Hands over what was recorded.
     *
     * @throws IllegalStateException if the operations are too short to be paced
     */
    @TearDown(Level.Iteration)
    public void publish(IterationParams iteration) {
        Recording recording = drain(clock.nanoTime());
        if (Recorded.isOpen()) {
            if (iteration.getType() == IterationType.MEASUREMENT) {
                requireLongEnough(recording);
            }
            Recorded.publish(recording);
        }
    }

    /** All that was meant to begin before an instant. */
    Recording drain(long endAt) {
        for (; isBefore(endAt, nextNanos); nextNanos = times.nextNanos()) {
            long intendedAt = startAt + nextNanos;
            exchange.begin(intendedAt, intendedAt, endAt);
            recorder.neverSent(exchange, endAt - intendedAt);
        }
        recorder.planned(plannedBefore(endAt));
        return recorder.drain();
    }

    /** Counted from the schedule alone, so that an operation lost on the way would show in the ledger. */
    private long plannedBefore(long endAt) {
        IntendedTimes all = tempo.times(share);
        long count = 0;
        while (isBefore(endAt, all.nextNanos())) {
            count++;
        }
        return count;
    }

    private boolean isBefore(long endAt, long nanos) {
        return nanos < endAt - startAt;
    }

    static void requireLongEnough(Recording recording) {
        long median = recording.service().valueAtPercentile(50);
        if (!recording.service().isEmpty() && median < LEAST_SERVICE_NANOS) {
            throw new IllegalStateException("an operation that is paced must take at least " + LEAST_SERVICE_MICROS
                    + " us, but the median was " + DurationText.rounded(median)
                    + ": pacing would cost too much of it; measure it without a Beat, as JMH does");
        }
    }
}
