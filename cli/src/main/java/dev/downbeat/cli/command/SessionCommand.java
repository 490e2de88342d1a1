package dev.downbeat.cli.command;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.record.Interval;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.report.view.SessionView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "session",
        header = "Predicts how often sessions hit a slow request.",
        customSynopsis = "downbeat session FILE -n N [--think TIME]",
        exitCodeList = {
            "  0:shown, whatever was found",
            "  1:a result could not be written",
            "  2:invalid command line, or the file cannot be read or holds no requests"
        })
public final class SessionCommand extends AnyCommand.ResultCommand {
    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A run that was saved with -o NAME.downbeat or NAME.hlog.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Path file;

    @Option(
            names = {"-n", "--requests"},
            required = true,
            paramLabel = "N",
            description = "Sequential requests per session.")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Long requests;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            description = "Pause between the requests of a session. Default 1s.")
    Duration think = Duration.ofSeconds(1);

    @Option(
            names = "--limit",
            paramLabel = "TIME",
            description = "Shows how many sessions hit a request slower than this.")
    @Nullable
    Duration limit;

    @Override
    List<Path> filesRead() {
        return List.of(file);
    }

    @Override
    int call(Console console) throws IOException {
        Refusal.when(requests < 1 || requests > 100_000, "--requests must be from 1 to 100000, but was " + requests);
        Refusal.when(limit != null && limit.isZero(), "--limit must be above 0");
        console.checkFormats("a session");
        SessionReport report;
        try {
            long limitNanos = limit == null ? 0 : limit.toNanos();
            List<Interval> intervals;
            ComparedRun run;
            Optional<Analysis> analysis = Optional.empty();
            if (SavedFile.isWhole(file)) {
                RunReport saved = SavedFile.read(file);
                intervals = saved.result().intervals();
                analysis = Optional.of(saved.analysis());
                run = ComparedRun.of(
                        SafeText.line(file.toString()), saved.analysis().observations(), saved.verdict());
            } else {
                SavedRun saved = SavedFile.log(file);
                intervals = saved.intervals();
                run = saved.compared();
            }
            report = SessionReport.of(intervals, requests.intValue(), think.toNanos(), limitNanos)
                    .by(analysis, run.doubts(), Console.words(spec), Version.text());
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(file + ": " + refused.getMessage());
        }
        return console.write(new SessionView(report)) ? ExitCode.MET : ExitCode.NOTHING;
    }
}
