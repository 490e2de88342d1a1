package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedNames;
import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Gate;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.ChartSeries;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Mark;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.Table.Cell;
import dev.downbeat.report.render.Table.Column;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.NameRows;
import dev.downbeat.report.view.RunView;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A comparison: the conclusion, the changes with their intervals, and both curves overlaid. */
public final class ComparisonView implements View {
    static final List<String> LIMITS = List.of(
            RunView.corrected(),
            "The intervals come from resampling whole stretches of time, runs or turns, never single "
                    + "requests: requests that waited in one queue are not independent.",
            "Answers are corrected for testing all percentiles (Holm): identical systems are reported as different in 5 %"
                    + " of comparisons.",
            "The dotted line shows the percentiles in between. It has no interval and decides nothing.");

    private static final String ALL_TOGETHER =
            "Answers are corrected for testing several percentiles: a percentile may be undecided even if its own interval"
                    + " excludes 0.";

    private static final String BY_REQUEST = "Changes by request";
    private static final String TOGETHER =
            "answers are corrected for testing all names: identical systems are reported as different in at most 1 % of"
                    + " comparisons";
    private static final int MOST_NAMES = 40;

    private final ComparisonReport report;
    private final Comparison comparison;

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
        sections.addAll(Page.Section.shown(new SpectraChart(ChartSeries.of(both))));
        List<Page.Fact> facts = new ArrayList<>();
        facts.add(new Page.Fact("errors", ChangeText.failures(comparison)));
        if (!comparison.rows().isEmpty()) {
            facts.add(Page.Fact.detail("overall", ChangeText.effect(comparison)));
        }
        comparison
                .incidents()
                .ifPresent(found -> facts.add(new Page.Fact(
                        "INCIDENTS", found.text() + (comparison.ignoresStalls() ? "; ignored, as asked" : ""))));
        if (comparison.isBetweenRunsUnknown() && hasIntervals()) {
            facts.add(new Page.Fact("run to run", ChangeText.betweenRuns(comparison)));
        }
        return new Page(
                new Page.Head(
                        "comparison",
                        comparison.other().name() + " against "
                                + comparison.base().name(),
                        headline(),
                        partial(),
                        about),
                answers(),
                comparison.doubts().stream()
                        .map(doubt -> new Page.Note(true, doubt.code(), doubt.text()))
                        .toList(),
                sections,
                facts,
                Page.Origin.of(report.command(), report.version(), LIMITS));
    }

    private boolean hasIntervals() {
        return Stream.concat(comparison.rows().stream(), comparison.deciding().stream())
                .anyMatch(row -> row.answer() != ChangeAnswer.NOT_JUDGED);
    }

    /** The headline states the result, or the first reason against comparing. */
    @Override
    public Page brief() {
        Page page = View.super.brief();
        boolean hasAnswer = report.isComparable();
        int reasons = page.notes().size();
        return page.with(
                page.answers().subList(hasAnswer ? 1 : 0, page.answers().size()),
                page.notes().subList(hasAnswer ? 0 : Math.min(1, reasons), reasons));
    }

    @Override
    public boolean passes() {
        return report.exitCode() == ExitCode.MET;
    }

    @Override
    public boolean isOpen() {
        return isUndecided() || report.gate().isUndecided();
    }

    @Override
    public boolean isUndecided() {
        return report.exitCode() == ExitCode.UNSOUND;
    }

    @Override
    public Record data() {
        return ComparisonData.of(report, headline());
    }

    /** A row for each percentile of each name, worse ones first. */
    private Optional<Page.Section> requests() {
        ComparedNames names = report.names();
        if (names.byName().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Comparison> sorted = new LinkedHashMap<>(report.worseNames());
        names.byName().forEach(sorted::putIfAbsent);
        boolean isApart = names.byName().values().stream().anyMatch(ComparisonView::isWithoutStalls);
        Table table = tableOf(isApart ? "without stalls" : "request");
        for (Map.Entry<String, Comparison> of :
                sorted.entrySet().stream().limit(MOST_NAMES).toList()) {
            for (ComparedRow row : of.getValue().deciding()) {
                table = table.cells(cells(NameRows.shown(of.getKey()) + " " + Percentiles.name(row.percentile()), row));
            }
        }
        List<String> remarks = new ArrayList<>(List.of(TOGETHER));
        if (sorted.size() > MOST_NAMES) {
            remarks.add("and " + Numbers.count(sorted.size() - MOST_NAMES, "more name") + ", in JSON");
        }
        return Optional.of(
                Page.Section.of("requests", BY_REQUEST, Where.EVERYWHERE, table).remarks(remarks));
    }

    private String headline() {
        if (!report.isComparable()) {
            return "Not comparable: " + comparison.doubts().get(0).text() + ".";
        }
        boolean isAsked = report.gate().question().tolerance().isPresent();
        return ChangeText.headline(report)
                + (isAsked && report.gate().decision() == Gate.Decision.NONE_FOUND
                        ? "; " + ChangeText.gate(report.gate(), comparison)
                        : "")
                + ".";
    }

    /** Stated first even if it is accepted: a side that ended early. */
    private Optional<String> partial() {
        return !report.isComparable()
                ? Optional.empty()
                : comparison.doubts().stream()
                        .filter(doubt -> doubt.kind() == Incomparable.Kind.PARTIAL)
                        .findFirst()
                        .map(doubt -> "PARTIAL: " + doubt.text());
    }

    private static String described(ComparedSide side) {
        int runs = side.runs().size();
        OptionalDouble rate = side.ratePerSecond();
        return side.name() + ": " + Numbers.count(runs, "run") + ", "
                + Numbers.count(ComparedRun.planned(side.total()), "request")
                + (rate.isPresent() ? ", " + Numbers.rate(rate.getAsDouble()) + " intended" : "");
    }

    private List<Page.AnsweredQuestion> answers() {
        List<Page.AnsweredQuestion> answers = new ArrayList<>();
        String sentence = ChangeText.sentence(comparison);
        answers.add(
                report.isComparable()
                        ? answer("result", mark(), ChangeText.outcome(comparison), sentence)
                        : Page.AnsweredQuestion.ofMeasurement(
                                "result", passes() ? Mark.OPEN : Mark.BAD, "not comparable", "otherwise: " + sentence));
        String worse = ChangeText.worse(report.worseNames());
        if (!worse.isEmpty() && report.isComparable()) {
            answers.add(answer("requests", Mark.BAD, "worse", worse));
        }
        String oneSided = ChangeText.oneSided(report.names());
        if (!oneSided.isEmpty()) {
            answers.add(answer("names", Mark.NOTE, "not compared", oneSided));
        }
        if (report.tolerance().isPresent()) {
            answers.add(decision(report.tolerance().getAsDouble()));
        }
        return answers;
    }

    /** Whether there is a regression, if a tolerance was given. */
    private Page.AnsweredQuestion decision(double tolerance) {
        String found = ChangeText.gate(report.gate(), comparison);
        return switch (report.gate().decision()) {
            case NOT_COMPARABLE -> answer("regression", passes() ? Mark.NOTE : Mark.OPEN, "not comparable", found);
            case REGRESSION -> answer("regression", Mark.BAD, "yes", found);
            case NO_REGRESSION -> answer("regression", Mark.GOOD, "no", found);
            case NONE_FOUND ->
                answer("regression", passes() ? Mark.NOTE : Mark.OPEN, "none found", found + ": " + needed(tolerance));
        };
    }

    /** A note has a check too, so that JUnit's report has a skipped test rather than one test fewer. */
    private static Page.AnsweredQuestion answer(String label, Mark mark, String word, String summary) {
        return mark == Mark.NOTE
                ? new Page.AnsweredQuestion(
                        label,
                        mark,
                        word,
                        summary,
                        "",
                        Page.AnsweredQuestion.AnswerTopic.RESULT,
                        List.of(new Page.Check(mark, word, label, summary)))
                : Page.AnsweredQuestion.of(label, mark, word, summary);
    }

    private String needed(double tolerance) {
        if (tolerance > 0 && comparison.needsMoreRuns(tolerance)) {
            return comparison.isBetweenRunsUnknown()
                    ? "single runs do not show how runs vary: use three or more per side"
                    : "runs vary too much for longer ones to help: use more per side";
        }
        OptionalDouble seconds = comparison.neededSeconds(tolerance);
        return seconds.isEmpty()
                ? "measure longer, use several runs, or choose lower percentiles with --percentiles"
                : "about " + ResponseIntervals.about(seconds.getAsDouble() * 1e9)
                        + " per side would decide if the two are equal";
    }

    /** A worse but tolerated result is not marked as bad. */
    private Mark mark() {
        Mark mark = mark(comparison.outcome());
        return mark == Mark.GOOD || mark == Mark.NOTE ? mark : report.gate().isRegression() ? Mark.BAD : Mark.NOTE;
    }

    static Mark mark(Comparison.Difference outcome) {
        return switch (outcome) {
            case FASTER, KEEPS_UP, SAME -> Mark.GOOD;
            case SLOWER, OVERLOADED, FAILS_MORE, STALLS_MORE -> Mark.BAD;
            case MIXED -> Mark.OPEN;
            case CANNOT_TELL -> Mark.NOTE;
        };
    }

    /**
     * The chart of the changes and their table; after stalls one of all requests and one without them, the deciding one
     * first. One sentence if there were too few requests for any percentile.
     */
    static List<Page.Section> changes(String id, Comparison comparison, OptionalDouble tolerance) {
        ShiftChart chart = new ShiftChart(id, comparison, tolerance);
        if (!chart.isShown()) {
            return List.of(Page.Section.of(id, "Changes", Where.EVERYWHERE)
                    .lead("There are too few answers for a percentile."));
        }
        String title = chart.about().title();
        boolean isApart = isWithoutStalls(comparison);
        Table whole = rows(comparison.rows())
                .row(
                        "max",
                        PercentileCells.time(comparison.base().total(), 100),
                        PercentileCells.time(comparison.other().total(), 100),
                        "",
                        "one value: not tested",
                        "");
        Page.Section all = isApart
                ? Page.Section.of(id + "-table", title + ", all requests", Where.CHAPTER, whole)
                : Page.Section.of(id + "-table", title + " in numbers", Where.EVERYWHERE, whole)
                        .remarks(remarks(comparison));
        List<Page.Section> sections = new ArrayList<>(List.of(Page.Section.of(chart), all));
        if (isApart) {
            Page.Section calm = Page.Section.of(
                            id + "-calm", title + ", without stalls", Where.CHAPTER, rows(comparison.deciding()))
                    .remarks(remarks(comparison));
            sections.add(comparison.ignoresStalls() ? 1 : 2, calm);
        }
        return sections;
    }

    /** Whether what decides are rows of their own. */
    static boolean isWithoutStalls(Comparison comparison) {
        return comparison.incidents().filter(found -> !found.rows().isEmpty()).isPresent();
    }

    private static Table rows(List<ComparedRow> rows) {
        Table table = tableOf("");
        for (ComparedRow row : rows) {
            table = table.cells(cells(Percentiles.name(row.percentile()), row));
        }
        return table;
    }

    private static List<String> remarks(Comparison comparison) {
        List<String> remarks = new ArrayList<>();
        if (Stream.concat(comparison.rows().stream(), comparison.deciding().stream())
                .anyMatch(ComparedRow::isSignificantAlone)) {
            remarks.add(ALL_TOGETHER);
        }
        comparison.mostForeign().ifPresent(row -> remarks.add(ChangeText.foreign(comparison, row)));
        return remarks;
    }

    private static Table tableOf(String rowHead) {
        return Table.with(
                Column.of(rowHead),
                Column.of("base"),
                Column.of("other"),
                Column.of("change"),
                Column.of("95 % CI").ifAny(),
                Column.words("answer"));
    }

    private static List<Cell> cells(String name, ComparedRow row) {
        return List.of(
                Cell.of(name),
                Cell.of(ChangeText.time(row.baseNanos(), row.baseIsLowerBound())),
                Cell.of(ChangeText.time(row.otherNanos(), row.otherIsLowerBound())),
                Cell.of(ChangeText.of(row)),
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

    /**
     * The relative difference of each percentile between two systems, with intervals where known: the shift function. Above
     * the line of no change, the other system is slower.
     */
    private static final class ShiftChart implements Chart {
        /** Nines to the right of the last percentile, for its label. */
        private static final double LABEL_NINES = 0.35;

        private static final double CAP = 6;
        private static final int POINTS = 240;

        /** A finer scale would exaggerate small changes. */
        private static final double LEAST_REACH = Math.log(1.05);

        private final String id;
        private final Comparison comparison;
        private final OptionalDouble tolerance;
        private final Plot plot;

        /**
         * @param id a unique name on the page
         * @param tolerance accepted slowdown, if given
         */
        ShiftChart(String id, Comparison comparison, OptionalDouble tolerance) {
            this.id = id;
            this.comparison = comparison;
            this.tolerance = tolerance;
            double nines = 1;
            double reach = Math.max(LEAST_REACH, 1.2 * Math.log1p(tolerance.orElse(0)));
            for (ComparedRow row : comparison.rows()) {
                nines = Math.max(nines, Scale.Nines.of(row.percentile()));
                for (double change : List.of(
                        row.change(),
                        ChangeText.shown(row, row.lowChange()).orElse(row.change()),
                        ChangeText.shown(row, row.highChange()).orElse(row.change()))) {
                    reach = Math.max(reach, 1.1 * Math.abs(logOf(change)));
                }
            }
            plot = new Plot(new Box(70, 24, 884, 290), new Scale.Nines(nines + LABEL_NINES), new Scale.Change(reach));
        }

        private static double logOf(double change) {
            return Math.log1p(Math.max(change, -0.999_999));
        }

        @Override
        public boolean isShown() {
            return !comparison.rows().isEmpty();
        }

        @Override
        public About about() {
            return new About(
                    id,
                    comparison.other().name() + " against " + comparison.base().name(),
                    lead(),
                    ChangeText.sentence(comparison)
                            + (isWithoutStalls(comparison)
                                    ? ". The chart shows the numbers of the table of all requests."
                                    : ". The table has the same numbers."),
                    360,
                    Axis.ACROSS);
        }

        private String lead() {
            return "Change of the response time "
                    + (isWithoutStalls(comparison) ? "of all requests " : "")
                    + "at each percentile; the bars are 95 % intervals. Above the line it is slower,"
                    + " below it faster; a bar that crosses it is inconclusive.";
        }

        @Override
        public void draw(Svg svg) {
            Box box = plot.box();
            if (tolerance.isPresent()) {
                double top = plot.y(tolerance.getAsDouble());
                svg.box(new Box(box.x(), top, box.width(), plot.y(0.0) - top), ThemeColour.SHADE);
            }
            plot.axes(svg, "percentile of requests");
            tolerance.ifPresent(share -> svg.haloed(
                    box.right() - 6,
                    plot.y(share) - 5,
                    "no regression: up to " + ChangeText.of(share),
                    Svg.Label.end(ThemeColour.MUTED)));
            curve(svg);
            svg.line(box.x(), plot.y(0.0), box.right(), plot.y(0.0), Svg.Stroke.of(ThemeColour.INK, 1.4));
            svg.haloed(
                    box.x() + 6,
                    box.y() + 12,
                    "slower ↑",
                    Svg.Label.start(ThemeColour.RESPONSE).strong());
            svg.haloed(
                    box.x() + 6,
                    box.bottom() - 8,
                    "faster ↓",
                    Svg.Label.start(ThemeColour.SERVICE).strong());
            for (ComparedRow row : comparison.rows()) {
                bar(svg, row);
            }
        }

        /** The measured differences at all percentiles in between, without intervals. */
        private void curve(Svg svg) {
            Distribution base = comparison.base().total().responseAtLeast();
            Distribution other = comparison.other().total().responseAtLeast();
            double last = Scale.Nines.of(
                    comparison.rows().get(comparison.rows().size() - 1).percentile());
            Path path = new Path();
            for (int i = 0; i <= POINTS; i++) {
                double nines = last * i / POINTS;
                double share = 1 - Math.pow(10, -nines);
                double before = Math.max(1, at(base, share));
                path.to(plot.x(nines), plot.y(at(other, share) / before - 1));
            }
            svg.path(path, new Svg.Stroke(ThemeColour.MUTED, 1.2, "2 3"));
        }

        private static double at(Distribution times, double share) {
            return times.valueAtRank(Math.max(1, (long) Math.ceil(share * times.count())));
        }

        private static ThemeColour hue(ChangeAnswer answer) {
            return switch (answer) {
                case FASTER -> ThemeColour.SERVICE;
                case SLOWER -> ThemeColour.RESPONSE;
                case SAME, CANNOT_TELL, NOT_JUDGED -> ThemeColour.MUTED;
            };
        }

        /** A bar for an interval; an unknown end is dotted to the edge of the chart. */
        private void bar(Svg svg, ComparedRow row) {
            double x = plot.x(Scale.Nines.of(row.percentile()));
            double y = plot.y(row.change());
            ThemeColour hue = hue(row.answer());
            OptionalDouble low = ChangeText.shown(row, row.lowChange());
            OptionalDouble high = ChangeText.shown(row, row.highChange());
            if (low.isPresent() || high.isPresent()) {
                half(svg, x, y, low, plot.box().bottom(), hue);
                half(svg, x, y, high, plot.box().y(), hue);
            }
            svg.dot(x, y, 5, hue);
            if (hue == ThemeColour.MUTED) {
                svg.dot(x, y, 3, ThemeColour.PAPER);
            }
            double gapToNext = comparison.rows().stream()
                    .mapToDouble(other -> plot.x(Scale.Nines.of(other.percentile())) - x)
                    .filter(far -> far > 0)
                    .min()
                    .orElse(Double.MAX_VALUE);
            svg.beside(x, 11, y - 2, ChangeText.of(row), Svg.Label.start(hue).strong(), gapToNext);
            svg.beside(x, 11, y + 13, ChangeText.answer(row), Svg.Label.start(hue), gapToNext);
        }

        private void half(Svg svg, double x, double from, OptionalDouble end, double edge, ThemeColour hue) {
            if (end.isEmpty()) {
                svg.line(x, from, x, edge, new Svg.Stroke(hue, 2, "1 4"));
                return;
            }
            double y = plot.y(end.getAsDouble());
            svg.line(x, from, x, y, Svg.Stroke.of(hue, 3));
            svg.line(x - CAP, y, x + CAP, y, Svg.Stroke.of(hue, 2));
        }

        @Override
        public List<Reading> readings() {
            List<Reading> readings = new ArrayList<>();
            for (ComparedRow row : comparison.rows()) {
                String interval = ChangeText.interval(row);
                readings.add(new Reading(
                        plot.x(Scale.Nines.of(row.percentile())),
                        Percentiles.name(row.percentile()) + ": "
                                + ChangeText.time(row.baseNanos(), row.baseIsLowerBound()) + " to "
                                + ChangeText.time(row.otherNanos(), row.otherIsLowerBound()) + ", "
                                + ChangeText.of(row)
                                + (interval.isEmpty() ? "" : " (95 %: " + interval + ")") + ", "
                                + ChangeText.answer(row.answer()).toLowerCase(Locale.ROOT)));
            }
            return readings;
        }
    }
}
