package dev.downbeat.selfcheck;

/** Watches this process during a run. */
public final class HealthMonitor {
    private final long startedAt = System.nanoTime();

    private HealthMonitor() {}

    /** Starts watching. */
    public static HealthMonitor start() {
        return new HealthMonitor();
    }

    /** Stops watching and tells. */
    public GeneratorHealth stop() {
        return new GeneratorHealth(System.nanoTime() - startedAt, -1, 0, 0, 0, 0, 0, 0, -1);
    }
}
