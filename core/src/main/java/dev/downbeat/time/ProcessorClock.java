package dev.downbeat.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long the calling thread has run on a processor. */
public final class ProcessorClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProcessorClock() {}

    /** Processor time of the calling thread in nanoseconds; 0 where the JVM does not measure it, so that differences are 0. */
    public static long ofThisThreadNanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? Math.max(0, THREADS.getCurrentThreadCpuTime()) : 0;
    }
}
