package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.Finding.Tone;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.ReportFormat;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.data.Why;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Cell;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.run.RunResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A run: its soundness, the objectives, times, timeline and ledger. */
public final class RunView implements View {
    private static final String CORRECTED =
            "Response times count from the intended start of each request. They are already"
                    + " corrected for coordinated omission: do not correct them again.";
    private static final List<String> LIMITS = List.of(
            CORRECTED,
            "Service times count from when a request was sent. They are what a closed-loop tool would report.",
            "A percentile is a time that occurred, never interpolated, at most 0.1 % too high. It is shown "
                    + "if at least " + ResponseBounds.LEAST_BEYOND
                    + " requests are expected beyond it.",
            "An unfinished request counts with the time it had lasted, as a lower bound marked ≥. None is "
                    + "dropped.",
            "The 95 % CIs allow for requests that wait together. Where the slow requests belong to one "
                    + "incident there is no upper end: one incident does not show how often it happens.",
            "An objective is met with all of Downbeat's own delay, and missed without any. A row says so if more than a"
                    + " tenth of it, and more than 1 ms, may be Downbeat's.",
            "Percentiles over time are of all requests that ended in an interval, never averages of "
                    + "percentiles. Long runs have longer intervals.",
            "One run on one machine is one sample: compare runs, and look at the verdict first.");

    /** The section with the table of percentiles. */
    static final String PERCENTILES = "percentiles";

    private static final int FEW_ROWS = 4;

    private final RunReport report;
    private final Why why;
    private final RunResult result;
    private final RunFacts facts;

    /** Shows a run. */
    public RunView(RunReport report) {
        this(report, report.why());
    }

    /** Shows a run with the events of its service. */
    public RunView(RunReport report, Why why) {
        this.report = report;
        this.why = why;
        this.result = report.result();
        this.facts = new RunFacts(report, why);
    }

    /** The format of runs that corresponds to a paper. */
    public static ReportFormat on(Paper paper) {
        return (report, out) -> paper.write(new RunView(report), out);
    }

    @Override
    public Page page() {
        return page(new RunRequests(report).spectra(), new RunCourse(report, why).sections());
    }

    /** Without charts, which take most of the time for long runs. */
    @Override
    public Page words() {
        return page(List.of(), List.of());
    }

    private Page page(List<Page.Section> spectra, List<Page.Section> course) {
        List<Page.Section> sections = new ArrayList<>();
        new RunRequests(report).section().ifPresent(sections::add);
        sections.addAll(spectra);
        percentiles().ifPresent(sections::add);
        sections.addAll(course);
        sections.addAll(new RunLedger(result).sections());
        List<String> limits = new ArrayList<>(LIMITS);
        limits.add(clock(report.machine()));
        return new Page(
                new Page.Head(
                        "report",
                        result.target(),
                        new RunHeadline(report, why).text(),
                        Optional.of(facts.partial()).filter(text -> !text.isEmpty()),
                        List.of(WorkloadText.line(report))),
                List.of(measurement(), service(report.analysis())),
                RunChecks.notes(report.verdict().caveats(), report.verdict().doubts()),
                sections,
                facts.all(),
                new Page.Origin(
                        report.command(),
                        report.version(),
                        client(report.machine()),
                        Optional.of(result.started()),
                        result.durationNanos(),
                        limits));
    }

    @Override
    public Page brief() {
        return new RunBrief(report, why).of(View.super.brief());
    }

    @Override
    public Record data() {
        return new RunJson(report, why).data();
    }

    private Page.Answer measurement() {
        Mark mark = switch (report.verdict().measurement()) {
            case SOUND -> Mark.GOOD;
            case PARTLY_SOUND -> Mark.NOTE;
            case UNSOUND -> report.analysis().outcome().answer() == RunOutcome.Answer.MET ? Mark.OPEN : Mark.BAD;
        };
        return new Page.Answer(
                "measurement",
                mark,
                report.verdict().measurementInWords(),
                facts.sender(),
                "Can you trust these numbers?",
                true,
                new RunChecks(report).passed());
    }

