package dev.downbeat.cli.file;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.RunFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/**
 * The newest runs of a user, kept so that none has to be measured again for want of an {@code -o}. Nobody else reads them.
 *
 * @param folder where they are; need not exist
 */
public record LastRuns(Path folder) {
    public static final String VARIABLE = "DOWNBEAT_LAST";

    private static final int MOST = 10;
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS").withZone(ZoneOffset.UTC);

    /** Of this user; empty if {@code DOWNBEAT_LAST=off}, or where there is no home. */
    public static Optional<LastRuns> of(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", environment.getOrDefault("LOCALAPPDATA", ""));
        String home = environment.getOrDefault("HOME", "");
        if ("off".equals(environment.get(VARIABLE)) || (cache.isEmpty() && home.isEmpty())) {
            return Optional.empty();
        }
        Path folder = cache.isEmpty() ? Path.of(home, ".cache") : Path.of(cache);
        return Optional.of(new LastRuns(folder.resolve("downbeat")));
    }

    /** The first is the last run. */
    public Path newest(int number) throws IOException {
        List<Path> kept = newest();
        if (number < 1 || number > kept.size()) {
            throw new TypeConversionException(
                    kept.isEmpty()
                            ? "no run has been kept yet: 'downbeat run' keeps each"
                            : "N must be from 1 to " + kept.size() + ", but was " + number);
        }
        return kept.get(number - 1);
    }

    /**
     * Keeps one, and forgets the oldest.
     *
     * @param saved the file that has it already, to be copied; empty if it was not saved
     */
    public void keep(RunReport report, Optional<Path> saved) throws IOException {
        Files.createDirectories(folder);
        String name = NAME.format(report.result().started()) + "-"
                + ProcessHandle.current().pid() + ".downbeat";
        Path beside = Files.createTempFile(folder, ".run-", ".part"); // 0600 where there are such modes
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
            Files.deleteIfExists(old);
        }
    }

    /** The newest first. */
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
