package dev.downbeat.cli.turns;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.GitHubSteps;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.file.SavedArguments.Origin;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.measurement.DatabaseOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.cli.targets.DatabaseTargets;
import dev.downbeat.cli.targets.QueueDemo;
import dev.downbeat.cli.targets.QueueSafeguard;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.compare.Variants;
import dev.downbeat.report.data.ComparisonReport.VariantsReport;
import dev.downbeat.report.view.compare.VariantsView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** {@code run --vary}: each variant is the measurement with other values, and means the same as if run alone. */
public final class VariedRun {
    private final Measurement value;
    private final ParsedOptions<Measurement> options;
    private final VaryOptions vary;
    private final Console console;
    private final Interruption interruption;
    private final @Nullable QueueDemo demo;
    private final List<QueueSafeguard> safeguards = new ArrayList<>();

    public VariedRun(
            Measurement value,
            ParsedOptions<Measurement> options,
            VaryOptions vary,
            Console console,
            Interruption interruption,
            @Nullable QueueDemo demo) {
        this.value = value;
        this.options = options;
        this.vary = vary;
        this.console = console;
        this.interruption = interruption;
        this.demo = demo;
    }

    public int run() throws IOException {
        try {
            return compare();
        } finally {
            safeguards.forEach(QueueSafeguard::close);
        }
    }

    private int compare() throws IOException {
        console.checkFormats("what --vary measures");
        List<Turns.SlicedJob> jobs = jobs();
        interruption.watch();
        Turns turns = new Turns(jobs, vary.turns, Turns.Services.ONE, console, interruption);
        List<Variants.MeasuredVariant> measured;
        try {
            measured = turns.run();
        } finally {
            if (DatabaseOptions.isDatabase(target())) {
                jobs.forEach(job -> DatabaseTargets.end(job.whole().target(), value.asking())
                        .forEach(console::note));
            }
        }
        Job first = jobs.get(0).whole();
        VariantsReport report = new VariantsReport(
                Variants.of(measured, first.slos(), first.rigour(), List.of()),
                first.target().describe(),
                load(jobs),
                turns.cutShort(),
                interruption.isReceived(),
                first.acceptUnsound(),
                Origin.of("run", value, vary.words()).command(),
                Version.text());
        VariantsView view = new VariantsView(report);
        boolean written = console.write(view);
        new GitHubSteps(System.getenv(), console).report(view, report.exitCode());
        for (Turns.SlicedJob job : jobs) {
            if (DatabaseOptions.isDatabase(target())) {
                DatabaseTargets.brief(job.whole().target()).forEach(line -> console.note(job.name() + ": " + line));
            }
        }
        return interruption.exitCode(ExitCode.afterOutput(report.exitCode(), written));
    }

    private String load(List<Turns.SlicedJob> jobs) {
        Job first = jobs.get(0).whole();
        return PlanText.load(first.plan()) + ", " + jobs.size() + " variants alternately, each in " + vary.turns
                + " slices of " + Turns.sliceText(first.plan(), vary.turns)
                + first.seed().map(seed -> ", seed " + seed).orElse("");
    }

    private List<Turns.SlicedJob> jobs() throws IOException {
        int turns = vary.checkedTurns();
        List<List<VariedValue>> combinations = vary.combinations();
        Refusal.when(combinations.size() < 2, "--vary needs at least two values to compare: NAME=VALUE,VALUE");
        combinations.get(0).stream()
                .filter(setting -> setting.varied() != VariedValue.Varied.URL)
                .forEach(this::refuseIfGiven);
        Refusal.when(
                Requests.isFile(target())
                        && combinations.get(0).stream().anyMatch(setting -> setting.varied() == VariedValue.Varied.URL)
                        && combinations.stream()
                                .flatMap(List::stream)
                                .noneMatch(setting -> setting.value().equals(target())),
                "--vary url replaces " + target() + ", so its requests would not be sent: give a URL instead");
        Job base = Job.of(value, target(), ShardPart.WHOLE, demo); // detect its mistakes first
        List<Turns.SlicedJob> jobs = new ArrayList<>();
        List<QueueSafeguard.Work> works = new ArrayList<>();
        boolean areBriefNamesUnique = combinations.stream()
                        .map(settings ->
                                settings.stream().map(VariedValue::brief).toList())
                        .distinct()
                        .count()
                == combinations.size();
        Function<VariedValue, String> names = areBriefNamesUnique ? VariedValue::brief : VariedValue::toString;
        for (List<VariedValue> settings : combinations) {
            String name = settings.stream().map(names).collect(Collectors.joining(" "));
            try {
                Measurement variant = ofItsQueue(VariedValue.of(value, settings), settings);
                Turns.SlicedJob job =
                        Turns.SlicedJob.of(name, variant, variant.aim().orElseThrow(), turns, demo);
                jobs.add(job);
                works.add(work(variant, job.whole()));
            } catch (TypeConversionException refused) {
                throw new TypeConversionException("--vary " + name + ": " + Messages.of(refused));
            }
        }
        QueueSafeguard.checkOthers(work(value, base), works, console);
        return jobs;
    }

    /** Encryption is set when a queue is created, so each variant has its own queue. */
    private Measurement ofItsQueue(Measurement variant, List<VariedValue> settings) throws IOException {
        if (settings.stream().noneMatch(setting -> setting.varied() == VariedValue.Varied.ENCRYPTED)) {
            return variant;
        }
        Refusal.when(!variant.asking().queue().create(), "encrypted requires --create");
        Job job = Job.of(variant, variant.aim().orElseThrow(), ShardPart.WHOLE, demo);
        QueueSafeguard safeguard = QueueSafeguard.begin(work(variant, job), console);
        safeguards.add(safeguard);
        return safeguard.of(variant);
    }

    private QueueSafeguard.Work work(Measurement variant, Job job) {
        return QueueSafeguard.Work.of(variant.aim().orElseThrow(), variant.asking(), job.plan(), vary.turns);
    }

    private String target() {
        return value.aim().orElseThrow();
    }

    private void refuseIfGiven(VariedValue setting) {
        String option = setting.varied().option();
        Refusal.when(
                options.isGiven(option),
                "--vary " + setting.varied().word() + " and " + option
                        + " are mutually exclusive: list every value in --vary");
    }
}
