package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.report.file.SavedRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/**
 * All committed versions of a JUnit baseline: each commit is a build, and each file it changed is a run of that build.
 */
public final class GitBaselines {
    private static final String LOG = ".hlog";

    /** Marks the line of a commit; no path starts this way. */
    private static final String COMMIT = "//";

    private final Path folder;

    private GitBaselines(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads all builds, oldest first.
     *
     * @param baseline {@code NAME.hlog}; {@code NAME.2.hlog} and so on are further runs
     */
    public static List<Build> builds(Path baseline) {
        Path whole = baseline.toAbsolutePath().normalize();
        Path folder = whole.getParent();
        String name = String.valueOf(whole.getFileName());
        if (!name.endsWith(LOG) || folder == null || !Files.isDirectory(folder)) {
            throw new TypeConversionException(
                    "--git needs a baseline such as src/test/downbeat/NAME.hlog, but was " + baseline);
        }
        try {
            return new GitBaselines(folder).read(name);
        } catch (IOException failed) {
            throw new TypeConversionException("--git " + baseline + ": " + Messages.of(failed));
        }
    }

    private List<Build> read(String name) throws IOException {
        String stem = name.substring(0, name.length() - LOG.length());
        String log = git(
                "log",
                "--reverse",
                "--relative",
                "--no-renames",
                "--name-only",
                "--diff-filter=AM",
                "--format=" + COMMIT + "%h %ct",
                "--",
                ":(literal)" + name,
                ":(glob)" + stem.replaceAll("[*?\\[\\]\\\\]", "?") + ".[0-9]*" + LOG);
        List<Build> builds = new ArrayList<>();
        String commit = "";
        Instant at = Instant.EPOCH;
        List<ComparedRun> runs = new ArrayList<>();
        for (String line : (log + COMMIT).split("\n", -1)) {
            if (line.startsWith(COMMIT)) {
                if (!runs.isEmpty()) {
                    builds.add(new Build(commit, Optional.of(at), runs));
                    runs = new ArrayList<>();
                }
                String[] words = line.substring(COMMIT.length()).split(" ", -1);
                commit = words[0];
                at = words.length > 1 ? Instant.ofEpochSecond(Long.parseLong(words[1])) : at;
            } else if (!line.isBlank()) {
                String text = git("show", commit + ":./" + line);
                runs.add(SavedRun.read(new BufferedReader(new StringReader(text)), line + " at " + commit)
                        .compared());
            }
        }
        if (builds.isEmpty()) {
            throw new IOException("no version of it is committed");
        }
        return builds;
    }

    private String git(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "core.quotePath=false"));
        command.addAll(List.of(words));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            throw new IOException("git cannot be started", missing);
        }
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("git says: " + text.strip().replace('\n', ' '));
            }
            return text;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        }
    }
}