    /** The most severe finding leads; met objectives do not offset an overload. */
    static Page.Answer service(Analysis analysis) {
        RunVerdict verdict = analysis.verdict();
        Finding.Kind first = analysis.first().kind();
        boolean isWorse = first.tone() == Tone.BAD && verdict.service() != RunVerdict.Service.MISSED;
        Mark worse = analysis.outcome().tone() == Tone.BAD ? Mark.BAD : Mark.OPEN;
        List<Page.Check> checks = new ArrayList<>();
        if (isWorse) {
            checks.add(new Page.Check(worse, first.code().replace('_', ' ').toUpperCase(Locale.ROOT), "", ""));
        }
        checks.addAll(RunChecks.of(verdict.objectives(), ""));
        return new Page.Answer(
                "service",
                isWorse ? worse : mark(verdict.service()),
                isWorse ? first.code().replace('_', ' ') : verdict.service().word(),
                verdict.objectives().isEmpty() ? "no objective was set, such as p99<50ms" : "",
                "Was the service fast enough?",
                false,
                checks);
    }

    /** The mark of a service's status; none without objectives. */
    public static Mark mark(RunVerdict.Service service) {
        return switch (service) {
            case MET -> Mark.GOOD;
            case MISSED -> Mark.BAD;
            case UNDECIDED -> Mark.OPEN;
            case NONE -> Mark.NOTE;
        };
    }

    /** The response time of the overlaid run. */
    private String beside(PercentileRow row) {
        return report.beside()
                .map(other -> other.run().analysis().rows())
                .flatMap(rows -> rows.stream()
                        .filter(one -> one.percentile().equals(row.percentile()))
                        .findFirst())
                .map(one -> PercentileCells.time(Optional.of(one.response())))
                .orElse("");
    }

    private Optional<Page.Section> percentiles() {
        List<PercentileRow> rows = report.analysis().rows();
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        Table table = Table.with(
                Column.of(""),
                Column.of(PercentileCells.WAITED).look("response"),
                Column.of("95 % CI").only(Where.PAGE).ifAny(),
                Column.of(PercentileCells.TOOK).look("service"),
                Column.of(report.beside().map(RunReport.Beside::name).orElse(""))
                        .only(Where.PAGE)
                        .ifAny(),
                Column.words(PercentileCells.HIDDEN),
                Column.words(""));
        for (PercentileRow row : rows) {
            List<Cell> cells = List.of(
                    Cell.of(row.name()),
                    Cell.of(PercentileCells.time(Optional.of(row.response()))),
                    Cell.of(PercentileCells.interval(row)),
                    Cell.of(PercentileCells.time(row.service())),
                    Cell.of(beside(row)),
                    Cell.of(PercentileCells.hidden(row)),
                    RunChecks.cell(row.objectives(), PercentileCells.ours(row)));
            table = isDetail(row, rows) ? table.detail(cells) : table.cells(cells);
        }
        return Optional.of(new Page.Section(
                PERCENTILES,
                "Percentiles",
                Where.EVERYWHERE,
                List.of(PercentileCells.population(report.analysis())),
                List.of(table),
                Stream.concat(besides().stream(), Stream.of(PercentileCells.LEGEND))
                        .toList()));
    }

    /** The differences in load and machine between the overlaid run and this one. */
    private List<String> besides() {
        return report.beside()
                .map(other -> SideBySide.differences(List.of(report, other.run())).stream()
                        .map(text -> "Unlike " + other.name() + ": " + text)
                        .toList())
                .orElse(List.of());
    }

    private static boolean isDetail(PercentileRow row, List<PercentileRow> rows) {
        boolean isFolded = row.percentile().isPresent()
                && Percentiles.of(Percentiles.Place.FOLDED)
                        .contains(row.percentile().getAsDouble());
        return isFolded && row.objectives().isEmpty() && rows.size() > FEW_ROWS;
    }

    public static String client(MachineProfile machine) {
        return machine.jvm() + ", " + machine.os() + " " + machine.kernel() + " " + machine.arch() + ", "
                + Numbers.count(machine.cores()) + (machine.cores() == 1 ? " core" : " cores");
    }

    private static String clock(MachineProfile machine) {
        return "The clock of this client has steps of " + nanos(machine.clockGranularityNanos()) + ", "
                + nanos(machine.clockReadNanos())
                + " a reading. A thread that sleeps 1 ms wakes " + nanos(machine.wakeUpDelayNanos())
                + " late (median). Garbage collectors: " + String.join(", ", machine.collectors()) + ".";
    }

    private static String nanos(long nanos) {
        return nanos < 0 ? "unknown length" : DurationText.rounded(nanos);
    }

    /** The statement on every page that its times are corrected. */
    public static String corrected() {
        return CORRECTED;
    }
}
