package dev.downbeat.selfcheck;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processor time of this process, and time stolen by the hypervisor. */
final class ProcessorTime {
    /** USER_HZ is 100 on every architecture of Linux that runs Java: see proc(5). */
    private static final long NANOS_PER_TICK = 10_000_000;

    private static final int STEAL = 8;

    private ProcessorTime() {}

    /** Processor time of this process in nanoseconds; -1 if the platform does not report it. */
    static long ownNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean
                ? bean.getProcessCpuTime()
                : -1;
    }

    /** Time stolen from this machine since boot, over all cores, in nanoseconds; -1 if not reported. */
    static long stolenNanos() {
        try (BufferedReader reader = Files.newBufferedReader(Path.of("/proc/stat"))) {
            String first = reader.readLine();
            return first == null ? -1 : stolenNanos(first);
        } catch (IOException | RuntimeException unavailable) {
            return -1;
        }
    }

    /** The eighth number of a line such as "cpu 1 2 3 4 5 6 7 8 9 10", in ticks. */
    static long stolenNanos(String line) {
        List<String> words = List.of(line.strip().split("\\s+", -1));
        return words.size() > STEAL && words.get(0).equals("cpu")
                ? Long.parseLong(words.get(STEAL)) * NANOS_PER_TICK
                : -1;
    }

    /** The difference of two readings; -1 if either is unknown. */
    static long between(long before, long after) {
        return before < 0 || after < 0 ? -1 : Math.max(0, after - before);
    }
}
