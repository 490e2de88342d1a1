package dev.downbeat.jmh;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.jmh.iteration.IterationRecording;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.TimerSlack;
import dev.downbeat.time.Waiter;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Paces a benchmark: a method with this parameter begins each operation at its intended time, or as soon afterwards as
 * its thread is free. {@link DownbeatProfiler} publishes the response times from the intended start.
 *
 * <pre>
 * &#64;Benchmark
 * public Object handshake(IntendedStart start, Client client) { return client.connect(); }
 * </pre>
 *
 * <p>JMH starts its stopwatch after the wait, when an operation actually begins, so its own score is the service time
 * in every mode. JMH sees a stalled operation as one slow operation; the delay of those behind it is invisible.
 *
 * <p>The time from the intended start to the end of an operation has three parts. The time in which the thread was busy
 * with the previous operation is backlog wait. Any further delay of the start is lateness, caused by Downbeat. The rest
 * is service time. Operations that were due before the thread's last operation ended, but had not begun, count with their
 * wait so far; the ledger lists them as never sent. The schedule starts once a thread has finished all set-up of the
 * iteration; a thread that is ready later takes only the operations due from then on.
 *
 * <p>The clock readings and the wait are in fixtures of {@code Level.Invocation}. Avoid other such fixtures in the
 * benchmark: JMH does not define their order, so they may count as service time. Operations must take at least {@value
 * #LEAST_SERVICE_MICROS} us by Downbeat's median and, in {@code SampleTime}, by JMH's: pacing leaves cold caches, which costs microseconds. Use fewer threads
 * than cores to keep lateness small, because each wait ends with a spin.
 *
 * <p>Not thread-safe: JMH creates one per thread.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls join and begin before it measures
public class IntendedStart {
    /** A shorter median is rejected. */
    static final int LEAST_SERVICE_MICROS = 10;

    private static final long LEAST_SERVICE_NANOS = LEAST_SERVICE_MICROS * 1_000L;

    /** A parked thread wakes some tens of microseconds late. */
    private static final long SPIN_NANOS = 100_000;

    private final NanoClock clock;
    private final Waiter waiter;
    private final CorrectedRecorder recorder = new CorrectedRecorder();
    private final Exchange exchange = new Exchange(0);
    private PacedSchedule schedule;
    private int share;
    private IntendedTimes times;
    private boolean isReady;
    private long startAt;
    private long readyNanos;
    private long nextNanos;
    private long freeAt;

    /** For JMH. */
    public IntendedStart() {
        this(NanoClock.system(), new ParkThenSpin(NanoClock.system(), SPIN_NANOS));
    }

    IntendedStart(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        this.waiter = waiter;
    }

    /** Joins the shared schedule. */
    @Setup(Level.Trial)
    public void join(PacedSchedule shared) {
        schedule = shared;
        share = shared.join();
        TimerSlack.reduceForThisThread();
    }

    /** Resets the thread. Its schedule starts at its first operation, since other states may still be set up. */
    @Setup(Level.Iteration)
    public void begin() {
        isReady = false;
    }

    private void start() {
        isReady = true;
        startAt = schedule.startAt();
        freeAt = clock.nanoTime();
        readyNanos = freeAt - startAt;
        times = schedule.times(share);
        do {
            nextNanos = times.nextNanos();
        } while (nextNanos < readyNanos);
        recorder.startsAt(startAt);
    }

    /**
     * Waits for the intended start of the next operation.
     *
     * @throws InterruptedException if JMH interrupts the wait after its time limit
     */
    @Setup(Level.Invocation)
    public void await() throws InterruptedException {
        if (!isReady) {
            start();
        }
        long intendedAt = startAt + nextNanos;
        long nowAt = waiter.awaitUntil(intendedAt);
        if (nowAt - intendedAt < 0) {
            throw new InterruptedException("interrupted while waiting for the intended time of an operation");
        }
        long possibleAt = freeAt - intendedAt > 0 ? freeAt : intendedAt;
        exchange.begin(intendedAt, intendedAt + (nowAt - possibleAt), nowAt);
        // Last, since after a wait the code above runs out of cold caches and would count as service time.
        exchange.startedAt = clock.nanoTime();
        exchange.dispatchedAt += exchange.startedAt - nowAt;
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
     * Publishes the recording.
     *
     * @throws IllegalStateException if the operations are too short for pacing
     */
    @TearDown(Level.Iteration)
    public void publish(IterationParams iteration) {
        Recording recording = ended();
        if (IterationRecording.isOpen()) {
            if (iteration.getType() == IterationType.MEASUREMENT) {
                requireLongEnough(recording);
            }
            IterationRecording.publish(recording);
        }
    }

    /** Until its last operation ended: afterwards JMH makes a thread wait for the slowest one. */
    Recording ended() {
        return drain(freeAt);
    }

    /** Everything intended to begin before an instant. */
    Recording drain(long endAt) {
        if (!isReady) {
            start();
        }
        for (; isBefore(endAt, nextNanos); nextNanos = times.nextNanos()) {
            long intendedAt = startAt + nextNanos;
            exchange.begin(intendedAt, intendedAt, endAt);
            recorder.neverSent(exchange, endAt - intendedAt);
        }
        recorder.planned(plannedBefore(endAt));
        return recorder.drain();
    }

    /** Computed from the schedule alone, so that a lost operation would show in the ledger. */
    private long plannedBefore(long endAt) {
        IntendedTimes all = schedule.times(share);
        long count = 0;
        for (long nanos = all.nextNanos(); isBefore(endAt, nanos); nanos = all.nextNanos()) {
            if (nanos >= readyNanos) {
                count++;
            }
        }
        return count;
    }

    private boolean isBefore(long endAt, long nanos) {
        return nanos < endAt - startAt;
    }

    static void requireLongEnough(Recording recording) {
        if (!recording.service().isEmpty()) {
            requireLongEnough(recording.service().valueAtPercentile(50));
        }
    }

    /** Refuses a median, in nanoseconds, that is too short for pacing. */
    static void requireLongEnough(long median) {
        if (median < LEAST_SERVICE_NANOS) {
            throw new IllegalStateException("a paced operation must take at least " + LEAST_SERVICE_MICROS
                    + " us, but the median was " + DurationText.rounded(median)
                    + ": the pacing overhead would be too large; remove the IntendedStart parameter");
        }
    }
}
