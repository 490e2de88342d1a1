package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.Strand;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.Mark;
import dev.downbeat.report.paper.Page;
import dev.downbeat.report.paper.Table;
import dev.downbeat.report.paper.Table.Cell;
import dev.downbeat.report.paper.Table.Column;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.paper.Where;
import dev.downbeat.report.view.NameRows;
import dev.downbeat.report.view.RunView;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison: the conclusion, the changes with their intervals, and both curves overlaid. */
public final class ComparisonView implements View {
    static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "The intervals come from resampling whole stretches of time, runs or turns, never single "
                    + "requests: requests that waited in one queue are not independent.",
            "The answers hold over all percentiles together (Holm), so two equal systems are told apart in one "
                    + "comparison out"
                    + " of twenty.",
            "The dotted line shows the percentiles in between. It has no interval and decides nothing.");

    private static final String ALL_TOGETHER =
            "An answer holds for all percentiles together: it may be open where the percentile's own interval leaves out 0.";

    private static final String BY_REQUEST = "Changes by request";
    private static final String TOGETHER =
            "the answers hold over all these requests together: of two identical systems one is "
                    + "called different in at most one comparison out of a hundred";
    private static final int MOST_NAMES = 40;
    private static final int MOST_LISTED = 5;

    private final ComparisonReport report;
    private final Comparison comparison;

    /** Shows a comparison. */
    public ComparisonView(ComparisonReport report) {
        this.report = report;
        this.comparison = report.comparison();
    }

    @Override
    public Page page() {
        List<String> about = new ArrayList<>(
                List.of("base   " + described(comparison.base()), "other  " + described(comparison.other())));
        if (!report.load().isEmpty()) {
            about.add("each   " + report.load());
        }
        List<Page.Section> sections = new ArrayList<>(changes("shift", comparison, report.tolerance()));
        requests().ifPresent(sections::add);
        Map<String, Recording> both = new LinkedHashMap<>();
        both.put(comparison.base().name(), comparison.base().total());
        both.put(comparison.other().name(), comparison.other().total());
        sections.addAll(Page.Section.shown(new SpectraChart(Strand.of(both))));
        List<Page.Fact> facts = new ArrayList<>();
        facts.add(new Page.Fact("errors", ChangeText.failures(comparison)));
        if (!comparison.rows().isEmpty()) {
            facts.add(Page.Fact.detail("as a whole", ChangeText.effect(comparison)));
        }
        comparison
                .incidents()
                .ifPresent(apart -> facts.add(new Page.Fact(
                        "INCIDENTS", apart.text() + (comparison.ignoresStalls() ? "; ignored, as asked" : ""))));
        if (comparison.isBetweenRunsUnknown() && !comparison.rows().isEmpty()) {
            facts.add(new Page.Fact(
                    "run to run", comparison.isBrief() ? ChangeText.BRIEF_RUNS : ChangeText.BETWEEN_RUNS));
        }
        return new Page(
                new Page.Head(
                        "comparison",
                        comparison.other().name() + " against "
                                + comparison.base().name(),
                        headline(),
                        Optional.empty(),
                        about),
                answers(),
                comparison.doubts().stream()
                        .map(doubt -> new Page.Note(true, doubt.code(), doubt.text()))
                        .toList(),
                sections,
                facts,
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    /** The headline states the result, or the first reason against comparing. */
    @Override
    public Page brief() {
        Page page = View.super.brief();
        boolean hasAnswer = report.isComparable();
        int reasons = page.notes().size();
        return new Page(
                page.head(),
                page.answers().subList(hasAnswer ? 1 : 0, page.answers().size()),
                page.notes().subList(hasAnswer ? 0 : Math.min(1, reasons), reasons),
                page.sections(),
                page.facts(),
                page.origin());
    }

    @Override
    public Record data() {
        return ComparisonData.of(report, headline());
    }

    /** A row for each percentile of each name, worse ones first. */
    private Optional<Page.Section> requests() {
        ComparedNames names = report.names();
        List<String> lead = Stream.of(alone(names.onlyBase(), "base"), alone(names.onlyOther(), "other"))
                .flatMap(Optional::stream)
                .toList();
        if (names.byName().isEmpty()) {
            return lead.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Page.Section.of("requests", BY_REQUEST, Where.EVERYWHERE)
                            .lead(lead.toArray(String[]::new)));
        }
        Map<String, Comparison> sorted = new LinkedHashMap<>(report.worseNames());
        names.byName().forEach(sorted::putIfAbsent);
        Table table = tableOf("request");
        for (Map.Entry<String, Comparison> of :
                sorted.entrySet().stream().limit(MOST_NAMES).toList()) {
            for (ComparedRow row : of.getValue().deciding()) {
                table = table.cells(cells(NameRows.shown(of.getKey()) + " " + Percentiles.name(row.percentile()), row));
            }
        }
        List<String> remarks = new ArrayList<>(List.of(TOGETHER));
        if (sorted.size() > MOST_NAMES) {
            remarks.add("and " + (sorted.size() - MOST_NAMES) + " more names: they are in JSON");
        }
        return Optional.of(new Page.Section("requests", BY_REQUEST, Where.EVERYWHERE, lead, List.of(table), remarks));
    }

    private static Optional<String> alone(List<String> names, String side) {
        int more = names.size() - MOST_LISTED;
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("Only the " + side + " has "
                        + names.stream().limit(MOST_LISTED).collect(Collectors.joining(", "))
                        + (more > 0 ? " and " + more + " more names" : "") + ": compared with nothing.");
    }

    private String headline() {
        if (!report.isComparable()) {
            return "Not comparable: " + comparison.doubts().get(0).text() + ".";
        }
        boolean isAsked = report.gate().asked().tolerance().isPresent();
        return ChangeText.headline(report)
                + (isAsked && report.gate().decision() == Gate.Decision.NONE_FOUND
                        ? "; " + ChangeText.gate(report.gate())
                        : "")
                + ".";
    }

    private static String described(ComparedSide side) {
        int runs = side.runs().size();
        OptionalDouble rate = side.ratePerSecond();
        return side.name() + ": " + Numbers.count(runs) + (runs == 1 ? " run, " : " runs, ")
                + Numbers.count(ComparedRun.planned(side.total())) + " requests"
                + (rate.isPresent() ? ", " + Numbers.rate(rate.getAsDouble()) + " intended" : "");
    }

    private List<Page.Answer> answers() {
        List<Page.Answer> answers = new ArrayList<>();
        String sentence = ChangeText.sentence(comparison);
        answers.add(
                report.isComparable()
                        ? Page.Answer.of("result", mark(), comparison.outcome().word(), sentence)
                        : new Page.Answer(
                                "result",
                                isOpen() ? Mark.OPEN : Mark.BAD,
                                "not comparable",
                                "else: " + sentence,
                                "",
                                true,
                                List.of()));
        String worse = ChangeText.worse(report.worseNames());
        if (!worse.isEmpty() && report.isComparable()) {
            answers.add(Page.Answer.of("requests", Mark.BAD, "worse", worse));
        }
        if (report.tolerance().isPresent()) {
            answers.add(decision(report.tolerance().getAsDouble()));
        }
        return answers;
    }

    /** Whether there is a regression, if a tolerance was given. */
    private Page.Answer decision(double tolerance) {
        String found = ChangeText.gate(report.gate());
        return switch (report.gate().decision()) {
            case NOT_COMPARABLE ->
                Page.Answer.of("regression", isOpen() ? Mark.NOTE : Mark.OPEN, "not comparable", found);
            case REGRESSION -> Page.Answer.of("regression", Mark.BAD, "yes", found);
            case NO_REGRESSION -> Page.Answer.of("regression", Mark.GOOD, "no", found);
            case NONE_FOUND ->
                Page.Answer.of(
                        "regression",
                        isOpen() ? Mark.NOTE : Mark.OPEN,
                        "none found",
                        found + ": " + needed(comparison.neededSeconds(tolerance)));
        };
    }

    /** Whether the gate is inconclusive and passes the build. */
    private boolean isOpen() {
        return report.exitCode() == ExitCode.MET;
    }

    private static String needed(OptionalDouble seconds) {
        return seconds.isEmpty()
                ? "measure longer, give several runs, or ask for lower percentiles with --percentiles"
                : "about " + ResponseIntervals.about(seconds.getAsDouble() * 1e9)
                        + " a side could decide, if both are the same";
    }

    /** A worse but tolerated result is not marked as bad. */
    private Mark mark() {
        Mark mark = mark(comparison.outcome());
        return mark == Mark.GOOD || mark == Mark.NOTE ? mark : report.gate().isRegression() ? Mark.BAD : Mark.NOTE;
    }

    static Mark mark(Comparison.Outcome outcome) {
        return switch (outcome) {
            case FASTER, SAME -> Mark.GOOD;
            case SLOWER, OVERLOADED, FAILS_MORE, STALLS_MORE -> Mark.BAD;
            case MIXED -> Mark.OPEN;
            case CANNOT_TELL -> Mark.NOTE;
        };
    }

    /** The chart of the changes and their table; one sentence if there were too few requests for any percentile. */
    static List<Page.Section> changes(String id, Comparison comparison, OptionalDouble tolerance) {
        ShiftChart chart = new ShiftChart(id, comparison, tolerance);
        if (!chart.isShown()) {
            return List.of(Page.Section.of(id, "Changes", Where.EVERYWHERE)
                    .lead("There are too few answers for a percentile."));
        }
        Table table = tableOf("");
        for (ComparedRow row : comparison.rows()) {
            table = table.cells(cells(Percentiles.name(row.percentile()), row));
        }
        table = table.row(
                "max",
                ChangeText.time(comparison.base().total().responseAtLeast().maxNanos(), false),
                ChangeText.time(comparison.other().total().responseAtLeast().maxNanos(), false),
                "",
                "one value: no test",
                "");
        List<Page.Section> sections = new ArrayList<>(List.of(
                Page.Section.of(chart),
                Page.Section.of(id + "-table", chart.about().title() + " in numbers", Where.EVERYWHERE, table)
                        .remarks(remarks(comparison))));
        List<String> drawn = ChangeChart.lines(comparison.rows());
        if (!drawn.isEmpty()) {
            sections.add(
                    Page.Section.of(id + "-drawing", chart.about().title(), Where.SCREEN, new Page.Drawing(drawn)));
        }
        return List.copyOf(sections);
    }

    private static List<String> remarks(Comparison comparison) {
        List<String> remarks = new ArrayList<>();
        if (comparison.rows().stream().anyMatch(ComparedRow::isOpenTogether)) {
            remarks.add(ALL_TOGETHER);
        }
        comparison.mostForeign().ifPresent(row -> remarks.add(ChangeText.foreign(comparison, row)));
        return remarks;
    }

    private static Table tableOf(String what) {
        return Table.with(
                Column.of(what),
                Column.of("base"),
                Column.of("other"),
                Column.of("change"),
                Column.of("95 % CI").ifAny(),
                Column.words("answer"));
    }

    private static List<Cell> cells(String what, ComparedRow row) {
        return List.of(
                Cell.of(what),
                Cell.of(ChangeText.time(row.baseNanos(), row.baseIsLowerBound())),
                Cell.of(ChangeText.time(row.otherNanos(), row.otherIsLowerBound())),
                Cell.of(ChangeText.of(row.change())),
                Cell.of(ChangeText.interval(row)),
                answer(row));
    }

    private static Cell answer(ComparedRow row) {
        ChangeAnswer answer = row.answer();
        return switch (answer) {
            case SAME -> Cell.of(Mark.GOOD, ChangeText.answer(row));
            case FASTER -> Cell.of(Mark.GOOD, ChangeText.answer(answer));
            case SLOWER -> Cell.of(Mark.BAD, ChangeText.answer(answer));
            case CANNOT_TELL, NOT_JUDGED -> Cell.of(ChangeText.answer(answer));
        };
    }
}
