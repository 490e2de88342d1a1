package dev.downbeat.report;

import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ComparedSide;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Comparison.Row;
import dev.downbeat.verdict.Incomparable;
import dev.downbeat.verdict.PercentileName;
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
        table();
        ChangeChart.write(comparison.rows(), lines);
        lines.blank();
        lines.paragraph("  not answered ", failures());
        if (!comparison.rows().isEmpty()) {
            lines.paragraph("  as a whole   ", effect());
        }
        doubts(comparison.doubts());
    }

    private static String runs(ComparedSide side) {
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
            case CANNOT_TELL -> ink.doubt("cannot tell") + "  ";
        };
    }

    private void decision() throws IOException {
        if (report.tolerance().isEmpty()) {
            return;
        }
        double tolerance = report.tolerance().getAsDouble();
        String limit = ChangeText.of(tolerance);
        String text;
        if (comparison.isRegression(tolerance)) {
            text = ink.bad("yes") + "  slower by more than " + limit + " at a percentile, or it fails more";
        } else if (comparison.isNoRegression(tolerance)) {
            text = ink.good("no") + "  surely at no percentile slower by more than " + limit;
        } else {
            text = ink.doubt("undecided") + "  slower by more than " + limit
                    + " cannot be excluded: measure longer, or more runs";
        }
        lines.paragraph("  REGRESSION   ", text);
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
                    ChangeText.painted(row.answer(), ink));
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

    private String failures() {
        String shares = "base " + ChangeText.notAnswered(comparison.base()) + ", other "
                + ChangeText.notAnswered(comparison.other());
        if (comparison.failures().isMore()) {
            return shares + ": surely more";
        }
        return comparison.failures().isLess() ? shares + ": surely fewer" : shares;
    }

    private String effect() {
        double delta = comparison.effect();
        return String.format(
                Locale.ROOT,
                "one request of each: that of the other is the %s in %.0f %% of pairs (Cliff's delta %+.2f)",
                delta >= 0 ? "slower" : "faster",
                50 + 50 * Math.abs(delta),
                delta + 0.0);
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
