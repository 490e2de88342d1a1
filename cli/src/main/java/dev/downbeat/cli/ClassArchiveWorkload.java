package dev.downbeat.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Exercises in one JVM what most users do, so that the launcher can archive the loaded classes. This includes demos, a
 * help, a closed loop over HTTP/2, and a target that never answers.
 */
public final class ClassArchiveWorkload {
    private static final List<String> LINES = List.of(
            "run -d 1s -R 50 --accept-unsound -o FILE",
            "report FILE",
            "last",
            "run https://127.0.0.1:1/ -d 1s -R 50 -q",
            "run --http 2 --closed 8 -d 1s --json -q",
            "run --help");

    /** From Java 25 on, every start loads the whole archive, so only the first of these lines are worth it. */
    private static final int LINES_OF_EVERY_RUN = 2;

    private ClassArchiveWorkload() {}

    /** Runs the training; its results are discarded. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("downbeat");
        try {
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            System.setErr(new PrintStream(OutputStream.nullOutputStream()));
            String file = folder.resolve("run.downbeat").toString();
            Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
            boolean isLoadedWhole = Runtime.version().feature() >= 25;
            for (String line : LINES.subList(0, isLoadedWhole ? LINES_OF_EVERY_RUN : LINES.size())) {
                DownbeatMain.run(environment, line.replace("FILE", file).split(" "));
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder).sorted((a, b) -> b.compareTo(a))) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
        }
        System.exit(0); // as a run ends, which loads classes of its own
    }
}
