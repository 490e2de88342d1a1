package dev.downbeat.stats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Tables of simulated runs: each line is written down, as it stands in jmh-benchmarks/results. */
public final class Table {
    private Table() {}

    public static double percent(int count, int of) {
        return 100.0 * count / of;
    }

    /** What a share may be below its goal by chance: three standard errors. */
    public static double slack(double goalPercent, int of) {
        return 3 * Math.sqrt(Math.max(1, goalPercent * (100 - goalPercent)) / of);
    }

    /** Appends a line of a table to {@code target/replications/NAME.md}. */
    public static void line(String name, String line) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "replications"));
            Files.writeString(
                    folder.resolve(name + ".md"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
