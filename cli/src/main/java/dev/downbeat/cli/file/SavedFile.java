package dev.downbeat.cli.file;

import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Host;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.run.Shard;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/** Finds and reads files of {@code run -o NAME.downbeat}, or the journal of a run that was cut short. */
public final class SavedFile {
    private static final String PART = ".part";

    private SavedFile() {}

    /** Whether files of this name contain everything recorded of a run. */
    public static boolean isWhole(Path file) {
        return RunPage.isOne(file)
                || file.toString().endsWith(".downbeat")
                || file.toString().endsWith(".downbeat" + PART);
    }

    /** The file itself, or the journal of its run if it is missing. */
    public static Path found(Path file) {
        Path part = part(file);
        return !Files.exists(file) && Files.exists(part) ? part : file;
    }

    /** Whether a later run to the same file was cut short, or is under way. */
    public static boolean hasLaterPart(Path file) throws IOException {
        Path part = part(file);
        return Files.exists(file)
                && Files.exists(part)
                && Files.getLastModifiedTime(part).compareTo(Files.getLastModifiedTime(file)) > 0;
    }

    public static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + PART);
    }

    public static ComparedRun compared(String name, Path file) {
        RunReport report = read(file);
        Refusal.when(report.result().intervals().isEmpty(), name + " has no per-second data, so it cannot be compared");
        return compared(name, report);
    }

    /** A run that has data of each second, for a comparison. */
    public static ComparedRun compared(String name, RunReport report) {
        return ComparedRun.of(SafeText.line(name), report.analysis().observations(), report.verdict())
                .withHost(Host.of(report.machine()));
    }

    public static Origin origin(Path file) {
        if (SweepFile.isOne(file)) {
            SweepReport report = sweep(file);
            return new Origin(report.command(), report.measurement());
        }
        Refusal.when(
                file.toString().endsWith(".hlog"),
                file + ": a histogram log does not record the command: use the run's .downbeat, .html or .json");
        if (!file.toString().endsWith(".json")) {
            RunReport report = read(file);
            Origin origin = new Origin(report.command(), report.measurement());
            Shard shard = report.result().plan().shard();
            refusePart(file, origin, shard.isWhole() ? "" : "is shard " + shard + " of a load");
            return origin;
        }
        try {
            SavedCommand saved = SavedCommand.read(UntrustedFile.text(file));
            refusePart(file, saved.origin(), saved.part());
            return saved.origin();
        } catch (FileSystemException unreadable) {
            throw new TypeConversionException(Messages.unreadable(file, unreadable));
        } catch (IOException corrupt) {
            throw new TypeConversionException(file + ": " + Messages.of(corrupt));
        }
    }

    /** Refuses a shard or a comparison, whose measurement alone would be another load. */
    private static void refusePart(Path file, Origin origin, String part) {
        Refusal.when(
                !part.isEmpty(), () -> file + " " + part + ": repeat it with " + ShellWords.line(origin.command()));
    }

    /** Reads a sweep; refuses an invalid file with one line. */
    public static SweepReport sweep(Path file) {
        try {
            return SweepFile.read(file);
        } catch (IOException corrupt) {
            throw new TypeConversionException(Messages.of(corrupt));
        }
    }

    /** The head of a run: what was known before its first request. */
    public static RunHead head(Path file) throws IOException {
        refuseOtherFormats(file);
        return RunFile.head(found(file));
    }

    private static void refuseOtherFormats(Path file) {
        Refusal.when(
                file.toString().endsWith(".json"),
                file + ": JSON does not contain histograms: use the run's .downbeat or .html");
        Refusal.when(
                file.toString().endsWith(".hlog"),
                file + ": a histogram log is for compare, session and history: give the .downbeat or .html of the run");
    }

    /** Reads the run; refuses an invalid file with one line. */
    public static RunReport read(Path file) {
        refuseOtherFormats(file);
        try {
            return RunPage.isOne(file) ? RunPage.read(file) : RunFile.read(found(file));
        } catch (IOException refused) {
            throw new TypeConversionException(Messages.refused(file, refused));
        }
    }

    /** Reads a histogram log; refuses an invalid one with one line. */
    public static SavedRun log(Path file) {
        Refusal.when(
                Files.isDirectory(file), () -> Messages.unreadable(file, new FileSystemException(file.toString())));
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return SavedRun.read(lines, SafeText.line(file.toString()));
        } catch (IOException refused) {
            throw new TypeConversionException(Messages.refused(file, refused));
        }
    }

    /** How a JSON report was made; {@code part} names what the measurement alone would not repeat. */
    private record SavedCommand(Origin origin, String part) {
        /** Reads the text of a report; refuses any other text with one line. */
        static SavedCommand read(String text) throws IOException {
            Map<String, Object> report = JsonTree.object(text);
            if (!(report.get("schema") instanceof Long)
                    || !(report.get("command") instanceof List<?> words)
                    || !words.stream().allMatch(String.class::isInstance)) {
                throw new IOException("not a result saved with -o NAME.json");
            }
            Map<String, Object> measurement = report.get("measurement") instanceof Map<?, ?> tree
                    ? JsonTree.asObject(tree)
                    : Map.of(); // null in a report of the library
            Origin origin = new Origin(words.stream().map(String::valueOf).toList(), measurement);
            return new SavedCommand(origin, part(report));
        }

        private static String part(Map<String, Object> report) {
            if ("variants".equals(report.get("kind"))) {
                return "compares variants";
            }
            return report.get("plan") instanceof Map<?, ?> plan && plan.get("shard") instanceof String shard
                    ? "is shard " + shard + " of a load"
                    : "";
        }
    }
}
