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
 * Processor time of all cores since the machine was started, in ticks of a hundredth of a second, and which part of it was ours:
 * that of the build with all processes it has started, of its session, and of the processes that it watches. A service that the
 * build measures is among them, so what it takes of the cores is never called others'.
 *
 * @param busy that any process had
 * @param all busy or not
 * @param ours of the busy ones
 */
record CoreTicks(long busy, long all, long ours) {
    private static final Path PROC = Path.of("/proc");

    /** Empty where the system does not say. */
    static Optional<CoreTicks> now(Set<Long> watched) {
        try {
            return Optional.of(of(Files.readAllLines(PROC.resolve("stat")).get(0), processes(), own(), watched));
        } catch (IOException | RuntimeException nobodyTells) {
            return Optional.empty();
        }
    }

    /** The outermost JVM that has started this one is the build's; what it has started measures, or is measured. */
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
                    // it ended meanwhile
                }
            }
        }
        return found;
    }

    /**
     * Adds up.
     *
     * @param line such as {@code cpu  user nice system idle iowait irq softirq steal}
     * @param own the process that has started all others of the build
     * @param watched further processes that are ours, with what they have started
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
                .filter(each -> each.session == session || descends(each, roots, byId))
                .mapToLong(Process::ticks)
                .sum();
        return new CoreTicks(busy, busy + ticks[3] + ticks[4] + ticks[7], ours);
    }

    private static boolean descends(Process process, Set<Long> roots, Map<Long, Process> byId) {
        Process each = process;
        while (each != null && !roots.contains(each.pid)) {
            each = byId.get(each.parent);
        }
        return each != null;
    }

    /** The share of all cores that processes of others took since then, from 0 to 1. */
    double ofOthersSince(CoreTicks before) {
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
     * @param ticks its own, and those of the processes it has started that are over
     */
    record Process(long pid, long parent, long session, long ticks) {
        private static final int STATE = 1;

        /** A line of {@code /proc/PID/stat}; the name in parentheses may hold anything. */
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
