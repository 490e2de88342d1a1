package dev.downbeat.junit;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Host;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.load.Measured;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.stats.change.QuantileChange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The accepted earlier measurement of a load test, kept in the repository: one file, or several from several runs or
 * hosts ({@code NAME.hlog}, {@code NAME.2.hlog}). Read once, before the measurement. Immutable.
 */
final class Baseline {
    private static final String HOW_TO = "-Ddownbeat.baseline=update writes one";
    private static final String NOT_WRITTEN = "not written as a baseline, since nothing could be compared with it: ";

    /** A baseline against which a build this many times as slow could pass is not written. */
    private static final int TIMES_AS_SLOW = 3;

    private static final String HIDES =
            "a build " + TIMES_AS_SLOW + " times as slow could pass a comparison with it, because its times"
                    + " drift or it is too short (use a longer warm-up and duration, or alternate both builds: @Against and"
                    + " -Ddownbeat.against=git:main)";

    private static final int MOST_FILES = 99;

    /** Enough to estimate the variation between runs. */
    private static final int MOST_RUNS = 20;

    private final Path folder;
    private final TestName name;
    private final Host host;
    private final List<SavedRun> saved = new ArrayList<>();

    /**
     * Reads the files.
     *
     * @throws ExtensionConfigurationException with one line if a file cannot be read
     */
    Baseline(Path folder, TestName name, Host host) {
        this(folder, name, host, true);
    }

    private Baseline(Path folder, TestName name, Host host, boolean isRead) {
        this.folder = folder;
        this.name = name;
        this.host = host;
        for (Path file : isRead ? files() : List.<Path>of()) {
            try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                saved.add(SavedRun.read(lines, "baseline " + file));
            } catch (IOException corrupt) {
                String why = Files.isDirectory(file)
                        ? "baseline " + file + " is a folder"
                        : corrupt instanceof FileSystemException
                                ? "baseline " + file + " cannot be read: " + corrupt
                                : corrupt.getMessage() + "; " + HOW_TO;
                throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": " + why);
            }
        }
    }

    /** A baseline that will only be replaced, whatever its content. */
    static Baseline toReplace(Path folder, TestName name, Host host) {
        return new Baseline(folder, name, host, false);
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (int number = 1; number <= MOST_FILES; number++) {
            if (Files.exists(file(number))) {
                files.add(file(number));
            }
        }
        return files;
    }

    private Path file(int number) {
        return folder.resolve(name.file() + (number == 1 ? "" : "." + number) + ".hlog");
    }

    /** Why no measurement could be compared; empty if one may be. */
    String missingReason() {
        if (saved.isEmpty()) {
            return "there is none in " + folder.toAbsolutePath() + " (" + HOW_TO + ")";
        }
        return ofThisHost().isEmpty()
                ? "it was measured on another host (" + saved.get(0).host().differenceTo(host) + ")"
                : "";
    }

    private List<SavedRun> ofThisHost() {
        return saved.stream()
                .filter(each -> each.host().differenceTo(host).isEmpty())
                .toList();
    }

    /** Why a run is not comparable to any other, or only in name, and what would help; empty if it is. */
    private static Optional<String> whyNotComparable(Measured measured) {
        ComparedSide run = thisRun(measured);
        Comparison withItself = Comparison.of(run, run);
        return withItself.doubts().stream()
                .findFirst()
                .map(doubt -> doubt.text() + " (" + help(doubt.kind()) + ")")
                .or(() -> withItself.hides(TIMES_AS_SLOW) ? Optional.of(HIDES) : Optional.empty());
    }

    private static String help(Incomparable.Kind kind) {
        return switch (kind) {
            case UNSTEADY -> "a longer duration, or warmUp = \"auto\", which waits until the median is steady";
            case TOO_SHORT -> "a duration of at least " + QuantileChange.LEAST_SECONDS + " s";
            case UNSOUND -> "a lower rate, or a quieter machine";
            case NOTHING_ANSWERED -> "a service that answers";
            default -> "repeat the test";
        };
    }

    /** Creates the folder, first of all in every mode that writes. */
    void makeFolder() throws IOException {
        Folders.create(folder);
    }

    /** Creates or replaces the file and deletes further ones; returns the message. */
    String update(Measured measured) throws IOException {
        Optional<String> why = whyNotComparable(measured);
        if (why.isPresent()) {
            return NOT_WRITTEN + why.get();
        }
        String message = moved(written(measured), file(1));
        for (int number = 2; number <= MOST_FILES; number++) {
            Files.deleteIfExists(file(number));
        }
        return message;
    }

    /** Adds a file for another run or host and deletes the oldest if there are {@value #MOST_RUNS}. Returns the message. */
    String add(Measured measured) throws IOException {
        Optional<String> why = whyNotComparable(measured);
        if (why.isPresent()) {
            return NOT_WRITTEN + why.get();
        }
        Path written = written(measured);
        List<Path> existing = files();
        while (existing.size() >= MOST_RUNS) {
            Files.delete(existing.remove(0));
        }
        for (int number = 1; number <= existing.size(); number++) {
            if (!existing.get(number - 1).equals(file(number))) {
                Files.move(existing.get(number - 1), file(number));
            }
        }
        return moved(written, file(existing.size() + 1));
    }

    /** Written whole before a baseline is replaced or deleted, since the disk may be full. */
    private Path written(Measured measured) throws IOException {
        Path temporary = folder.resolve(name.file() + ".tmp");
        try (Writer out = Files.newBufferedWriter(temporary, StandardCharsets.UTF_8)) {
            new HistogramLogFile().write(ReportAccess.of(measured), out);
        } catch (IOException failed) {
            Files.deleteIfExists(temporary);
            throw failed;
        }
        return temporary;
    }

    private static String moved(Path written, Path file) throws IOException {
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        return "written as baseline " + file + ": commit it";
    }

    /** Compares a measurement with those of this host; a tolerance of 0.1 accepts 10 % slower times. */
    ComparisonResult against(Machine.Observation observed, double tolerance) {
        if (!missingReason().isEmpty()) {
            return ComparisonResult.notCompared(
                    saved.isEmpty() ? "the baseline" : "the " + saved.get(0).name(), missingReason());
        }
        List<ComparedRun> runs = ofThisHost().stream().map(SavedRun::compared).toList();
        String where = ofThisHost().get(0).name();
        return ComparisonResult.of(
                "the " + where + (runs.size() > 1 ? " and " + (runs.size() - 1) + " more" : ""),
                Comparison.of(
                        new ComparedSide("baseline", runs),
                        new ComparedSide("this run", List.of(observed.compared("this run")))),
                tolerance);
    }

    private static ComparedSide thisRun(Measured measured) {
        return new ComparedSide(
                "this run",
                List.of(ComparedRun.of(
                        "this run",
                        ReportAccess.of(measured).analysis().observations(),
                        ReportAccess.of(measured).verdict())));
    }
}
