package dev.downbeat.selfcheck;

import dev.downbeat.record.LongestSpans;
import dev.downbeat.record.Pause;
import dev.downbeat.time.TimerSlack;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Measures pauses of this process: a thread sleeps for one or a few milliseconds at a time. Its oversleep is time in
 * which no thread of this process was certain to run. The idea is jHiccup's (Gil Tene).
 *
 * <p>Written by its own thread; read after {@link #stop}.
 */
final class HiccupMeter {
    static final long SPARING_NANOS = 5_000_000;

    /** On a single core, each wake-up takes the core from a generator: measured at 3 % for 1 ms. */
    static final long PARK_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 1_000_000 : SPARING_NANOS;

    /** The minimum oversleep that triggers an immediate check for a collection. */
    private static final long NOTICED_NANOS = 1_000_000;

    private static final long PAUSES_READ_NANOS = 20_000_000;
    private static final long COUNTED_NANOS = 10_000_000;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final long JOIN_MILLIS = 200;

    private final long startedAt;
    private final long parkNanos;
    private final GcPauses pauses;
    private final LongConsumer woke;
    private final Thread thread;
    private volatile boolean stopping;
    /** For readers while it runs. */
    private final AtomicLong soFarNanos = new AtomicLong();

    private final LongestSpans spans = new LongestSpans();
    private long largestNanos;
    private long largestAtNanos;
    private long sumNanos;
    private long pausesReadAt;

    private HiccupMeter(long startedAt, long parkNanos, GcPauses pauses, LongConsumer woke) {
        this.startedAt = startedAt;
        this.parkNanos = parkNanos;
        this.pauses = pauses;
        this.woke = woke;
        this.thread = new Thread(this::watch, "downbeat-hiccup-meter");
        thread.setDaemon(true);
    }

    /** A meter that is not running. */
    static HiccupMeter of(long startedAt, GcPauses pauses) {
        return new HiccupMeter(startedAt, PARK_NANOS, pauses, at -> {});
    }

    /**
     * Starts a meter.
     *
     * @param parkNanos sleep time of its thread
     * @param woke called at each wake-up
     */
    static HiccupMeter start(long startedAt, long parkNanos, GcPauses pauses, LongConsumer woke) {
        HiccupMeter meter = new HiccupMeter(startedAt, parkNanos, pauses, woke);
        meter.pausesReadAt = startedAt;
        meter.thread.start();
        return meter;
    }

    private void watch() {
        TimerSlack.reduceForThisThread();
        long before = System.nanoTime();
        while (!stopping) {
            LockSupport.parkNanos(this, parkNanos);
            long now = System.nanoTime();
            long excessNanos = now - before - parkNanos;
            noticed(excessNanos, now - startedAt);
            woke.accept(now);
            readPauses(excessNanos, now);
            before = System.nanoTime(); // work after a wake-up is Downbeat's own, not a hiccup
        }
    }

    /** Records a wake-up; an early end of a park is not a hiccup. */
    void noticed(long excessNanos, long atNanos) {
        if (excessNanos > largestNanos) {
            largestNanos = excessNanos;
            largestAtNanos = atNanos;
        }
        if (excessNanos > PAUSE_NANOS) {
            spans.add(startedAt + atNanos - excessNanos, startedAt + atNanos);
        }
        if (excessNanos > COUNTED_NANOS) {
            sumNanos += excessNanos;
        }
        if (excessNanos > NOTICED_NANOS) {
            soFarNanos.setOpaque(soFarNanos.getPlain() + excessNanos);
        }
    }

    /** Often enough that two collections rarely fall between readings, and immediately after a pause. */
    private void readPauses(long excessNanos, long now) {
        if (excessNanos >= NOTICED_NANOS || now - pausesReadAt >= PAUSES_READ_NANOS) {
            pauses.read();
            pausesReadAt = now;
        }
    }

    /** Stops the meter; the caller may then read the values. */
    void stop() {
        stopping = true;
        LockSupport.unpark(thread);
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException later) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Total oversleep, except for the last millisecond at most. Any thread may call this. */
    long soFarNanos() {
        return soFarNanos.getOpaque();
    }

    /** The longest pauses from an instant on. */
    List<Pause> pauses(long fromAt) {
        return spans.pauses(fromAt);
    }

    long largestNanos() {
        return largestNanos;
    }

    long largestAtNanos() {
        return largestAtNanos;
    }

    long sumNanos() {
        return sumNanos;
    }
}
