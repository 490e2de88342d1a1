package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.Finding.Tone;
import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.DataLimit;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.LoadCaveat;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A run: its soundness, the objectives, times, timeline and ledger. */
public final class RunView implements View {
    private static final List<String> LIMITS = List.of(
            "Percentiles are observed times, never interpolated, at most 0.1 % too high. One is shown if at least "
                    + ResponseBounds.LEAST_BEYOND + " requests are expected beyond it.",
            "An unfinished request counts with its duration so far, a lower bound marked ≥. None is dropped.",
            "The 95 % CIs account for dependent requests. If one incident caused the slow requests, there is no "
                    + "upper bound: one incident does not show how often such incidents happen.",
            "An objective is met only if it holds with Downbeat's own delay included, and missed only if it fails without"
                    + " that delay. A row states the delay if it may exceed 20 us and a tenth of the time.",
            "Percentiles over time are computed from all requests that ended in an interval, never by averaging "
                    + "percentiles. Long runs have longer intervals.",
            "One run on one machine is one sample: compare runs, and look at the verdict first.");

    /** The section with the table of percentiles. */
    static final String PERCENTILES = "percentiles";

    private static final int FEW_ROWS = 4;

    private final RunReport report;
    private final RunResult result;
    private final RunFacts facts;
    private final ClockLabels words;

    public RunView(RunReport report) {
        this.report = report;
        this.result = report.result();
        this.facts = new RunFacts(report);
        this.words = ClockLabels.of(result);
    }

    /** The format of runs that corresponds to a renderer. */
    public static ReportFormat on(Renderer renderer) {
        return (report, out) -> renderer.write(new RunView(report), out);
    }

