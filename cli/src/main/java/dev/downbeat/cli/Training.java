package dev.downbeat.cli;

import dev.downbeat.cli.file.LastRuns;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Exercises in one JVM what most users do, so that the launcher can archive the loaded classes. This includes demos, a
 * help, a closed loop over HTTP/2, and a target that never answers.
 */
public final class Training {
    private static final List<String> LINES = List.of(
            "run -d 1s -R 50 -q --accept-unsound -o FILE",
            "report FILE",
            "last",
            "run https://127.0.0.1:1/ -d 1s -R 50 -q",
            "run --http 2 --closed 8 -d 1s --json -q",
            "run --help");

    /** From Java 25 on, every start loads the whole archive, so only the first of these lines are worth it. */
    private static final int LINES_OF_EVERY_RUN = 2;

    private Training() {}

    /** Runs the training; its results are discarded. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("downbeat");
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            String file = folder.resolve("run.downbeat").toString();
            Map<String, String> kept = Map.of("XDG_CACHE_HOME", folder.toString());
            boolean isLoadedWhole = Runtime.version().feature() >= 25;
            for (String line : LINES.subList(0, isLoadedWhole ? LINES_OF_EVERY_RUN : LINES.size())) {
                DownbeatMain root = new DownbeatMain(LastRuns.of(kept));
                String[] words = line.replace("FILE", file).split(" ");
                CommandLine command = DownbeatMain.commandLine(root, words);
                command.setErr(new PrintWriter(OutputStream.nullOutputStream()));
                DownbeatMain.execute(command, words);
            }
        } finally {
            System.setOut(out);
            try (Stream<Path> files = Files.walk(folder).sorted((a, b) -> b.compareTo(a))) {
                for (Path each : files.toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
