package dev.downbeat.cli.command;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.capacity.RateSearch;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchInTurns;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.console.UndecidedOption;
import dev.downbeat.cli.file.Origin;
import dev.downbeat.cli.file.Repeatable;
import dev.downbeat.cli.job.RateRuns;
import dev.downbeat.cli.job.WarmUp;
import dev.downbeat.cli.measurement.ParsedOptions;
import dev.downbeat.cli.measurement.Search;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.queue.QueueVisit;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.view.sweep.SweepPairView;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code sweep}: the highest rate that meets the objectives. */
@Command(
        name = "sweep",
        header = "Finds the highest rate at which the objectives hold.",
        customSynopsis = {"downbeat sweep TARGET [OPTION...]", "downbeat sweep TARGET --against OTHER [OPTION...]"},
        exitCodeList = {
            "  0:a sustainable rate was found, and confirmed by a longer run",
            "  1:nothing could be measured, or a result could not be written",
            "  2:the command line is wrong",
            " 98:undecided, this machine was the limit, or the service went down",
            " 99:the objectives were missed at every rate; with --against: OTHER takes less",
            "130:interrupted (143 by SIGTERM, 129 by SIGHUP): a partial report"
        })
public final class SweepCommand extends ResultCommand implements Repeatable<Sweep> {
    private final ParsedOptions<Sweep> said = new ParsedOptions<>(Sweep.class);

    @Option(
            names = "--against",
            paramLabel = "OTHER",
            description =
                    "A second target, searched in turns with the first: at how many times the load does it keep the"
                            + " objectives?")
    @Nullable
    String against;

    @Mixin(name = "Sweep")
    final CommandSpec words = said.spec();

    @Mixin(name = "Undecided")
    UndecidedOption undecided = new UndecidedOption();

    private final Interruption interruption = new Interruption();

    private @Nullable Sweep repeated;

    @Override
    public void repeat(Sweep value) {
        repeated = value;
    }

    @Override
    public Sweep value() {
        return repeated == null ? said.value() : said.over(repeated);
    }

    @Override
    int call(Console console) throws IOException {
        undecided.check(output);
        return undecided.after(searched(console), console);
    }

    private int searched(Console console) throws IOException {
        ResultOutput.check("a search", console, against == null);
        Sweep given = value().resolved();
        Side first = side(given, console); // detect mistakes first
        String other = against;
        Refusal.when(given.target().equals(other), "--against must be another target than the first");
        List<Side> sides = other == null ? List.of(first) : List.of(first, side(given.of(other), console));
        for (Side side : sides) {
            if (!side.isDemo()) {
                QueueVisit.check(
                        side.value().target(),
                        side.value().asking(),
                        side.value().search().mostRequests(),
                        console);
            }
        }
        if (sides.stream().noneMatch(Side::isDemo)) {
            interruption.watch();
            return search(sides, console);
        }
        try (QueueDemo demo = QueueDemo.start(List.of())) {
            interruption.watch();
            sides.stream().filter(Side::isDemo).forEach(side -> side.runs().use(demo));
            return search(sides, console);
        }
    }

    /** One of two targets. */
    private record Side(Sweep value, String described, RateRuns runs, boolean isDemo) {}

    private Side side(Sweep given, Console console) {
        boolean isDemo = QueueDemo.isMeant(given.target(), given.asking().queue());
        Sweep value = isDemo ? given.with(QueueDemo.assume(given.asking())) : given;
        RateRuns runs = new RateRuns(value).painting(console.err(), output.quiet);
        return new Side(value, runs.describe(), runs, isDemo);
    }

    private int search(List<Side> sides, Console console) throws IOException {
        try {
            for (Side side : sides) {
                side.runs().rehearse(interruption);
            }
            WarmUp.run(interruption, sides.stream().flatMap(side -> side.runs().tls().stream()));
            return sides.size() == 1
                    ? searchOne(sides.get(0), console)
                    : searchBoth(sides.get(0), sides.get(1), console);
        } catch (IOException nothing) {
            throw Errors.nothing(nothing);
        } finally {
            sides.forEach(side -> side.runs().stop()); // if one of them failed, the other may still be running
            interruption.finished();
        }
    }

    private int searchOne(Side side, Console console) throws IOException {
        RateSearch rates = new RateSearch(side.value().plan(), side.runs(), step -> told("", step, console));
        interruption.onFirst(() -> {
            rates.stop();
            side.runs().stop();
        });
        console.say(side.described());
        console.say(SweepView.Rows.head());
        Capacity capacity = rates.run();
        if (capacity.steps().isEmpty()) {
            return nothingKnown(console);
        }
        SweepReport report = report(capacity, side);
        boolean written =
                ResultOutput.of(console, out -> SweepFile.write(report, out)).write(new SweepView(report));
        return code(report.exitCode(value().objectives().acceptUnsound()), written);
    }

    private int searchBoth(Side a, Side b, Console console) throws IOException {
        SearchInTurns searches = new SearchInTurns(
                a.value().plan(),
                new SearchInTurns.Side(a.runs(), step -> told("A ", step, console)),
                new SearchInTurns.Side(b.runs(), step -> told("B ", step, console)));
        interruption.onFirst(() -> {
            searches.stop();
            a.runs().stop();
            b.runs().stop();
        });
        console.say("A " + a.described());
        console.say("B " + b.described());
        console.say("  " + SweepView.Rows.head());
        CapacityComparison found = searches.run();
        if (found.base().steps().isEmpty() && found.other().steps().isEmpty()) {
            return nothingKnown(console);
        }
        SweepReport.Pair report = new SweepReport.Pair(report(found.base(), a), report(found.other(), b));
        boolean written = ResultOutput.of("a search", console).write(new SweepPairView(report));
        return code(report.exitCode(value().objectives().acceptUnsound()), written);
    }

    private int nothingKnown(Console console) {
        console.error("interrupted before anything was known");
        return code(ExitCode.NOTHING, true);
    }

    private SweepReport report(Capacity capacity, Side side) {
        Origin origin = Origin.of(
                "sweep",
                side.value(),
                against == null ? new String[0] : new String[] {"--against=" + Redaction.url(against)});
        return new SweepReport(
                capacity,
                side.described(),
                load(capacity.plan(), side.value().search()),
                origin.command(),
                side.value().search().seedText(),
                Version.text(),
                origin.measurement());
    }

    private int code(int code, boolean written) {
        if (interruption.isReceived()) {
            return interruption.exitCode();
        }
        return code == ExitCode.MET && !written ? ExitCode.NOTHING : code;
    }

    private static String load(SearchPlan plan, Search search) {
        String seed = search.seedText();
        return PlanText.format(
                "open loop, %s arrivals; each rate %s, %s of it settling, longer where unsure%s",
                search.law().equals("poisson") ? "Poisson" : search.law(),
                DurationText.format(plan.stepNanos()),
                DurationText.format(plan.settlingNanos()),
                seed.isEmpty() ? "" : "; seed " + seed);
    }

    /** Prints the table as it grows; a rate has several rows if it was measured several times. */
    private static void told(String side, RateStep step, Console console) {
        console.say(side + SweepView.Rows.row(step) + (step.isConfirmed() ? " confirmed" : ""));
    }
}
