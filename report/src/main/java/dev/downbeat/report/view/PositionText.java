package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionAdvice;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.stats.FirstRequestCost;
import dev.downbeat.stats.Period;
import dev.downbeat.stats.PositionFinding;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A position report on a screen of 80 columns. */
public final class PositionText {
    private static final int BAR = 24;
    private static final double CERTAIN = 1e-9;

    private final PositionReport report;
    private final Lines lines;
    private final Ink ink;

    private PositionText(PositionReport report, Lines lines, Ink ink) {
        this.report = report;
        this.lines = lines;
        this.ink = ink;
    }

    /**
     * Writes all of it.
     *
     * @param colour whether with ANSI colours
     */
    public static void write(PositionReport report, boolean colour, Appendable out) throws IOException {
        new PositionText(report, new Lines(out), colour ? Ink.ANSI : Ink.NONE).write();
    }

    private void write() throws IOException {
        head();
        found();
        advice();
        lines.blank();
        new PositionRows(report).write(lines);
        lines.blank();
        new PositionChart(report.places(), report.slowPlaces()).write(lines);
        cost();
        lines.blank();
        fact("period", period());
        fact("spectrum", spectrum());
        fact("connections", connections());
        if (!report.result().failures().isEmpty()) {
            fact("failed", failures());
        }
        if (!report.positionsKnown()) {
            fact("note", "this client does not tell which connection a request went by: places are those in the run");
        }
    }

    private void head() throws IOException {
        SerialPlan plan = report.result().plan();
        if (!report.result().complete()) {
            lines.line(ink.doubt("INCOMPLETE: " + Numbers.count(report.sent()) + " of "
                    + Numbers.count((long) plan.runs() * plan.requests()) + " requests were sent"));
        }
        lines.line(ink.bold(report.result().target()));
        String starts = plan.staggered()
                ? "starts spread over " + DurationText.rounded(report.result().usualRunNanos())
                        + ", so that runs do not meet their new connections together"
                : "started together, so that they meet their new connections together";
        lines.line(Numbers.count(plan.runs()) + " runs of " + Numbers.count(plan.requests()) + " requests, one after"
                + " the other, each run on connections of its own; " + Math.min(plan.runs(), plan.concurrency())
                + " runs at a time, " + starts + "; " + plan.warmUpRuns() + " more to warm up, not counted");
        lines.blank();
        for (Caveat caveat : report.caveats()) {
            String label = caveat.isDoubt() ? "  UNSOUND  " : "  NOTE     ";
            lines.paragraph(caveat.isDoubt() ? ink.bad(label) : label, caveat.text());
        }
    }

    private void found() throws IOException {
        if (report.findings().isEmpty()) {
            String nothing =
                    report.cost().isPresent() ? "nothing that depends on the place of a request" : "too little to tell";
            lines.paragraph("  FOUND    ", nothing);
            return;
        }
        int number = 1;
        for (PositionFinding finding : report.findings()) {
            lines.paragraph((number == 1 ? "  FOUND    " : "           ") + ink.bold(number + "  "), finding.text());
            number++;
        }
    }

    private void advice() throws IOException {
        String label = "  TO DO    ";
        for (String advice : PositionAdvice.of(report)) {
            lines.paragraph(label + "-  ", advice);
            label = "           ";
        }
    }

    private void cost() throws IOException {
        if (report.cost().isEmpty()) {
            return;
        }
        FirstRequestCost cost = report.cost().get();
        lines.blank();
        lines.paragraph(
                "  ",
                "what the first request on a connection takes more, at the median of " + Numbers.count(cost.first())
                        + " first and " + Numbers.count(cost.rest()) + " others");
        long greatest =
                cost.partsNanos().values().stream().mapToLong(Math::abs).max().orElse(0);
        for (Map.Entry<Part, Long> part : cost.partsNanos().entrySet()) {
            int bar = greatest == 0 || part.getValue() < 0
                    ? 0
                    : (int) Math.round((double) BAR * part.getValue() / greatest);
            lines.unwrapped(String.format(
                    Locale.ROOT, "    %-24s %10s  %s", part.getKey().words(), time(part.getValue()), "█".repeat(bar)));
        }
        lines.unwrapped(String.format(
                Locale.ROOT,
                "    %-24s %10s  95 %%: %s to %s",
                "together",
                time(cost.costNanos()),
                time(cost.lowNanos()),
                time(cost.highNanos())));
    }

    private static String time(long nanos) {
        return nanos < 0 ? "-" + DurationText.rounded(-nanos) : DurationText.rounded(nanos);
    }

    private void fact(String label, String text) throws IOException {
        lines.paragraph(String.format(Locale.ROOT, "  %-13s", label), text);
    }

    private String period() {
        if (report.periods().isEmpty()) {
            return "none found from 2 to 200 requests";
        }
        return report.periods().stream().map(PositionText::words).collect(Collectors.joining("; "));
    }

    private static String words(Period period) {
        String chance = period.chance() < CERTAIN
                ? "less than one in a thousand million"
                : String.format(Locale.ROOT, "%.2g", period.chance());
        return "every " + period.length() + " requests, at place "
                + period.places().stream().map(String::valueOf).collect(Collectors.joining(", ")) + " of them: "
                + time(period.slowNanos()) + ", others " + time(period.otherwiseNanos())
                + "; the probability of such data without a period is " + chance;
    }

    private String spectrum() {
        Distribution service = report.service();
        List<String> values = new ArrayList<>();
        double last = report.period().map(k -> 100 - 100.0 / k).orElse(98.0);
        for (double percentile : new double[] {50, 75, 90, 95, last, 99, 99.9}) {
            if (ResponseBounds.carries(percentile, service.count())) {
                values.add("p" + name(percentile) + " " + DurationText.rounded(service.valueAtPercentile(percentile)));
            }
        }
        return String.join(", ", values);
    }

    private static String name(double percentile) {
        return String.format(Locale.ROOT, "%.2f", percentile).replaceAll("\\.?0+$", "");
    }

    private String connections() {
        ConnectionCounts counts = report.result().connections();
        return "opened " + Numbers.count(counts.opened()) + " (" + Numbers.count(counts.resumed())
                + " resumed a TLS session), failed to open " + Numbers.count(counts.failed())
                + "; closed by the server with notice (`Connection: close`) "
                + Numbers.count(counts.closedByServerWithNotice()) + ", without notice "
                + Numbers.count(counts.closedByServer()) + ", by us " + Numbers.count(counts.closedByUs())
                + "; open at the end of their run " + Numbers.count(counts.openAtEnd());
    }

    private String failures() {
        return report.result().failures().entrySet().stream()
                .map(failure -> failure.getKey() + " " + Numbers.count(failure.getValue()))
                .collect(Collectors.joining(", "));
    }
}
