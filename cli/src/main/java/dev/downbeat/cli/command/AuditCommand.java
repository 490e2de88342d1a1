package dev.downbeat.cli.command;

import dev.downbeat.audit.Audit;
import dev.downbeat.audit.AuditResult;
import dev.downbeat.audit.format.ResultFile;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.Tolerance;
import dev.downbeat.report.view.AuditView;
import dev.downbeat.report.view.AuditView.AuditReport;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "audit",
        header = "Shows what another tool's result hides.",
        customSynopsis = "downbeat audit FILE... [--tolerance 10%%] [-o FILE]",
        footer = {
            "",
            "Reads results of JMeter, k6, vegeta, Gatling, Locust, wrk, wrk2, oha, hey, ab,",
            "h2load, autocannon, Artillery and fortio. Also .hlog files,",
            "access logs with durations, and spans as JSON. Each may be packed with gzip."
        },
        exitCodeList = {
            "  0:the reported percentiles are sound",
            "  1:the result could not be written",
            "  2:invalid command line, or a file cannot be read",
            " 98:the file does not show how long callers waited",
            " 99:callers waited longer than reported, by more than the tolerance"
        })
public final class AuditCommand extends AnyCommand.ResultCommand {
    private static final double TOLERANCE = 0.1;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "A result of another tool; .gz too.")
    List<Path> files = new ArrayList<>();

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            description = "Accepted excess over the reported percentiles. Default 10%%.")
    Tolerance tolerance = new Tolerance(TOLERANCE);

    @Override
    List<Path> filesRead() {
        return files;
    }

    @Override
    int call(Console console) {
        console.checkFormats("an audit");
        List<AuditResult> audited = new ArrayList<>();
        for (Path file : files) {
            try {
                audited.addAll(Audit.of(name(file), ResultFile.read(file), tolerance.share()));
            } catch (IOException unreadable) {
                console.error(Messages.of(unreadable));
                return ExitCode.USAGE;
            }
        }
        AuditReport report = new AuditReport(audited, Console.words(spec), Version.text());
        return ExitCode.afterOutput(code(report.verdict()), console.write(new AuditView(report)));
    }

    /** Among several files, the short name, unless another file has the same. */
    private String name(Path file) {
        long alike = files.stream()
                .filter(other -> Objects.equals(other.getFileName(), file.getFileName()))
                .count();
        return files.size() > 1 && alike == 1 ? String.valueOf(file.getFileName()) : file.toString();
    }

    private static int code(AuditResult.AuditVerdict verdict) {
        return switch (verdict) {
            case SOUND -> ExitCode.MET;
            case CANNOT_TELL -> ExitCode.UNSOUND;
            case HIDES -> ExitCode.MISSED;
        };
    }
}
