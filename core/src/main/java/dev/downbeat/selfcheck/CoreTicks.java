package dev.downbeat.selfcheck;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processor time of all cores since boot, in ticks of 1/100 s, and the part used by Downbeat: the build with all its
 * child processes, its session, and the processes that it watches. A service started by the build is included, so its
 * use is never attributed to others.
 *
 * @param busy ticks used by any process
 * @param all ticks, busy or idle
 * @param ours part of {@code busy}
 */
record CoreTicks(long busy, long all, long ours) {
    private static final Path PROC = Path.of("/proc");

    /** Empty if the system does not report it. */
    static Optional<CoreTicks> now(Set<Long> watched) {
        try {
            return Optional.of(of(Files.readAllLines(PROC.resolve("stat")).get(0), processes(), own(), watched));
        } catch (IOException | RuntimeException unavailable) {
            return Optional.empty();
        }
    }

    /** The outermost JVM ancestor of this process is the build; its descendants measure or are measured. */
    private static long own() {
        ProcessHandle build = ProcessHandle.current();
        Optional<ProcessHandle> above = build.parent();
        while (above.isPresent()) {
            if (above.get().info().command().orElse("").endsWith("java")) {
                build = above.get();
            }
            above = above.get().parent();
        }
        return build.pid();
    }

    private static List<Process> processes() throws IOException {
        List<Process> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path each : all) {
                try {
                    found.add(Process.of(Files.readString(each.resolve("stat"))));
                } catch (IOException | RuntimeException over) {
                    // ended in the meantime
                }
            }
        }
        return found;
    }

    /**
     * Computes the totals.
     *
     * @param line such as {@code cpu user nice system idle iowait irq softirq steal}
     * @param own the root process of the build
     * @param watched further processes that belong to the build, with their descendants
     */
    static CoreTicks of(String line, List<Process> processes, long own, Set<Long> watched) {
        long[] ticks = numbers(line.substring("cpu".length()));
        long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
        Map<Long, Process> byId = new HashMap<>();
        processes.forEach(each -> byId.put(each.pid, each));
        Set<Long> roots = new HashSet<>(watched);
        roots.add(own);
        long session = byId.containsKey(own) ? byId.get(own).session : -1;
        long ours = processes.stream()
                .filter(each -> each.session == session || isDescendant(each, roots, byId))
                .mapToLong(Process::ticks)
                .sum();
        return new CoreTicks(busy, busy + ticks[3] + ticks[4] + ticks[7], ours);
    }

    private static boolean isDescendant(Process process, Set<Long> roots, Map<Long, Process> byId) {
        Process each = process;
        while (each != null && !roots.contains(each.pid)) {
            each = byId.get(each.parent);
        }
        return each != null;
    }

    /** The fraction of all cores used by other processes since then, from 0 to 1. */
    double otherProcessesShareSince(CoreTicks before) {
        long passed = all - before.all;
        return passed <= 0 ? 0 : Math.max(0, (double) (busy - before.busy - Math.max(0, ours - before.ours)) / passed);
    }

    private static long[] numbers(String text) {
        return Stream.of(text.strip().split("\\s+", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /**
     * One process.
     *
     * @param ticks its own, and those of its terminated children
     */
    record Process(long pid, long parent, long session, long ticks) {
        private static final int STATE = 1;

        /** Parses a line of {@code /proc/PID/stat}; the name in parentheses may contain anything. */
        static Process of(String line) {
            long pid = Long.parseLong(line.substring(0, line.indexOf(' ')));
            String[] rest = line.substring(line.lastIndexOf(')') + 2).strip().split(" ", -1);
            long ticks = 0;
            for (int time = 11; time < 15; time++) {
                ticks += Long.parseLong(rest[time]);
            }
            return new Process(pid, Long.parseLong(rest[STATE]), Long.parseLong(rest[STATE + 2]), ticks);
        }
    }
}
