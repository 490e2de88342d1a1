package dev.downbeat.selfcheck;

import dev.downbeat.record.Pause;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Watches this process during a run: standstills, garbage collection, processor time, stolen time. Started and stopped by
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

    /** Starts watching, on a thread of its own that sleeps most of the time. */
    public static HealthMonitor start() {
        return start(at -> {});
    }

    /**
     * Starts watching, and lets somebody else watch by the same thread.
     *
     * @param woke called with {@link System#nanoTime} each time the thread has woken, about each millisecond while the
     *     process runs; what it does must be short, and is not mistaken for a standstill
     */
    public static HealthMonitor start(LongConsumer woke) {
        return new HealthMonitor(HiccupMeter.PARK_NANOS, woke);
    }

    /**
     * Starts watching beside somebody else's generator, which is to pay little for it: the thread wakes 200 times a second. A
     * pause is seen as exactly; of waits for a processor that are shorter than 5 ms, fewer are met.
     */
    public static HealthMonitor startSparing() {
        return new HealthMonitor(HiccupMeter.SPARING_NANOS, at -> {});
    }

    /** By how much a thread of this process has woken too late until now, in all, in nanoseconds. Thread-safe. */
    public long hiccupNanos() {
        return hiccups.soFarNanos();
    }

    /** How long collections have stopped this process until now, to about 20 ms, in nanoseconds. Thread-safe. */
    public long gcNanos() {
        return pauses.soFarNanos();
    }

    /** When this process was paused, the longest of all pauses; after {@link #stop}. Times from that instant on. */
    public List<Pause> pauses(long startAt) {
        return hiccups.pauses(startAt);
    }

    /** Stops watching and tells. */
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
