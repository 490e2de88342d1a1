package dev.downbeat.selfcheck;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The machine and JVM of a run, and their timing precision. Durations in nanoseconds.
 *
 * @param cores processors available to the JVM
 * @param cpuLimitMillicores the container's limit in thousandths of a processor; -1 if none or unknown
 * @param os name of the operating system
 * @param kernel its version
 * @param arch processor architecture
 * @param jvm name and version of the JVM
 * @param collectors names of its garbage collectors
 * @param clockGranularityNanos smallest observed clock step
 * @param clockReadNanos average cost of reading the clock
 * @param wakeUpDelayNanos median oversleep of a thread that parks for 1 ms, over a few tries
 * @param processor processor model; empty if unknown
 */
public record MachineProfile(
        int cores,
        long cpuLimitMillicores,
        String os,
        String kernel,
        String arch,
        String jvm,
        List<String> collectors,
        long clockGranularityNanos,
        long clockReadNanos,
        long wakeUpDelayNanos,
        String processor) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final int READINGS = 5_000;
    private static final int PARKS = 9;
    private static final long PARK_NANOS = 1_000_000;

    public MachineProfile {
        collectors = List.copyOf(collectors);
    }

    /** How long this JVM has run, in nanoseconds, to a millisecond. */
    public static long jvmUptimeNanos() {
        return TimeUnit.MILLISECONDS.toNanos(
                ManagementFactory.getRuntimeMXBean().getUptime());
    }

    /** Inspects the machine; takes about 10 ms on the calling thread. */
    public static MachineProfile measure() {
        return new MachineProfile(
                Runtime.getRuntime().availableProcessors(),
                ControlGroups.millicores(Path.of("/")),
                property("os.name"),
                property("os.version"),
                property("os.arch"),
                property("java.vm.name") + " " + property("java.runtime.version"),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList(),
                clockGranularity(),
                clockRead(),
                wakeUpDelay(),
                model());
    }

    /** The flags of this JVM that begin with -X; may be confidential. */
    public static List<String> flags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-X"))
                .toList();
    }

    private static String model() {
        try {
            return Files.readAllLines(PROCESSORS).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | RuntimeException unavailable) {
            return System.getenv().getOrDefault("PROCESSOR_IDENTIFIER", "");
        }
    }

    /** The feature release of Java, such as {@code 17}, from the version after the JVM's name; empty if unknown. */
    public String javaRelease() {
        return jvm.substring(jvm.lastIndexOf(' ') + 1).replaceAll("\\D.*", "");
    }

    private static String property(String key) {
        return System.getProperty(key, "unknown");
    }

    private static long clockGranularity() {
        long smallest = Long.MAX_VALUE;
        long before = System.nanoTime();
        for (int i = 0; i < READINGS; i++) {
            long now = System.nanoTime();
            if (now != before) {
                smallest = Math.min(smallest, now - before);
            }
            before = now;
        }
        return smallest == Long.MAX_VALUE ? -1 : smallest;
    }

    private static long clockRead() {
        long begin = System.nanoTime();
        long end = begin;
        for (int i = 0; i < READINGS; i++) {
            end = System.nanoTime();
        }
        return Math.round((double) (end - begin) / READINGS);
    }

    private static long wakeUpDelay() {
        long[] delays = new long[PARKS];
        for (int i = 0; i < PARKS; i++) {
            long wakeAt = System.nanoTime() + PARK_NANOS;
            LockSupport.parkNanos(PARK_NANOS);
            delays[i] = Math.max(0, System.nanoTime() - wakeAt);
        }
        Arrays.sort(delays);
        return delays[PARKS / 2];
    }
}
