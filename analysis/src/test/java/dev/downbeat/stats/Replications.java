package dev.downbeat.stats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** How often simulated runs are repeated, and where what came out is written down. */
final class Replications {
    /** 1 is what the tables of docs/statistics.md have; each build does a tenth. */
    private static final double FACTOR = Double.parseDouble(System.getProperty("downbeat.replications", "0.1"));

    private Replications() {}

    static int of(int full) {
        return (int) Math.max(10, Math.round(full * FACTOR));
    }

    /** How many seeds of {@code count} do. */
    static int count(int count, IntPredicate seed) {
        return (int) IntStream.range(0, count).filter(seed).count();
    }

    static double percent(int count, int of) {
        return 100.0 * count / of;
    }

    /** What a share may be below its goal by chance: three standard errors. */
    static double slack(double goalPercent, int of) {
        return 3 * Math.sqrt(Math.max(1, goalPercent * (100 - goalPercent)) / of);
    }

    /** Appends a line of a table to {@code target/replications/NAME.md}. */
    static void line(String name, String line) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "replications"));
            Files.writeString(
                    folder.resolve(name + ".md"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
