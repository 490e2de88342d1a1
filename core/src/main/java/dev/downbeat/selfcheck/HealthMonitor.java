package dev.downbeat.selfcheck;

import dev.downbeat.record.Pause;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Monitors this process during a run: pauses, garbage collection, processor time, stolen time. Started and stopped by
 * one thread; use once.
 */
public final class HealthMonitor {
    private final GcPauses pauses = new GcPauses();
    private final long cpuBefore = ProcessorTime.ownNanos();
    private final long stolenBefore = ProcessorTime.stolenNanos();
    private final long startedAt = System.nanoTime();
    private final HiccupMeter hiccups;

    private HealthMonitor(long parkNanos, LongConsumer woke) {
        hiccups = HiccupMeter.start(startedAt, parkNanos, pauses, woke);
    }

    /** Starts monitoring on its own, mostly sleeping thread. */
    public static HealthMonitor start() {
        return start(at -> {});
    }

    /**
     * Starts monitoring, with a callback on the same thread.
     *
     * @param woke called with {@link System#nanoTime} at each wake-up, about once per millisecond; must be short, and
     *     is not counted as a pause
     */
    public static HealthMonitor start(LongConsumer woke) {
        return new HealthMonitor(HiccupMeter.PARK_NANOS, woke);
    }

    /**
     * Starts monitoring at low cost, for use next to an external generator: the thread wakes 200 times per second.
     * Pauses are measured just as exactly, but fewer waits for a processor below 5 ms are seen.
     */
    public static HealthMonitor startSparing() {
        return new HealthMonitor(HiccupMeter.SPARING_NANOS, at -> {});
    }

    /** Total oversleep of the monitor thread so far, in nanoseconds. Thread-safe. */
    public long hiccupNanos() {
        return hiccups.soFarNanos();
    }

    /** Total length of stop-the-world collections so far, about 20 ms old at most, in nanoseconds. Thread-safe. */
    public long gcNanos() {
        return pauses.soFarNanos();
    }

    /** The longest pauses of this process, with times relative to that instant; valid after {@link #stop}. */
    public List<Pause> pauses(long startAt) {
        return hiccups.pauses(startAt);
    }

    /** Stops monitoring and returns the result. */
    public GeneratorHealth stop() {
        hiccups.stop();
        long wallNanos = System.nanoTime() - startedAt;
        pauses.read();
        return new GeneratorHealth(
                wallNanos,
                ProcessorTime.between(cpuBefore, ProcessorTime.ownNanos()),
                hiccups.largestNanos(),
                hiccups.largestAtNanos(),
                hiccups.sumNanos(),
                pauses.count(),
                pauses.nanos(),
                pauses.largestNanos(),
                ProcessorTime.between(stolenBefore, ProcessorTime.stolenNanos()));
    }
}
