package dev.downbeat.selfcheck;

/**
 * Watches this process during a run: standstills, garbage collection, processor time, stolen time. Started and stopped by
 * one thread; use once.
 */
public final class HealthMonitor {
    private final GcPauses pauses = new GcPauses();
    private final long cpuBefore = ProcessorTime.ownNanos();
    private final long stolenBefore = ProcessorTime.stolenNanos();
    private final long startedAt = System.nanoTime();
    private final HiccupMeter hiccups = HiccupMeter.start(startedAt, pauses);

    private HealthMonitor() {}

    /** Starts watching, on a thread of its own that sleeps most of the time. */
    public static HealthMonitor start() {
        return new HealthMonitor();
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
