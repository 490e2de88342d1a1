package dev.downbeat.report.view;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.ScalabilityLaw;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ResponseBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A search for the highest rate on a screen of 80 columns. */
public final class SweepText {
    private static final int BAR = 22;

    private final SweepReport report;
    private final Capacity capacity;
    private final Lines lines;
    private final Ink ink;

    private SweepText(SweepReport report, Lines lines, Ink ink) {
        this.report = report;
        this.capacity = report.capacity();
        this.lines = lines;
        this.ink = ink;
    }

    /**
     * Writes all of it.
     *
     * @param colour whether with ANSI colours
     */
    public static void write(SweepReport report, boolean colour, Appendable out) throws IOException {
        new SweepText(report, new Lines(out), colour ? Ink.ANSI : Ink.NONE).write();
    }

    /** The head of the table. */
    public static String head() {
        return String.format(Locale.ROOT, "%9s %8s %9s %9s %9s  %s", "rate/s", "done/s", "p50", "p99", "max", "");
    }

    /** One row of the table, without its bar. */
    public static String row(RateStep step) {
        Distribution times = step.recording().responseAtLeast();
        return String.format(
                Locale.ROOT,
                "%9s %8s %9s %9s %9s  %-9s",
                number(step.perSecond()),
                number(step.answeredPerSecond()),
                time(times, 50),
                time(times, 99),
                time(times, 100),
                step.outcome().word());
    }

    private static String time(Distribution times, double percentile) {
        return ResponseBounds.carries(percentile, times.count())
                ? DurationText.rounded(times.valueAtPercentile(percentile))
                : "-";
    }

    private static String number(double perSecond) {
        return Numbers.rate(perSecond).replace("/s", "");
    }

    private void write() throws IOException {
        if (report.partial().isPresent()) {
            lines.paragraph("", ink.doubt(report.partial().get()));
        }
        lines.line(ink.bold(report.target()));
        lines.paragraph("", report.load());
        lines.blank();
        lines.unwrapped(head());
        for (RateStep step : capacity.steps()) {
            lines.unwrapped(row(step) + " " + bar(step));
        }
        lines.paragraph(
                "  ",
                ink.faint("p99 as a bar, logarithmic; response times count from when each request was meant to start"));
        lines.blank();
        for (Facts.Fact finding : findings()) {
            lines.paragraph(String.format(Locale.ROOT, "  %-13s", finding.label()), finding.text());
        }
    }

    /** What was found, for other formats; without colours. */
    static List<Facts.Fact> findings(SweepReport report) {
        return new SweepText(report, new Lines(new StringBuilder()), Ink.NONE).findings();
    }

    private List<Facts.Fact> findings() {
        List<Facts.Fact> findings = new ArrayList<>();
        sustainable(findings);
        saturation(findings);
        scalability(findings);
        doubts(findings);
        return findings;
    }

    private String bar(RateStep step) {
        double least =
                capacity.steps().stream().mapToDouble(SweepText::tail).min().orElse(1);
        double most =
                capacity.steps().stream().mapToDouble(SweepText::tail).max().orElse(1);
        double share = most <= least ? 0 : Math.log(tail(step) / least) / Math.log(most / least);
        return "█".repeat(1 + (int) Math.round(share * (BAR - 1)));
    }

    private static double tail(RateStep step) {
        return Math.max(1, step.recording().responseAtLeast().valueAtPercentile(99));
    }

    private String objectives() {
        return capacity.plan().slos().stream()
                .map(slo -> slo.subject() + " " + slo.limit())
                .collect(Collectors.joining(", "));
    }

    private void sustainable(List<Facts.Fact> findings) {
        OptionalDouble low = capacity.sustainablePerSecond();
        OptionalDouble high = capacity.tooHighPerSecond();
        String label = "sustainable";
        if (low.isEmpty()) {
            String lowest = high.isEmpty() ? "" : ": " + Numbers.rate(high.getAsDouble()) + " was too much";
            findings.add(
                    new Facts.Fact(label, ink.bad("no rate was surely sustained") + " under " + objectives() + lowest));
            return;
        }
        String upTo = high.isEmpty() ? "" : ", surely not at " + Numbers.rate(high.getAsDouble());
        String sure = capacity.isConfirmed() ? "" : " " + ink.doubt("(not confirmed by a longer run)");
        findings.add(new Facts.Fact(
                label,
                ink.good((high.isEmpty() ? "at least " : "") + Numbers.rate(low.getAsDouble())) + " under "
                        + objectives() + upTo + " (95 %)" + sure));
        why(high, findings);
    }

    /** What happened at the upper end. */
    private void why(OptionalDouble high, List<Facts.Fact> findings) {
        Optional<RateStep> end = capacity.steps().stream()
                .filter(step -> high.isPresent() && step.perSecond() == high.getAsDouble())
                .findFirst();
        if (end.isPresent()) {
            findings.add(new Facts.Fact(
                    "",
                    "at " + Numbers.rate(high.getAsDouble()) + ": " + end.get().reason()));
        }
    }

    private void saturation(List<Facts.Fact> findings) {
        Optional<Growth.Capacity> found = capacity.saturation();
        if (found.isPresent()) {
            findings.add(new Facts.Fact(
                    "saturates",
                    "at " + Numbers.rate(found.get().perSecond()) + " ("
                            + number(found.get().lowPerSecond()) + " to "
                            + Numbers.rate(found.get().highPerSecond())
                            + ", 95 %): response times past that only say how long you watched"));
        }
    }

    private void scalability(List<Facts.Fact> findings) {
        Optional<ScalabilityLaw> found = capacity.scalability();
        if (found.isPresent()) {
            ScalabilityLaw law = found.get();
            double best = law.bestClients();
            findings.add(new Facts.Fact(
                    "scaling",
                    String.format(
                                    Locale.ROOT,
                                    "one request at a time gives %s; contention %.3f, coherence %.5f",
                                    Numbers.rate(law.perClient()),
                                    law.contention(),
                                    law.coherence())
                            + (Double.isInfinite(best)
                                    ? ""
                                    : String.format(Locale.ROOT, ": most at %.0f requests at a time", best))
                            + " (universal scalability law)"));
        }
    }

    private void doubts(List<Facts.Fact> findings) {
        String label = "limit";
        switch (capacity.limit()) {
            case CLIENT ->
                findings.add(new Facts.Fact(
                        label,
                        ink.bad("this machine, not the service") + ": "
                                + capacity.clientLimit().orElse("")
                                + ". What the service could do above that was not measured"));
            case CONNECTIONS ->
                findings.add(new Facts.Fact(
                        label,
                        ink.doubt("the connections, not the service") + ": requests waited for a free one while the"
                                + " service was as quick as ever. Raise -c"));
            case NOT_REACHED ->
                findings.add(new Facts.Fact(label, "none was reached: no rate that was tried was surely too high"));
            case SERVICE -> {}
        }
        if (capacity.isCutShort() && capacity.unmeasured().isEmpty()) {
            findings.add(
                    new Facts.Fact(label, "the search ended early: a longer --budget brings the ends closer together"));
        }
    }
}
