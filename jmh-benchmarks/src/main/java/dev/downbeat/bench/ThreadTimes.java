package dev.downbeat.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the threads of this process have had of processors, by kind, as Linux counts it; elsewhere nothing is known. */
final class ThreadTimes {
    private static final Path THREADS = Path.of("/proc/self/task");

    private ThreadTimes() {}

    /** Nanoseconds of the threads that live: {@code compiler}, {@code gc}, {@code others}, and of all {@code waited}. */
    static Map<String, Long> ofThisProcess() {
        Map<String, Long> sums = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                add(thread, sums);
            }
        } catch (IOException unavailable) {
            return Map.of();
        }
        return sums;
    }

    private static void add(Path thread, Map<String, Long> sums) {
        try {
            String[] ran = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            sums.merge(kind(Files.readString(thread.resolve("comm"))), Long.valueOf(ran[0]), Long::sum);
            sums.merge("waited", Long.valueOf(ran[1]), Long::sum);
        } catch (IOException gone) {
            return; // with what it had: its kind comes out too small
        }
    }

    private static String kind(String name) {
        if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
            return "compiler";
        }
        return name.startsWith("GC ") || name.startsWith("G1 ") ? "gc" : "others";
    }
}
