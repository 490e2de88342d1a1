package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.Strand;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.paper.HtmlPage;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Incomparable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comparison as a page: what may be said, the changes with their intervals, and both curves over each other. */
public final class ComparisonHtml {
    private final ComparisonReport report;
    private final Comparison comparison;
    private final Markup page = new Markup();
    private final HtmlParts parts = new HtmlParts(page);

    private ComparisonHtml(ComparisonReport report) {
        this.report = report;
        this.comparison = report.comparison();
    }

    /** Writes all of it. */
    public static void write(ComparisonReport report, Appendable out) throws IOException {
        new ComparisonHtml(report).write(out);
    }

    private void write(Appendable out) throws IOException {
        HtmlPage frame = new HtmlPage(page);
        String title =
                comparison.other().name() + " against " + comparison.base().name();
        frame.begin("Downbeat: " + title);
        page.open("header").leaf("p", "Downbeat comparison", "class", "eyebrow").leaf("h1", title);
        page.leaf("p", comparison.base().name() + ComparisonText.runs(comparison.base()), "class", "lead");
        page.leaf("p", comparison.other().name() + ComparisonText.runs(comparison.other()), "class", "lead");
        if (!report.load().isEmpty()) {
            page.leaf("p", "each " + report.load(), "class", "lead");
        }
        page.close();
        verdict();
        new HtmlChanges(page).write("shift", comparison, report.tolerance());
        Map<String, Recording> both = new LinkedHashMap<>();
        both.put(comparison.base().name(), comparison.base().total());
        both.put(comparison.other().name(), comparison.other().total());
        SpectraChart spectra = new SpectraChart(Strand.of(both));
        if (spectra.isShown()) {
            HtmlReport.figure(page, spectra);
        }
        parts.method(
                List.of(
                        new Facts.Fact("not answered", ChangeText.failures(comparison)),
                        new Facts.Fact("as a whole", ChangeText.effect(comparison))),
                report.command(),
                report.version(),
                HtmlChanges.SENTENCES);
        frame.end();
        out.append(page.toString());
    }

    private void verdict() {
        boolean comparable = comparison.doubts().isEmpty() || report.acceptDoubts();
        CheckLines.Mark mark = comparable ? HtmlChanges.mark(comparison.outcome()) : CheckLines.Mark.BAD;
        page.open("section", "id", "verdict", "class", mark == CheckLines.Mark.BAD ? "verdict bad" : "verdict good");
        page.leaf("h2", "Verdict", "class", "unseen").open("div");
        parts.answer(mark, "Result: " + (comparable ? comparison.outcome().word() : "not comparable"));
        page.leaf("p", ChangeText.sentence(comparison) + ".", "class", "lead");
        page.close().open("div");
        if (report.tolerance().isPresent()) {
            String[] words = ComparisonText.decision(report, Ink.NONE).split("  ", 2);
            parts.answer(decided(), "Regression: " + words[0]);
            page.leaf("p", words[1] + ".", "class", "lead");
        }
        List<CheckLines.Line> lines = new ArrayList<>();
        for (Incomparable doubt : comparison.doubts()) {
            lines.add(new CheckLines.Line(CheckLines.Mark.BAD, doubt.text()));
        }
        comparison
                .incidents()
                .ifPresent(apart -> lines.add(new CheckLines.Line(
                        apart.isWorse() ? CheckLines.Mark.BAD : CheckLines.Mark.OPEN, apart.text())));
        if (comparison.isBetweenRunsUnknown()) {
            lines.add(new CheckLines.Line(CheckLines.Mark.OPEN, ChangeText.BETWEEN_RUNS));
        }
        if (comparison.doubts().isEmpty()) {
            lines.add(new CheckLines.Line(
                    CheckLines.Mark.GOOD, "nothing speaks against setting the two beside each other"));
        }
        parts.checks(lines);
        page.close().close();
    }

    private CheckLines.Mark decided() {
        double tolerance = report.tolerance().orElseThrow();
        return comparison.isRegression(tolerance)
                ? CheckLines.Mark.BAD
                : comparison.isNoRegression(tolerance) ? CheckLines.Mark.GOOD : CheckLines.Mark.OPEN;
    }
}