    @Override
    public Page page() {
        return page(new RunRequests(report).spectra(), new RunCharts(report).sections());
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
        List<String> limits = new ArrayList<>(List.of(words.corrected(), words.uncorrected()));
        limits.addAll(LIMITS);
        limits.add(clock(report.machine()));
        return new Page(
                new Page.Head(
                        "report",
                        result.target(),
                        new RunHeadline(report).text(),
                        Optional.of(facts.partial()).filter(text -> !text.isEmpty()),
                        result.ending() == RunSpan.Ending.INTERRUPTED || result.ending() == RunSpan.Ending.CUT_OFF,
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
        return new RunBrief(report).of(View.super.brief());
    }

    @Override
    public boolean passes() {
        return report.analysis().outcome().answer() == RunOutcome.Conclusion.MET;
    }

    @Override
    public boolean isUndecided() {
        return report.analysis().outcome().answer() == RunOutcome.Conclusion.UNDECIDED;
    }

    @Override
    public Record data() {
        return RunData.of(report);
    }

    private Page.AnsweredQuestion measurement() {
        Mark mark = switch (report.verdict().measurement()) {
            case SOUND -> Mark.GOOD;
            case PARTLY_SOUND -> Mark.NOTE;
            case UNSOUND -> passes() ? Mark.OPEN : Mark.BAD;
        };
        return new Page.AnsweredQuestion(
                "measurement",
                mark,
                report.verdict().measurementInWords(),
                facts.sender(),
                "Can you trust these numbers?",
                Page.AnsweredQuestion.AnswerTopic.MEASUREMENT,
                new RunChecks(report).passed());
    }

    /** The most severe finding leads; met objectives do not offset an overload. */
    static Page.AnsweredQuestion service(Analysis analysis) {
        RunVerdict verdict = analysis.verdict();
        Finding.Kind first = analysis.first().kind();
        boolean isWorse = first.tone() == Tone.BAD
                && verdict.service() != RunVerdict.Service.MISSED
                && !(RunHeadline.isOfFailures(analysis.first()) && allowsItsFailures(verdict));
        Mark worse = analysis.outcome().tone() == Tone.BAD ? Mark.BAD : Mark.OPEN;
        List<Page.Check> checks = new ArrayList<>();
        if (isWorse) {
            checks.add(new Page.Check(worse, first.code().replace('_', ' ').toUpperCase(Locale.ROOT), "", ""));
        }
        checks.addAll(RunChecks.of(verdict.objectives(), ""));
        return new Page.AnsweredQuestion(
                "service",
                isWorse ? worse : mark(verdict.service()),
                isWorse ? first.code().replace('_', ' ') : verdict.service().word(),
                verdict.objectives().isEmpty() ? "no objective was set, such as p99<50ms" : "",
                "Was the service fast enough?",
                Page.AnsweredQuestion.AnswerTopic.RESULT,
                checks);
    }

    /** Whether an objective that was set for the failures of all requests is met, whatever is undecided beside it. */
    private static boolean allowsItsFailures(RunVerdict verdict) {
        return verdict.objectives().stream()
                .filter(objective -> objective.status() == JudgedObjective.Status.MET)
                .map(JudgedObjective::slo)
                .anyMatch(slo -> slo.isAsked()
                        && (slo instanceof ServiceLevelObjective.Errors
                                || slo instanceof ServiceLevelObjective.AchievedRate));
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
                Column.of(words.waited()).look("response"),
                Column.of("95 % CI").only(Where.HTML).ifAny(),
                Column.of(words.took()).look("service"),
                Column.of(report.beside().map(RunReport.Beside::name).orElse(""))
                        .only(Where.HTML)
                        .ifAny(),
                Column.words(words.hidden()),
                Column.words(""));
        for (PercentileRow row : rows) {
            List<Cell> cells = List.of(
                    Cell.of(row.name()),
                    Cell.of(PercentileCells.time(Optional.of(row.response()))),
                    Cell.of(PercentileCells.interval(row)),
                    Cell.of(PercentileCells.time(row.service())),
                    Cell.of(beside(row)),
                    Cell.of(PercentileCells.hidden(row)),
                    RunChecks.cell(row.objectives(), PercentileCells.ownDelay(row)));
            table = isDetail(row, rows) ? table.detail(cells) : table.cells(cells);
        }
        return Optional.of(new Page.Section(
                PERCENTILES,
                "Percentiles",
                Where.EVERYWHERE,
                List.of(PercentileCells.population(report.analysis())),
                List.of(table),
                Stream.concat(differences().stream(), Stream.of(words.legend())).toList()));
    }

    /** The differences of the overlaid run in load and machine, which may explain differing times. */
    private List<String> differences() {
        if (report.beside().isEmpty()) {
            return List.of();
        }
        RunReport other = report.beside().get().run();
        String unlike = "Unlike " + report.beside().get().name() + ": ";
        List<String> differences = new ArrayList<>();
        if (!report.result().target().equals(other.result().target())) {
            differences.add(unlike + "the targets are not the same");
        }
        if (!WorkloadText.unseeded(report).equals(WorkloadText.unseeded(other))) {
            differences.add(unlike + "the loads differ, which alone may explain the differences");
        }
        if (!report.machine().jvm().equals(other.machine().jvm())
                || report.machine().cores() != other.machine().cores()) {
            differences.add(unlike + "they were measured on different kinds of machine");
        }
        return differences;
    }

    private static boolean isDetail(PercentileRow row, List<PercentileRow> rows) {
        boolean isFolded = row.percentile().isPresent()
                && Percentiles.of(Percentiles.Place.FOLDED)
                        .contains(row.percentile().getAsDouble());
        return isFolded && row.objectives().isEmpty() && rows.size() > FEW_ROWS;
    }

    public static String client(MachineProfile machine) {
        return machine.jvm() + ", " + machine.os() + " " + machine.kernel() + " " + machine.arch() + ", "
                + Numbers.count(machine.cores(), "core");
    }

    private static String clock(MachineProfile machine) {
        return "Downbeat's clock has a resolution of " + nanos(machine.clockGranularityNanos()) + "; reading it takes "
                + nanos(machine.clockReadNanos())
                + ". A thread that sleeps 1 ms wakes " + nanos(machine.wakeUpDelayNanos())
                + " late (median). Garbage collectors: " + String.join(", ", machine.collectors()) + ".";
    }

    private static String nanos(long nanos) {
        return nanos < 0 ? "unknown length" : DurationText.rounded(nanos);
    }

    /** The statement on every page that its times are corrected. */
    public static String corrected() {
        return ClockLabels.SENT.corrected();
    }

    /** The default screen of a run: each number once, and besides the times only what is missing, wrong or unexpected. */
    private record RunBrief(RunReport report) {
        /** The page, whose details are already removed, without what its headline and table show. */
        Page of(Page page) {
            return new Page(
                    page.head().with(List.of(load())),
                    answers(page.answers()),
                    notes(),
                    page.sections().stream().map(this::withoutLegend).toList(),
                    facts(),
                    page.origin());
        }

        private RunVerdict verdict() {
            return report.verdict();
        }

        /** "Poisson 500/s for 20 s: 9,930 requests, 497/s answered, all 200, 1.2 MB". */
        private String load() {
            RunResult result = report.result();
            List<String> parts = new ArrayList<>();
            parts.add(Numbers.count(result.ledger().planned(), "request"));
            parts.add(RunFacts.answered(result));
            onlyStatus().ifPresent(status -> parts.add("all " + status));
            long bytes = result.counts().count(TargetCounts.BYTES_RECEIVED);
            if (bytes > 0) {
                parts.add(Numbers.bytes(bytes));
            }
            Shard shard = result.plan().shard();
            String load = (shard.count() > 1 ? "shard " + shard + " of " : "") + WorkloadText.brief(result);
            return result.isNothing() ? load : load + ": " + String.join(", ", parts);
        }

        private Optional<String> onlyStatus() {
            Map<String, Long> statuses = report.result().recording().statuses();
            return statuses.size() == 1 && isAllAnswered()
                    ? Optional.of(statuses.keySet().iterator().next())
                    : Optional.empty();
        }

        private boolean isAllAnswered() {
            Ledger ledger = report.result().ledger();
            return ledger.addsUp() && ledger.answered() == ledger.planned();
        }

        private List<Page.AnsweredQuestion> answers(List<Page.AnsweredQuestion> all) {
            List<Page.Check> checks = RunChecks.of(
                    verdict().objectives().stream()
                            .filter(Predicate.not(this::isShownElsewhere))
                            .toList(),
                    "");
            Stream<Page.AnsweredQuestion> measurement = all.stream()
                    .filter(answer -> answer.isTrust() && verdict().measurement() == RunVerdict.Soundness.UNSOUND);
            Stream<Page.AnsweredQuestion> service = checks.isEmpty()
                    ? Stream.empty()
                    : all.stream().filter(answer -> !answer.isTrust()).map(answer -> answer.listing(checks));
            return Stream.concat(measurement, service).toList();
        }

        /** Whether a table row or the headline shows the result, or the objective is a default. */
        private boolean isShownElsewhere(JudgedObjective objective) {
            ServiceLevelObjective slo = objective.slo();
            if (!objective.isDecided()) {
                return report.analysis().first() instanceof Finding.Judged judged
                        && judged.kind() == Finding.Kind.UNDECIDED
                        && judged.objectives().get(0).equals(objective);
            }
            if (slo instanceof ServiceLevelObjective.Named named) {
                return objective.status() == JudgedObjective.Status.MET
                        || NameRows.names(report.result().recording().byName()).contains(named.name());
            }
            return slo.isOfTimes() || (!slo.isAsked() && objective.status() == JudgedObjective.Status.MET);
        }

        /** Without the number of requests, which the line above states. */
        private Page.Section withoutLegend(Page.Section section) {
            if (!section.id().equals(RunView.PERCENTILES)) {
                return section;
            }
            return new Page.Section(
                    section.id(),
                    section.title(),
                    section.where(),
                    isAllAnswered() ? List.of() : section.leads(),
                    section.blocks(),
                    List.of());
        }

        private List<Page.Note> notes() {
            return RunChecks.notes(
                            verdict().caveats().stream()
                                    .filter(this::isUnreported)
                                    .toList(),
                            verdict().doubts())
                    .stream()
                    .map(note -> note.isDoubt() ? note : new Page.Note(false, note.code(), note.brief()))
                    .toList();
        }

        /** Whether neither headline, tables nor ledger show it; caveats about rows that are not shown are omitted. */
        private boolean isUnreported(Caveat caveat) {
            if (verdict().doubts().contains(caveat)) {
                return true;
            }
            Finding first = report.analysis().first();
            boolean isFirst =
                    first instanceof Finding.Changed changed && changed.change().equals(caveat)
                            || first instanceof Finding.SlowForAWhile slow
                                    && slow.spell().equals(caveat)
                            || first instanceof Finding.Overloaded && caveat instanceof LoadCaveat.Overloaded;
            boolean isExplained = caveat instanceof LoadCaveat.BacklogGrew
                    && (verdict().overload().isPresent()
                            || !report.analysis().events().isEmpty());
            return !isFirst
                    && !isExplained
                    && !(caveat instanceof OwnDelay)
                    && !(caveat instanceof DataLimit.TooFewSamples)
                    && !(caveat instanceof DataLimit.TailCensored)
                    && !(caveat instanceof RunDefect.Interrupted)
                    && !(caveat instanceof RunDefect.NothingAnswered);
        }

        private List<Page.Fact> facts() {
            List<Page.Fact> facts = new ArrayList<>(new RunFacts(report).brief());
            ownDelay().ifPresent(delay -> facts.add(new Page.Fact("own delay", delay)));
            facts.add(new Page.Fact("details", "shown with -v"));
            return facts;
        }

        /** A note that this machine was busy, although no conclusion depends on it. */
        private Optional<String> ownDelay() {
            boolean isDecided = verdict().service() != RunVerdict.Service.UNDECIDED
                    && verdict().measurement() != RunVerdict.Soundness.UNSOUND;
            return Stream.of(OwnDelay.OftenLate.class, OwnDelay.HiccupDuringRun.class, OwnDelay.ClientBusy.class)
                    .flatMap(kind -> verdict().caveats().stream().filter(kind::isInstance))
                    .filter(caveat -> !verdict().doubts().contains(caveat))
                    .findFirst()
                    .map(caveat -> caveat.brief() + (isDecided ? "; this affects no verdict" : ""));
        }
    }

    /** The fates of all requests of a run, why some failed, and the state of each merged process. */
    private record RunLedger(RunResult result) {
        private static final int MOST_REASONS = 30;
        private static final int MOST_SHARDS = 16;

        List<Page.Section> sections() {
            List<Page.Section> sections = new ArrayList<>(List.of(fates()));
            if (!result.recording().failures().isEmpty()) {
                sections.add(failures());
            }
            if (!result.shards().isEmpty()) {
                sections.add(shards());
            }
            return sections;
        }

        private Page.Section fates() {
            Ledger ledger = result.ledger();
            String unsent =
                    ledger.timedOutUnsent() == 0 ? "" : ", " + Numbers.count(ledger.timedOutUnsent()) + " unsent";
            Table table = Table.of(List.of("", "", ""))
                    .row(fate("planned", ledger.planned()))
                    .row(fate("answered", ledger.answered()))
                    .row(fate("failed", ledger.failed()))
                    .row(fate("timed out" + unsent, ledger.timedOut()))
                    .row(fate("in flight at the end", ledger.inFlight()))
                    .row(fate("never sent", ledger.neverSent()));
            long again = result.connections().streams().sentAgain();
            if (again > 0) {
                table = table.row(fate("of these sent again", again));
            }
            return Page.Section.of("ledger", "Where every request went", Where.HTML, table)
                    .lead(
                            ledger.addsUp()
                                    ? "Planned comes from the schedule, the rest from how each request ended. Every"
                                            + " request is accounted for."
                                    : "LEDGER MISMATCH: this is a bug in Downbeat. Please report it and discard this run.");
        }

        private Page.Section failures() {
            Table table = Table.of(List.of("", "", ""));
            Map<String, Long> failures = result.recording().failures();
            List<Map.Entry<String, Long>> most = failures.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_REASONS)
                    .toList();
            for (Map.Entry<String, Long> failure : most) {
                table = table.row(fate(failure.getKey(), failure.getValue()));
            }
            int more = failures.size() - MOST_REASONS;
            return Page.Section.of("failures", "Why requests failed", Where.HTML, table)
                    .remarks(more > 0 ? List.of("and " + Numbers.count(more, "more reason")) : List.of());
        }

        private List<String> fate(String name, long count) {
            long planned = result.ledger().planned();
            return List.of(name, Numbers.count(count), planned == 0 ? "" : PercentText.of((double) count / planned));
        }

        /** All shards in order if there are few, otherwise the worst, which the sum would hide. */
        private Page.Section shards() {
            int count = result.shards().size();
            boolean all = count <= MOST_SHARDS;
            Comparator<ShardRun> worst = Comparator.comparing((ShardRun shard) -> !isDoubtful(shard))
                    .thenComparing(
                            Comparator.comparingLong(ShardRun::latenessP99Nanos).reversed());
            List<ShardRun> shown = result.shards().stream()
                    .sorted(all ? Comparator.comparingInt(ShardRun::shard) : worst)
                    .limit(MOST_SHARDS)
                    .toList();
            List<Column> columns = new ArrayList<>();
            for (String head : List.of("shard", "planned", "answered", "late p99", "late max", "pause", "CPU")) {
                columns.add(Column.of(head));
            }
            columns.add(Column.words("trust"));
            Table table = new Table(columns, List.of());
            for (ShardRun shard : shown) {
                table = table.cells(cells(shard));
            }
            String merged = Numbers.count(count, "process", "processes") + ", merged losslessly";
            return Page.Section.of("shards", "Shards", Where.EVERYWHERE, table)
                    .lead(all ? merged : merged + "; the " + MOST_SHARDS + " that fared worst are shown");
        }

        private static boolean isDoubtful(ShardRun shard) {
            return shard.isMissing() || !shard.doubts().isEmpty();
        }

        private static List<Cell> cells(ShardRun shard) {
            List<String> texts = new ArrayList<>(List.of(Integer.toString(shard.shard())));
            if (shard.isMissing()) {
                texts.addAll(List.of("", "", "", "", "", ""));
            } else {
                texts.add(Numbers.count(shard.planned()));
                texts.add(Numbers.count(shard.answered()));
                texts.add(DurationText.rounded(shard.latenessP99Nanos()));
                texts.add(DurationText.rounded(shard.latenessMaxNanos()));
                texts.add(pause(shard));
                texts.add(cpu(shard.health(), shard.cores()));
            }
            List<Cell> cells = new ArrayList<>(texts.stream().map(Cell::of).toList());
            String trust = shard.isMissing() ? "missing" : shard.doubts().isEmpty() ? "sound" : "doubtful";
            cells.add(Cell.of(isDoubtful(shard) ? Mark.BAD : Mark.GOOD, trust));
            return cells;
        }

        /** As in the line of the worst: the process monitor alone sees shorter waits than pauses, and its own. */
        private static String pause(ShardRun shard) {
            if (shard.ending().equals(Optional.of(RunSpan.Ending.CUT_OFF))) {
                return ""; // a killed process did not tell its condition
            }
            boolean wasMonitorLate =
                    shard.longestPauseNanos() == 0 && shard.health().largestHiccupNanos() > 0;
            if (wasMonitorLate && shard.durationNanos() == 0) { // a sum saved before
                return DurationText.rounded(shard.health().largestHiccupNanos());
            }
            return wasMonitorLate
                    ? "< " + DurationText.rounded(ResponseGapDetector.PAUSE_NANOS)
                    : DurationText.rounded(shard.longestPauseNanos());
        }

        private static String cpu(GeneratorHealth health, int cores) {
            OptionalDouble used = health.cores();
            return used.isPresent() ? String.format(Locale.ROOT, "%.2f of %d", used.getAsDouble(), cores) : "";
        }
    }
}
