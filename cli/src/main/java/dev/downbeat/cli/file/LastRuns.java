package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A user's latest runs, kept so that unsaved ones need not be repeated. Readable by the user only. */
public record LastRuns(Path folder) {
    public static final String VARIABLE = "DOWNBEAT_LAST";

    private static final int MOST = 10;
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS").withZone(ZoneOffset.UTC);

    /** The runs of this user; empty if {@code DOWNBEAT_LAST=off}, or without a usable home directory. */
    public static Optional<LastRuns> of(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", environment.getOrDefault("LOCALAPPDATA", ""));
        String home = environment.getOrDefault("HOME", "");
        if ("off".equals(environment.get(VARIABLE)) || (cache.isEmpty() && home.isEmpty())) {
            return Optional.empty();
        }
        try {
            Path folder = cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache);
            return Optional.of(new LastRuns(folder.resolve("downbeat")));
        } catch (InvalidPathException undecoded) { // the locale C has no names beyond ASCII
            return Optional.empty();
        }
    }

    /** The n-th latest run; 1 is the last one. */
    public Path newest(int number) throws IOException {
        List<Path> kept = newest();
        Refusal.when(
                number < 1 || number > kept.size(),
                kept.isEmpty()
                        ? "no runs yet: 'downbeat run' keeps each one"
                        : "N must be from 1 to " + kept.size() + ", but was " + number);
        return kept.get(number - 1);
    }

    /** Keeps a run, as a copy if it was saved already, and deletes the oldest. */
    public void keep(RunReport report, Optional<Path> saved) throws IOException {
        Folders.create(folder);
        // by the end, so that a long run comes after the short ones that began meanwhile
        RunResult run = report.result();
        String name = NAME.format(later(run.started().plusNanos(run.durationNanos()))) + "-"
                + ProcessHandle.current().pid() + ".downbeat";
        Path beside = Files.createTempFile(folder, ".run-", ".part"); // mode 0600 where the file system supports it
        try {
            try (OutputStream out = Files.newOutputStream(beside)) {
                if (saved.isPresent()) {
                    Files.copy(saved.get(), out);
                } else {
                    RunFile.write(report, out);
                }
            }
            Files.move(beside, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
        for (Path old : newest().stream().skip(MOST).toList()) {
            try {
                Files.deleteIfExists(old);
            } catch (IOException inUse) {
                // the next run tries again
            }
        }
    }

    /** The end of a run; just after the newest one's if the clock was set back since. */
    private Instant later(Instant end) throws IOException {
        return newest().stream()
                .flatMap(file -> end(file).stream())
                .findFirst()
                .map(newest -> newest.plusMillis(1))
                .filter(end::isBefore)
                .orElse(end);
    }

    /** When a run ended by its name; empty for other files. */
    private static Optional<Instant> end(Path file) {
        try {
            String name = String.valueOf(file.getFileName());
            return Optional.of(NAME.parse(name.substring(0, Math.max(0, name.indexOf('-'))), Instant::from));
        } catch (DateTimeParseException other) {
            return Optional.empty();
        }
    }

    public boolean isAny() {
        try {
            return !newest().isEmpty();
        } catch (IOException closed) {
            return false;
        }
    }

    public List<Path> newest() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".downbeat"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }
}
