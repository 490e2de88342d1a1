package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.HighSpells;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;

/**
 * What Linux reports about a process, a control group, or the machine.
 *
 * @param root the parent of /proc and /sys
 */
public record Kernel(Path root) {
    private static final long RETRANSMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SYN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Stalls for at least a tenth of the time are considered. */
    private static final double MICROS_PER_SECOND = 100_000;

    /** The total throttled time, in control groups v2 and v1. */
    private static final String MICROS = "throttled_usec";

    private static final String NANOS = "throttled_time";

    public static final Kernel OF_THIS_MACHINE = new Kernel(Path.of("/"));

    public boolean isThere() {
        return Files.isDirectory(root.resolve("proc"));
    }

    public Path process(long pid) {
        return root.resolve("proc").resolve(Long.toString(pid));
    }

    /**
     * Samplers of a process to run every few milliseconds: whether it is stopped or throttled. With instants known only
     * to a tenth of a second, a run of some seconds could not prove a cause: chance would place it there too.
     */
    public List<Sampler> state(long pid) throws IOException {
        List<Sampler> all = new ArrayList<>();
        all.add(new StoppedSpells(KernelFile.open(process(pid).resolve("stat"))));
        for (Path group : groups(pid)) {
            all.addAll(throttling(group));
        }
        return all;
    }

    /** Samplers of a process to run every 20 ms: how long its threads wait for a processor. */
    public List<Sampler> threads(long pid) {
        return List.of(new RunDelays(process(pid).resolve("task")));
    }

    /** Samplers of a process to run every 100 ms: its control groups and its network. */
    public List<Sampler> slower(long pid) throws IOException {
        List<Sampler> all = new ArrayList<>();
        List<Path> groups = groups(pid);
        for (Path group : groups) {
            all.addAll(group(group));
        }
        if (groups.stream().noneMatch(group -> KernelFile.isThere(group.resolve("io.pressure")))) {
            Path pressure = root.resolve("proc/pressure");
            pressure(all, pressure.resolve("memory"), EventKind.MEMORY_STALL, "of the machine");
            pressure(all, pressure.resolve("io"), EventKind.IO_STALL, "of the machine");
        }
        all.addAll(network(process(pid).resolve("net")));
        return all;
    }

    /** The folders of a process's control groups, except the root, which is the machine. */
    List<Path> groups(long pid) throws IOException {
        List<Path> groups = new ArrayList<>();
        Path mounted = root.resolve("sys/fs/cgroup");
        for (String line : Files.readAllLines(process(pid).resolve("cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length != 3 || parts[2].equals("/")) {
                continue;
            }
            String inside = parts[2].substring(1);
            List<Path> places = parts[1].isEmpty()
                    ? List.of(
                            mounted.resolve(inside), mounted.resolve("unified").resolve(inside))
                    : parts[1].matches("(.*,)?cpu(,.*)?")
                            ? List.of(
                                    mounted.resolve("cpu").resolve(inside),
                                    mounted.resolve(parts[1]).resolve(inside))
                            : List.<Path>of();
            places.stream()
                    .filter(place -> KernelFile.isThere(place.resolve("cpu.stat")))
                    .findFirst()
                    .ifPresent(groups::add);
        }
        return groups;
    }

    /** Samplers of a control group, v1 or v2, to run every few milliseconds. */
    public List<Sampler> throttling(Path group) throws IOException {
        List<Sampler> all = new ArrayList<>();
        Path cpu = group.resolve("cpu.stat");
        if (KernelFile.isThere(cpu)) {
            KernelFile file = KernelFile.open(cpu);
            if (file.after(MICROS, "") >= 0) {
                all.add(new ThrottledTime(file, MICROS, 1_000));
            } else if (file.after(NANOS, "") >= 0) {
                all.add(new ThrottledTime(file, NANOS, 1));
            } else {
                file.close(); // its processors are not limited
            }
        }
        return all;
    }

    /** Samplers of a control group, v1 or v2, to run every 100 ms. */
    public List<Sampler> group(Path group) throws IOException {
        List<Sampler> all = new ArrayList<>();
        Path memory = group.resolve("memory.events");
        for (String word : List.of("high", "max", "oom")) {
            add(all, memory, word, EventKind.MEMORY_STALL, 0, perSecond -> "memory limit reached (" + word + ")");
        }
        pressure(all, group.resolve("cpu.pressure"), EventKind.PROCESSOR_WAIT, "of the control group");
        pressure(all, group.resolve("memory.pressure"), EventKind.MEMORY_STALL, "of the control group");
        pressure(all, group.resolve("io.pressure"), EventKind.IO_STALL, "of the control group");
        return all;
    }

    /** Samplers of a network namespace to run every 100 ms: dropped connections and retransmitted packets. */
    public List<Sampler> network(Path net) throws IOException {
        List<Sampler> all = new ArrayList<>();
        Path netstat = net.resolve("netstat");
        if (KernelFile.isThere(netstat)) {
            all.add(new KernelCounter(
                    KernelFile.open(netstat),
                    file -> file.ofTable("TcpExt:", "ListenOverflows"),
                    new HighSpells(EventKind.LISTEN_OVERFLOW, 0, perSecond -> ofCount(perSecond, "connections")),
                    0,
                    SYN_NANOS)); // a dropped client retries after that time
        }
        Path snmp = net.resolve("snmp");
        if (KernelFile.isThere(snmp)) {
            all.add(new KernelCounter(
                    KernelFile.open(snmp),
                    file -> file.ofTable("Tcp:", "RetransSegs"),
                    new HighSpells(EventKind.RETRANSMIT, 0, perSecond -> ofCount(perSecond, "packets")),
                    RETRANSMIT_NANOS, // the minimum wait of a sender
                    0));
        }
        return all;
    }

    private static void add(
            List<Sampler> all, Path path, String word, EventKind kind, double floor, DoubleFunction<String> words)
            throws IOException {
        if (KernelFile.isThere(path)) {
            KernelFile file = KernelFile.open(path);
            if (file.after(word, "") < 0) {
                file.close();
            } else {
                all.add(new KernelCounter(
                        file, open -> open.after(word, ""), new HighSpells(kind, floor, words), 0, 0));
            }
        }
    }

    private static void pressure(List<Sampler> all, Path path, EventKind kind, String whose) throws IOException {
        if (KernelFile.isThere(path)) {
            all.add(new KernelCounter(
                    KernelFile.open(path),
                    file -> file.after("some", "total="),
                    new HighSpells(
                            kind,
                            MICROS_PER_SECOND,
                            micros -> String.format(
                                    Locale.ROOT, "some threads %s stalled %.0f %% of the time", whose, micros / 1e4)),
                    0,
                    0));
        }
    }

    private static String ofCount(double perSecond, String what) {
        return String.format(Locale.ROOT, "up to %.0f %s a second", perSecond, what);
    }
}
