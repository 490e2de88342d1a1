package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.view.ExplainView;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.watch.FlightRecording;
import dev.downbeat.watch.GcLog;
import dev.downbeat.watch.RunTime;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "explain",
        header = "Shows which events in the service explain slow requests.",
        customSynopsis = "downbeat explain FILE [--jfr FILE] [--gc-log FILE] [OPTION...]",
        footer = {"", "Events of a service are also recorded during a run:", "  downbeat run TARGET --watch jvm:PID"},
        exitCodeList = {
            "  0:shown, whatever was found",
            "  1:a result could not be written",
            "  2:invalid command line, or a file cannot be read"
        })
public final class ExplainCommand extends AnyCommand.ResultCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "A run that was saved with -o NAME.downbeat.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Path file;

    @Option(names = "--jfr", paramLabel = "FILE", description = "A flight recording of the service; repeatable.")
    List<Path> recordings = new ArrayList<>();

    @Option(
            names = "--gc-log",
            paramLabel = "FILE",
            description = "A GC log from -Xlog:gc*,safepoint:file=gc.log:time; repeatable.")
    List<Path> gcLogs = new ArrayList<>();

    @Option(
            names = "--gc-log-start",
            paramLabel = "TIME",
            description = "When the service's JVM was started, such as 2026-05-01T12:00:00Z, for a log without dates."
                    + " Default: derived from when the log was last written.")
    @Nullable
    Instant gcLogStart;

    public static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException noInstant) {
            throw new TypeConversionException("a start must be like 2026-05-01T12:00:00.250Z, but was '" + text + "'");
        }
    }

    @Override
    List<Path> filesRead() {
        return Stream.of(List.of(file), recordings, gcLogs)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    int call(Console console) throws IOException {
        Refusal.when(
                gcLogStart != null && gcLogs.size() != 1,
                "--gc-log-start requires one --gc-log: it is the start time of the JVM that wrote it");
        console.checkFormats("an explanation");
        Set<Path> given = new HashSet<>();
        Stream.concat(recordings.stream(), gcLogs.stream())
                .forEach(one -> Refusal.when(!given.add(one.toAbsolutePath().normalize()), one + " is given twice"));
        RunReport saved = SavedFile.read(file);
        RunTime time = new RunTime(saved.result().started(), saved.result().durationNanos());
        List<WatchResult> watched = new ArrayList<>(saved.why().watched());
        for (Path recording : recordings) {
            add(watched, read(recording, () -> FlightRecording.read(recording, time)));
        }
        for (Path log : gcLogs) {
            add(watched, read(log, () -> GcLog.read(log, time, Optional.ofNullable(gcLogStart))));
        }
        Refusal.when(
                watched.isEmpty(), file + " contains no service events: give --jfr or --gc-log, or run with --watch");
        List<WatchResult> files = watched.subList(saved.why().watched().size(), watched.size());
        Refusal.when(
                !files.isEmpty() && watched.stream().noneMatch(one -> one.toNanos() > one.fromNanos()),
                "no file covers the run: "
                        + files.stream()
                                .map(one -> one.source() + ": "
                                        + (one.notes().isEmpty()
                                                ? "it covers only an instant of it"
                                                : String.join("; ", one.notes())))
                                .collect(Collectors.joining("; ")));
        RunReport report = saved.with(watched);
        return console.write(new ExplainView(report, Console.words(spec))) ? ExitCode.MET : ExitCode.NOTHING;
    }

    /** Several recordings of one JVM contain the same events, which must count once. */
    private static void add(List<WatchResult> watched, WatchResult next) {
        WatchResult fresh = next;
        for (WatchResult before : watched) {
            fresh = fresh.without(before);
        }
        watched.add(fresh);
    }

    /** Reads a file; refuses an invalid one with one line. */
    private static WatchResult read(Path path, Refusal.InputReader<WatchResult> reading) {
        Refusal.when(Files.isDirectory(path), "cannot read " + path + ": is a folder");
        try {
            return reading.read();
        } catch (IOException refused) {
            throw new TypeConversionException(Messages.refused(path, refused));
        }
    }
}
