package dev.downbeat.report.view;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.SweepPairReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Two services at several loads on a screen of 80 columns. */
public final class SweepPairText {
    private static final String SIDE = "%9s %9s  %-9s";

    private final SweepPairReport report;
    private final Lines lines;
    private final Ink ink;

    private SweepPairText(SweepPairReport report, Lines lines, Ink ink) {
        this.report = report;
        this.lines = lines;
        this.ink = ink;
    }

    /**
     * Writes all of it.
     *
     * @param colour whether with ANSI colours
     */
    public static void write(SweepPairReport report, boolean colour, Appendable out) throws IOException {
        new SweepPairText(report, new Lines(out), colour ? Ink.ANSI : Ink.NONE).write();
    }

    private void write() throws IOException {
        partial("A", report.base());
        partial("B", report.other());
        lines.line(ink.bold("A  " + report.base().target()));
        lines.line(ink.bold("B  " + report.other().target()));
        lines.paragraph("", report.base().load() + "; in turns");
        lines.blank();
        table();
        lines.blank();
        sustainable("A", report.base().capacity());
        sustainable("B", report.other().capacity());
        answer();
        doubts("A", report.base().capacity());
        doubts("B", report.other().capacity());
    }

    private void partial(String side, SweepReport search) throws IOException {
        if (search.partial().isPresent()) {
            lines.paragraph("", ink.doubt(side + " " + search.partial().get()));
        }
    }

    /** A rate that only one of them was asked for has only one half. */
    private void table() throws IOException {
        lines.unwrapped(String.format(Locale.ROOT, "%9s", "rate/s")
                + String.format(Locale.ROOT, SIDE, "A p50", "p99", "")
                + "  " + String.format(Locale.ROOT, SIDE, "B p50", "p99", ""));
        TreeMap<Double, RateStep[]> rows = new TreeMap<>();
        report.base().capacity().steps().forEach(step -> row(rows, step)[0] = step);
        report.other().capacity().steps().forEach(step -> row(rows, step)[1] = step);
        for (var row : rows.entrySet()) {
            lines.unwrapped(
                    String.format(Locale.ROOT, "%9s", Numbers.rate(row.getKey()).replace("/s", ""))
                            + side(row.getValue(), 0) + "  " + side(row.getValue(), 1));
        }
    }

    private static RateStep[] row(Map<Double, RateStep[]> rows, RateStep step) {
        return rows.computeIfAbsent(step.perSecond(), none -> new RateStep[2]);
    }

    private static String side(RateStep[] both, int which) {
        RateStep step = both[which];
        if (step == null) {
            return String.format(Locale.ROOT, SIDE, "", "", "");
        }
        Distribution times = step.recording().responseAtLeast();
        return String.format(
                Locale.ROOT,
                SIDE,
                time(times, 50),
                time(times, 99),
                step.outcome().word());
    }

    private static String time(Distribution times, double percentile) {
        return ResponseBounds.carries(percentile, times.count())
                ? DurationText.rounded(times.valueAtPercentile(percentile))
                : "-";
    }

    private void sustainable(String side, Capacity capacity) throws IOException {
        OptionalDouble low = capacity.sustainablePerSecond();
        OptionalDouble high = capacity.tooHighPerSecond();
        String text = low.isPresent()
                ? (high.isEmpty() ? "at least " : "") + Numbers.rate(low.getAsDouble())
                : ink.bad("no rate was surely sustained");
        String upTo = high.isEmpty() ? "" : ", surely not " + Numbers.rate(high.getAsDouble());
        lines.paragraph(
                "  " + side + " sustains   ",
                text + upTo + (capacity.isConfirmed() || low.isEmpty() ? "" : ", not confirmed"));
    }

    private void answer() throws IOException {
        lines.paragraph("  answer       ", answer(report, ink));
    }

    /** Which of them takes more, in a sentence. */
    static String answer(SweepPairReport report, Ink ink) {
        CapacityComparison comparison = report.comparison();
        String objectives = report.base().capacity().plan().slos().stream()
                .map(slo -> slo.subject() + " " + slo.limit())
                .collect(Collectors.joining(", "));
        String both = comparison.bothPerSecond().isPresent()
                ? "both keep " + objectives + " up to "
                        + Numbers.rate(comparison.bothPerSecond().getAsDouble()) + "; "
                : "";
        return both
                + switch (comparison.outcome()) {
                    case MORE -> ink.good("B at " + factor(comparison));
                    case LESS -> ink.bad("B only at " + factor(comparison));
                    case CANNOT_TELL ->
                        ink.doubt("cannot tell") + " which of them takes more"
                                + (comparison.factor().isPresent() ? ": B at " + factor(comparison) : "");
                };
    }

    private static String factor(CapacityComparison comparison) {
        String low = plain(comparison.lowFactor());
        String high = plain(comparison.highFactor());
        String ends = low.isEmpty() && high.isEmpty()
                ? ""
                : high.isEmpty()
                        ? " (at least " + low + ", 95 %)"
                        : low.isEmpty() ? " (at most " + high + ", 95 %)" : " (" + low + " to " + high + ", 95 %)";
        String most = comparison.factor().isEmpty() ? "less than any" : plain(comparison.factor()) + " times";
        return most + " the load" + ends;
    }

    private static String plain(OptionalDouble factor) {
        return factor.isEmpty() ? "" : String.format(Locale.ROOT, "%.2f", factor.getAsDouble());
    }

    private void doubts(String side, Capacity capacity) throws IOException {
        if (capacity.limit() == Capacity.Limit.CLIENT) {
            lines.paragraph(
                    "  limit of " + side + "   ",
                    ink.bad("this machine, not the service") + ": "
                            + capacity.clientLimit().orElse(""));
        }
        if (capacity.limit() == Capacity.Limit.CONNECTIONS) {
            lines.paragraph("  limit of " + side + "   ", ink.doubt("the connections, not the service") + ": raise -c");
        }
        if (capacity.isCutShort() && capacity.unmeasured().isEmpty()) {
            lines.paragraph(
                    "  search " + side + "     ", "ended early: a longer --budget brings the ends closer together");
        }
    }
}
