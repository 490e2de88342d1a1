package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.Strand;
import dev.downbeat.report.chart.StripsChart;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.HtmlPage;
import dev.downbeat.verdict.PercentText;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Several results on one page: their verdicts, their percentiles, their curves over each other, their courses. */
public final class SideBySideHtml {
    private static final List<String> SENTENCES = List.of(
            "Response times count from the intended start of each request. They are already corrected for coordinated"
                    + " omission: do not correct them again.",
            "A percentile is that of all requests of one result, never a mean of percentiles, and is shown if enough requests"
                    + " are expected beyond it. Lower bounds are marked ≥.",
            SideBySideText.NO_TEST);

    private final SideBySide report;
    private final Markup page = new Markup();
    private final HtmlParts parts = new HtmlParts(page);

    private SideBySideHtml(SideBySide report) {
        this.report = report;
    }

    /** Writes all of it. */
    public static void write(SideBySide report, Appendable out) throws IOException {
        new SideBySideHtml(report).write(out);
    }

    private void write(Appendable out) throws IOException {
        HtmlPage frame = new HtmlPage(page);
        String title = report.results().size() + " results";
        frame.begin("Downbeat: " + title);
        page.open("header").leaf("p", "Downbeat results side by side", "class", "eyebrow");
        page.leaf("h1", title).close();
        verdicts();
        percentiles();
        SpectraChart spectra = new SpectraChart(Strand.of(report));
        if (spectra.isShown()) {
            HtmlReport.figure(page, spectra);
        }
        StripsChart strips = new StripsChart(report);
        if (strips.isShown()) {
            HtmlReport.figure(page, strips);
        }
        ledgers();
        method();
        frame.end();
        out.append(page.toString());
    }

    private void verdicts() {
        boolean good = report.results().stream().allMatch(SideBySideHtml::isGood);
        page.open("section", "id", "verdict", "class", good ? "verdict good" : "verdict bad");
        page.leaf("h2", "Verdict", "class", "unseen").open("div");
        for (SideBySide.Named named : report.results()) {
            parts.answer(mark(named), named.name() + ": " + SideBySideText.verdict(named));
            String partial = new Facts(named.report()).partial();
            if (!partial.isEmpty()) {
                page.leaf("p", partial, "class", "partial");
            }
        }
        page.close().open("div");
        List<CheckLines.Line> lines = new ArrayList<>();
        for (String difference : report.differences()) {
            lines.add(new CheckLines.Line(CheckLines.Mark.NOTE, difference));
        }
        lines.add(new CheckLines.Line(CheckLines.Mark.NOTE, SideBySideText.NO_TEST));
        parts.checks(lines);
        page.close().close();
    }

    private static boolean isGood(SideBySide.Named named) {
        return mark(named) != CheckLines.Mark.BAD;
    }

    private static CheckLines.Mark mark(SideBySide.Named named) {
        Verdict verdict = named.report().verdict();
        if (verdict.measurement() == Verdict.Measurement.UNSOUND) {
            return CheckLines.Mark.BAD;
        }
        return switch (verdict.service()) {
            case MET -> CheckLines.Mark.GOOD;
            case MISSED -> CheckLines.Mark.BAD;
            case UNDECIDED, NONE -> CheckLines.Mark.OPEN;
        };
    }

    private void percentiles() {
        page.open("section", "id", "percentiles").leaf("h2", "Response times");
        List<String> heads = new ArrayList<>(List.of(""));
        SideBySideText.SHOWN.forEach(percentile -> heads.add(PercentileName.of(percentile)));
        parts.beginTable("Response times", heads);
        for (SideBySide.Named named : report.results()) {
            parts.row(named.name(), SideBySideText.times(named), -1);
        }
        parts.endTable();
        page.close();
    }

    private void ledgers() {
        page.open("section", "id", "ledger").leaf("h2", "Where every request went");
        parts.beginTable(
                "Ledger", List.of("", "planned", "answered", "failed", "timed out", "in flight", "never sent"));
        for (SideBySide.Named named : report.results()) {
            Ledger ledger = named.result().ledger();
            parts.row(
                    named.name(),
                    List.of(
                            Numbers.count(ledger.planned()),
                            share(ledger.answered(), ledger),
                            share(ledger.failed(), ledger),
                            share(ledger.timedOut(), ledger),
                            share(ledger.inFlight(), ledger),
                            share(ledger.neverSent(), ledger)),
                    -1);
        }
        parts.endTable();
        page.close();
    }

    private static String share(long count, Ledger ledger) {
        return count == 0 || ledger.planned() == 0
                ? Numbers.count(count)
                : Numbers.count(count) + " (" + PercentText.of((double) count / ledger.planned()) + ")";
    }

    private void method() {
        List<Facts.Fact> facts = new ArrayList<>();
        for (SideBySide.Named named : report.results()) {
            facts.add(new Facts.Fact(
                    named.name(),
                    named.result().target() + "; " + WorkloadText.line(named.report()) + "; started "
                            + HtmlSections.STARTED.format(named.result().started()) + "; "
                            + String.join(" ", named.report().command())));
        }
        List<String> command = new ArrayList<>(List.of("downbeat", "report"));
        report.results().forEach(named -> command.add(named.name()));
        parts.method(facts, command, report.version(), SENTENCES);
    }
}
