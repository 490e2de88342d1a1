package dev.downbeat.cli.command;

import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.GitHubSteps;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.NamedPercentile;
import dev.downbeat.cli.console.UndecidedOption;
import dev.downbeat.cli.file.ObjectStore;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.targets.QueueSafeguard;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.cli.turns.Tolerance;
import dev.downbeat.cli.turns.Turns;
import dev.downbeat.cli.turns.VaryOptions;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.compare.Variants;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.view.compare.ComparisonView;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RequiredCertainty;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "compare",
        header = "Compares runs or targets: faster, slower, the same or undecided.",
        customSynopsis = {
            "downbeat compare BASE OTHER [OPTION...]",
            "downbeat compare BASE... --against OTHER... [OPTION...]",
            "downbeat compare --live TARGET_A TARGET_B [OPTION...]"
        },
        exitCodeList = {
            "  0:no regression found; the result states how large an undetected one could be",
            "  1:nothing could be measured, or a result could not be written",
            "  2:invalid command line, or a file cannot be read",
            " 98:not comparable, or nothing was answered; with --tolerance and --strict also undecided. With --tolerance"
                    + " alone, unsound, unsteady or different-machine runs exit with 0",
            " 99:slower by more than --tolerance at a percentile, overloaded, failing or stalling more, overall or for one name",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class CompareCommand extends AnyCommand.ResultCommand {
    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(20);

    @Parameters(
            paramLabel = "FILE",
            description = "Runs that were saved with -o NAME.downbeat (or .hlog); the base first. With --live: two"
                    + " targets.")
    List<String> inputs = new ArrayList<>();

    @Option(
            names = "--against",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Runs to compare with the base, if a side has several.")
    List<String> against = new ArrayList<>();

    @Option(names = "--live", description = "Measures two targets alternately (ABBA), each for -d (20s by default).")
    boolean live;

    @Option(
            names = "--tolerance",
            paramLabel = "PERCENT",
            description = "Accepted slowdown, such as 5%%: exits with 99 if exceeded, with --strict 98 if undecided.")
    @Nullable
    Tolerance tolerance;

    @Option(
            names = "--percentiles",
            paramLabel = "P,P...",
            hideParamSyntax = true,
            split = ",",
            description =
                    "Percentiles to compare: p50,p99. Default: all with enough requests; with --tolerance, p50, p90"
                            + " and p99 decide.")
    List<NamedPercentile> percentiles = new ArrayList<>();

    @Option(names = "--accept-unsound", description = "Compares runs even if they are unsound or differ in load.")
    boolean acceptUnsound;

    @Option(
            names = "--ignore-stalls",
            description =
                    "Judges only the seconds without stalls. Default: judges with and without; the worse answer decides.")
    boolean ignoreStalls;

    @Option(
            names = "--strict",
            description = "With --tolerance: exits with 98, not 0, if a larger change cannot be ruled out.")
    boolean strict;

    @Option(names = "--turns", paramLabel = "N", description = "With --live: slices of each target. Default 10.")
    int turns = 10;

    private boolean isUndecided;

    private final ParsedOptions<Measurement> options =
            new ParsedOptions<>(Measurement.class, "target", "length", "objectives", "certainty");

    @Mixin(name = "Measurement")
    final CommandSpec optionSpec = options.spec();

    @Mixin(name = "Undecided results")
    UndecidedOption undecided = new UndecidedOption();

    @Override
    List<Path> filesRead() {
        return live
                ? inputs.stream()
                        .flatMap(target -> options.value().of(target).neededFiles().stream())
                        .toList()
                : Stream.concat(inputs.stream(), against.stream())
                        .map(ObjectStore::local)
                        .toList();
    }

    @Override
    int call(Console console) throws IOException {
        undecided.applyTo(output);
        console.checkFormats("a comparison");
        return undecided.after(() -> live ? live(console) : saved(console), () -> isUndecided, console);
    }

    private int saved(Console console) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            String name = option.longestName();
            boolean isForLive = optionSpec.optionsMap().containsKey(name) || name.equals("--turns");
            Refusal.when(isForLive, name + " requires --live");
        }
        Refusal.when(
                against.isEmpty() && inputs.size() != 2,
                "two files are needed, but there "
                        + (inputs.size() == 1 ? "was 1" : "were " + inputs.size())
                        + ": downbeat compare BASE OTHER, or BASE... --against OTHER... for several runs per side");
        Refusal.when(
                !against.isEmpty() && inputs.isEmpty(),
                "the files of the base are missing: BASE... --against OTHER...");
        List<String> base = against.isEmpty() ? inputs.subList(0, 1) : inputs;
        List<String> other = against.isEmpty() ? inputs.subList(1, 2) : against;
        refuseRepeatedFiles(base, other);
        Comparison comparison = Comparison.of(side(base, other), side(other, base), percentileValues());
        return show(comparison, "", Console.words(spec), console);
    }

    private static void refuseRepeatedFiles(List<String> base, List<String> other) {
        Set<Path> seen = new HashSet<>();
        for (List<String> side : List.of(base, other)) {
            for (String file : side) {
                Refusal.when(
                        !seen.add(ObjectStore.local(file).toAbsolutePath().normalize()),
                        file + " is given twice: the two sides must differ");
            }
        }
    }

    private static ComparedSide side(List<String> files, List<String> others) {
        List<ComparedRun> runs = new ArrayList<>();
        for (String file : files) {
            runs.add(read(file));
        }
        String first = name(files.get(0));
        String name = SafeText.line(first.equals(name(others.get(0))) ? files.get(0) : first);
        int more = files.size() - 1;
        return new ComparedSide(more == 0 ? name : name + " (+" + more + " more)", runs); // singular: "is slower"
    }

    private static String name(String file) {
        Path name = ObjectStore.local(file).getFileName();
        return name == null ? file : name.toString();
    }

    /** A saved run with the counts of each second. */
    static ComparedRun read(String file) {
        if (SavedFile.isWhole(ObjectStore.local(file))) {
            return SavedFile.compared(file, ObjectStore.local(file));
        }
        Refusal.when(file.endsWith(".json"), file + " has no per-second counts: save the run with -o NAME.downbeat");
        return SavedFile.log(ObjectStore.local(file)).compared();
    }

    private int live(Console console) throws IOException {
        Interruption interruption = new Interruption();
        return interruption.guard(console, () -> live(console, interruption));
    }

    private int live(Console console, Interruption interruption) throws IOException {
        Refusal.when(
                inputs.size() != 2 || !against.isEmpty(), "--live needs two targets: compare --live TARGET_A TARGET_B");
        VaryOptions.checkTurns(turns);
        Measurement value = options.value().resolved(Rate.perSecond(100), DEFAULT_DURATION);
        value.asking().connections().refuseForeignAddress();
        List<Turns.SlicedJob> jobs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Turns.SlicedJob job = Turns.SlicedJob.of("", value, inputs.get(i), turns, null);
            QueueSafeguard.check(
                    QueueSafeguard.Work.of(
                            inputs.get(i), value.asking(), job.whole().plan(), turns),
                    console);
            String name = "ab".charAt(i) + " (" + job.whole().target().describe() + ")";
            jobs.add(new Turns.SlicedJob(name, job.whole(), job.plans()));
        }
        interruption.watch();
        Turns.Services services = inputs.get(0).equals(inputs.get(1)) ? Turns.Services.ONE : Turns.Services.SEVERAL;
        Turns measurement = new Turns(jobs, turns, services, console, interruption);
        List<Variants.MeasuredVariant> measured = measurement.run();
        Variants variants = Variants.of(measured, List.of(), RequiredCertainty.PLAIN, percentileValues());
        if (variants.againstFirst().isEmpty()) {
            console.error("no turn was complete: nothing can be compared");
            return interruption.exitCode(ExitCode.UNSOUND);
        }
        Job first = jobs.get(0).whole();
        String text = PlanText.load(first.plan()) + ", " + variants.turns() + " alternating slices of "
                + Turns.sliceText(first.plan(), turns)
                + first.seed().map(seed -> ", seed " + seed).orElse("");
        Comparison compared = variants.againstFirst().get(0);
        int code = show(measurement.cutShort().map(compared::withDoubt).orElse(compared), text, words(value), console);
        return interruption.exitCode(code);
    }

    private List<String> words(Measurement value) {
        List<String> more = new ArrayList<>(List.of("downbeat", "compare", "--live"));
        inputs.forEach(target -> more.add(Redaction.url(target)));
        more.addAll(Values.redacted(value));
        more.add("--turns=" + turns);
        return more;
    }

    private List<Double> percentileValues() {
        return percentiles.stream().map(NamedPercentile::value).distinct().toList();
    }

    private int show(Comparison comparison, String loadText, List<String> command, Console console) {
        ComparisonReport report = ComparisonReport.of(
                ignoreStalls ? comparison.ignoringStalls() : comparison,
                new Gate.Question(
                        tolerance == null ? OptionalDouble.empty() : OptionalDouble.of(tolerance.share()),
                        acceptUnsound,
                        strict),
                loadText,
                command,
                Version.text());
        ComparisonView view = new ComparisonView(report);
        boolean written = console.write(view);
        isUndecided = report.gate().isUndecided();
        int code = report.exitCode();
        boolean isReportedUndecided = isUndecided && undecided.isGiven();
        new GitHubSteps(System.getenv(), console).report(view, isReportedUndecided ? ExitCode.UNSOUND : code);
        return ExitCode.afterOutput(code, written);
    }
}
