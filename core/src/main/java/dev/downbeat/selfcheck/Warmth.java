package dev.downbeat.selfcheck;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whether this JVM still loads and compiles what it needs, from one look to the next. What it does then costs the requests
 * time that is not the service's. Not thread-safe.
 */
public final class Warmth {
    /** So many classes a second are no start any more: later parts of a scenario load a few of their own. */
    private static final int FEW_CLASSES = 50;

    /** The part of a processor that the compilers may take. */
    private static final double FEW_COMPILATIONS = 0.2;

    private static final double SECOND_NANOS = 1e9;
    private static final double MILLI_NANOS = 1e6;

    private final ClassLoadingMXBean loader = ManagementFactory.getClassLoadingMXBean();
    private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final long beganAt;
    private long classes;
    private long compiledMillis;
    private long lookedAt;
    private long coldUntil;

    /** Looks for the first time. */
    public Warmth(long nowAt) {
        beganAt = nowAt;
        lookedAt = nowAt;
        coldUntil = nowAt;
        classes = loader.getTotalLoadedClassCount();
        compiledMillis = compiledMillis();
    }

    private long compiledMillis() {
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime();
    }

    /**
     * Looks, after a second or so.
     *
     * @return whether nothing was cold since the last look
     */
    public boolean look(long nowAt) {
        return look(nowAt, loader.getTotalLoadedClassCount(), compiledMillis());
    }

    /** The same, for what was counted so far. */
    boolean look(long nowAt, long classesNow, long compiledMillisNow) {
        double nanos = Math.max(1, nowAt - lookedAt);
        boolean warm = (classesNow - classes) / nanos * SECOND_NANOS <= FEW_CLASSES
                && (compiledMillisNow - compiledMillis) * MILLI_NANOS / nanos <= FEW_COMPILATIONS;
        // What is compiled late, in the middle of a run, is no start.
        coldUntil = !warm && coldUntil == lookedAt ? nowAt : coldUntil;
        classes = classesNow;
        compiledMillis = compiledMillisNow;
        lookedAt = nowAt;
        return warm;
    }

    /** For how long it was cold from the begin on, without a break. */
    public long coldNanos() {
        return coldUntil - beganAt;
    }
}
