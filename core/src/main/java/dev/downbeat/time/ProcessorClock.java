package dev.downbeat.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Processor time of the calling thread. */
public final class ProcessorClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProcessorClock() {}

    /** Processor time of the calling thread in nanoseconds; 0 if the JVM does not measure it, so differences are 0. */
    public static long ofThisThreadNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }
}
