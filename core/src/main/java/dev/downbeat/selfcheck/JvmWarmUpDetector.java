package dev.downbeat.selfcheck;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether this JVM is still loading and compiling code. During that time, part of the response time is the
 * client's. Not thread-safe.
 */
public final class JvmWarmUpDetector {
    /** Up to this many classes per second do not count as start-up, since later parts of a scenario load a few. */
    private static final int FEW_CLASSES = 50;

    /** The fraction of a processor that the compilers may use. */
    private static final double FEW_COMPILATIONS = 0.2;

    private static final double SECOND_NANOS = 1e9;
    private static final double MILLI_NANOS = 1e6;

    private final ClassLoadingMXBean loader = ManagementFactory.getClassLoadingMXBean();
    private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final long startedAt;
    private long classes;
    private long compiledMillis;
    private long sampledAt;
    private long coldUntil;

    public JvmWarmUpDetector(long nowAt) {
        startedAt = nowAt;
        sampledAt = nowAt;
        coldUntil = nowAt;
        classes = loader.getTotalLoadedClassCount();
        compiledMillis = compiledMillis();
    }

    private long compiledMillis() {
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime();
    }

    /** Takes a sample, about once a second; returns whether the JVM was warm since the last one. */
    public boolean sample(long nowAt) {
        return sample(nowAt, loader.getTotalLoadedClassCount(), compiledMillis());
    }

    boolean sample(long nowAt, long classesNow, long compiledMillisNow) {
        double nanos = Math.max(1, nowAt - sampledAt);
        boolean warm = (classesNow - classes) / nanos * SECOND_NANOS <= FEW_CLASSES
                && (compiledMillisNow - compiledMillis) * MILLI_NANOS / nanos <= FEW_COMPILATIONS;
        // Compilation late in a run is not start-up.
        coldUntil = !warm && coldUntil == sampledAt ? nowAt : coldUntil;
        classes = classesNow;
        compiledMillis = compiledMillisNow;
        sampledAt = nowAt;
        return warm;
    }

    /** How long the JVM was cold from the start, without a break. */
    public long coldNanos() {
        return coldUntil - startedAt;
    }
}
