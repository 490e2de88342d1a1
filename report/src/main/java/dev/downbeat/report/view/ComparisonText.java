package dev.downbeat.report.view;

import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ComparedSide;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Comparison.Row;
import dev.downbeat.verdict.Incomparable;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseIntervals;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A comparison for readers: at most 80 columns, but for words that are longer. */
public final class ComparisonText {
    private final ComparisonReport report;
    private final Comparison comparison;
    private final Ink ink;
    private final Lines lines;

    private ComparisonText(ComparisonReport report, Ink ink, Lines lines) {
        this.report = report;
        this.comparison = report.comparison();
        this.ink = ink;
        this.lines = lines;
    }

    /** Writes the screen. */
    public static void write(ComparisonReport report, boolean colour, Appendable out) throws IOException {
        new ComparisonText(report, colour ? Ink.ANSI : Ink.NONE, new Lines(out)).write();
    }

    private void write() throws IOException {
        lines.paragraph("base   ", ink.bold(comparison.base().name()) + runs(comparison.base()));
        lines.paragraph("other  ", ink.bold(comparison.other().name()) + runs(comparison.other()));
        if (!report.load().isEmpty()) {
            lines.paragraph("each   ", report.load());
        }
        lines.blank();
        lines.paragraph("  RESULT       ", outcome() + ChangeText.sentence(comparison));
        decision();
        if (comparison.incidents().isPresent()) {
            lines.paragraph("  INCIDENTS    ", comparison.incidents().get().text());
        }
        table();
        ChangeChart.write(comparison.rows(), lines);
        lines.blank();
        lines.paragraph("  not answered ", ChangeText.failures(comparison));
        if (!comparison.rows().isEmpty()) {
            lines.paragraph("  as a whole   ", ChangeText.effect(comparison));
        }
        if (comparison.isBetweenRunsUnknown() && !comparison.rows().isEmpty()) {
            lines.paragraph("  from run to run ", ChangeText.BETWEEN_RUNS);
        }
        doubts(comparison.doubts());
    }

    static String runs(ComparedSide side) {
        int runs = side.runs().size();
        OptionalDouble rate = side.ratePerSecond();
        return ": " + Numbers.count(runs) + (runs == 1 ? " run, " : " runs, ")
                + Numbers.count(ComparedSide.planned(side.total())) + " requests"
                + (rate.isPresent() ? ", " + Numbers.rate(rate.getAsDouble()) + " intended" : "");
    }

    private String outcome() {
        if (!comparison.doubts().isEmpty() && !report.acceptDoubts()) {
            return ink.bad("NOT COMPARABLE") + "  see ! 1; else: ";
        }
        return switch (comparison.outcome()) {
            case FASTER -> ink.good("faster") + "  ";
            case SLOWER -> ink.bad("SLOWER") + "  ";
            case MIXED -> ink.doubt("mixed") + "  ";
            case FAILS_MORE -> ink.bad("FAILS MORE") + "  ";
            case SAME -> ink.good("the same") + "  ";
            case CANNOT_TELL -> ink.doubt("cannot tell") + "  ";
        };
    }

    private void decision() throws IOException {
        if (report.tolerance().isPresent()) {
            lines.paragraph("  REGRESSION   ", decision(report, ink));
        }
    }

    /** Whether there is a regression, for whoever asked with a tolerance. */
    static String decision(ComparisonReport report, Ink ink) {
        double tolerance = report.tolerance().orElseThrow();
        String limit = ChangeText.of(tolerance);
        if (report.comparison().isRegression(tolerance)) {
            return ink.bad("yes") + "  slower by more than " + limit + " at a percentile, or it fails more";
        }
        return report.comparison().isNoRegression(tolerance)
                ? ink.good("no") + "  surely at no percentile slower by more than " + limit
                : ink.doubt("undecided") + "  slower by more than " + limit + " cannot be excluded: "
                        + needed(report.comparison().neededSeconds(tolerance));
    }

    private static String needed(OptionalDouble seconds) {
        return seconds.isEmpty()
                ? "measure longer, give several runs, or ask for lower percentiles with --percentiles"
                : "about " + ResponseIntervals.about(seconds.getAsDouble() * 1e9)
                        + " a side could decide, if both are the same";
    }

    private void table() throws IOException {
        if (comparison.rows().isEmpty()) {
            return;
        }
        lines.blank();
        row("", "base", "other", "change", "95 % interval", "");
        for (Row row : comparison.rows()) {
            row(
                    PercentileName.of(row.percentile()),
                    time(row.baseNanos(), row.baseIsLowerBound()),
                    time(row.otherNanos(), row.otherIsLowerBound()),
                    ChangeText.of(row.change()),
                    ChangeText.interval(row),
                    ChangeText.painted(row, ink));
        }
        row(
                "max",
                time(comparison.base().total().responseAtLeast().maxNanos(), false),
                time(comparison.other().total().responseAtLeast().maxNanos(), false),
                "",
                "one value: no test",
                "");
    }

    static String time(long nanos, boolean isLowerBound) {
        return (isLowerBound ? "≥ " : "") + DurationText.rounded(nanos);
    }

    /** Not wrapped: columns keep their places. */
    private void row(Object... cells) throws IOException {
        lines.unwrapped(String.format(Locale.ROOT, "    %-7s%10s%11s%10s%20s  %s", cells));
    }

    private void doubts(List<Incomparable> doubts) throws IOException {
        if (!doubts.isEmpty()) {
            lines.blank();
        }
        for (int i = 0; i < doubts.size(); i++) {
            String mark = "  ! " + (i + 1) + " ";
            lines.paragraph(ink.bad(mark), doubts.get(i).text());
        }
    }
}
