package dev.downbeat.report.view;

import dev.downbeat.report.chart.Markup;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Comparison.Row;
import dev.downbeat.verdict.PercentileName;
import java.util.List;
import java.util.OptionalDouble;

/** A comparison as sections of a page: the picture of the changes, and their table. Not thread-safe. */
final class HtmlChanges {
    static final List<String> SENTENCES = List.of(
            "Response times count from the intended start of each request. They are already corrected for coordinated"
                    + " omission: do not correct them again.",
            "The intervals come from drawing whole stretches of time, runs or turns again, never single requests: those that"
                    + " waited in the same queue are alike.",
            "The answers hold over all percentiles together (Holm), so two equal systems are told apart in one comparison out"
                    + " of twenty.",
            "The dotted line is what was measured at the percentiles between. It has no interval, and is no answer.");

    private final Markup page;
    private final HtmlParts parts;

    HtmlChanges(Markup page) {
        this.page = page;
        this.parts = new HtmlParts(page);
    }

    static CheckLines.Mark mark(Comparison.Outcome outcome) {
        return switch (outcome) {
            case FASTER -> CheckLines.Mark.GOOD;
            case SLOWER, FAILS_MORE -> CheckLines.Mark.BAD;
            case SAME -> CheckLines.Mark.GOOD;
            case MIXED, CANNOT_TELL -> CheckLines.Mark.OPEN;
        };
    }

    /** Where there were too few requests for any percentile there is only a sentence. */
    void write(String id, Comparison comparison, OptionalDouble tolerance) {
        ShiftChart chart = new ShiftChart(id, comparison, tolerance);
        if (!chart.isShown()) {
            page.leaf("p", "There are too few answers for a percentile.", "class", "lead");
            return;
        }
        HtmlReport.figure(page, chart);
        page.open("section", "id", id + "-table");
        page.leaf("h2", chart.title() + " in numbers", "class", "unseen");
        parts.beginTable(
                chart.title(),
                List.of("", comparison.base().name(), comparison.other().name(), "change", "95 % interval", "answer"));
        for (Row row : comparison.rows()) {
            String interval = ChangeText.interval(row);
            parts.row(
                    PercentileName.of(row.percentile()),
                    List.of(
                            ComparisonText.time(row.baseNanos(), row.baseIsLowerBound()),
                            ComparisonText.time(row.otherNanos(), row.otherIsLowerBound()),
                            ChangeText.of(row.change()),
                            interval.isEmpty() ? "–" : interval,
                            ChangeText.answer(row.answer())),
                    -1);
        }
        parts.row(
                "max",
                List.of(
                        ComparisonText.time(
                                comparison.base().total().responseAtLeast().maxNanos(), false),
                        ComparisonText.time(
                                comparison.other().total().responseAtLeast().maxNanos(), false),
                        "",
                        "one value: no test",
                        ""),
                -1);
        parts.endTable();
        page.close();
    }
}
