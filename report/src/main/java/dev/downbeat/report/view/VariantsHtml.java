package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.chart.Markup;
import dev.downbeat.report.chart.SpectraChart;
import dev.downbeat.report.chart.Strand;
import dev.downbeat.report.data.VariantsReport;
import dev.downbeat.report.paper.HtmlPage;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.Variants;
import dev.downbeat.verdict.Variants.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Variants of one run as a page: all of them over each other, and each against the first. */
public final class VariantsHtml {
    private static final double[] SHOWN = {50, 99, 99.9};

    private final VariantsReport report;
    private final Variants variants;
    private final Markup page = new Markup();
    private final HtmlParts parts = new HtmlParts(page);

    private VariantsHtml(VariantsReport report) {
        this.report = report;
        this.variants = report.variants();
    }

    /** Writes all of it. */
    public static void write(VariantsReport report, Appendable out) throws IOException {
        new VariantsHtml(report).write(out);
    }

    private void write(Appendable out) throws IOException {
        HtmlPage frame = new HtmlPage(page);
        frame.begin("Downbeat: " + report.target());
        page.open("header").leaf("p", "Downbeat variants", "class", "eyebrow").leaf("h1", report.target());
        page.leaf("p", report.load(), "class", "lead");
        if (!VariantsText.partial(variants).isEmpty()) {
            page.leaf("p", VariantsText.partial(variants), "class", "partial", "role", "note");
        }
        page.close();
        verdict();
        table();
        Map<String, Recording> all = new LinkedHashMap<>();
        variants.variants().stream()
                .limit(Strand.MOST)
                .forEach(variant -> all.put(variant.name(), variant.total().recording()));
        SpectraChart spectra = new SpectraChart(Strand.of(all));
        if (spectra.isShown()) {
            HtmlReport.figure(page, spectra);
        }
        for (int i = 0; i < variants.againstFirst().size(); i++) {
            new HtmlChanges(page)
                    .write("shift-" + (i + 2), variants.againstFirst().get(i), OptionalDouble.empty());
        }
        parts.method(facts(), report.command(), report.version(), HtmlChanges.SENTENCES);
        frame.end();
        out.append(page.toString());
    }

    private void verdict() {
        List<String> doubts = VariantsText.doubts(variants);
        page.open("section", "id", "verdict", "class", doubts.isEmpty() ? "verdict good" : "verdict bad");
        page.leaf("h2", "Verdict", "class", "unseen").open("div");
        for (Comparison comparison : variants.againstFirst()) {
            parts.answer(HtmlChanges.mark(comparison.outcome()), ChangeText.sentence(comparison));
        }
        page.close().open("div");
        parts.checks(doubts.stream()
                .map(doubt -> new CheckLines.Line(CheckLines.Mark.BAD, doubt))
                .toList());
        parts.checks(objectives());
        page.close().close();
    }

    private List<CheckLines.Line> objectives() {
        List<CheckLines.Line> lines = new ArrayList<>();
        for (Variant variant : variants.variants()) {
            for (Objective objective : variant.verdict().objectives()) {
                lines.add(new CheckLines.Line(
                        CheckLines.mark(objective.status()),
                        variant.name() + ": " + objective.slo().subject() + " "
                                + objective.slo().limit() + ": " + objective.reason()));
            }
        }
        return lines;
    }

    private void table() {
        page.open("section", "id", "percentiles").leaf("h2", "Percentiles");
        page.leaf("p", "Response times of all slices of each variant with their 95 % intervals.", "class", "lead");
        List<String> heads = new ArrayList<>(List.of(""));
        for (double percentile : SHOWN) {
            heads.add(PercentileName.of(percentile));
            heads.add("95 %");
        }
        heads.add("max");
        parts.beginTable("Percentiles", heads);
        for (Variant variant : variants.variants()) {
            List<String> cells = new ArrayList<>();
            for (double percentile : SHOWN) {
                cells.addAll(cells(variant, percentile));
            }
            cells.add(DurationText.rounded(
                    variant.total().recording().responseAtLeast().maxNanos()));
            parts.row(variant.name(), cells, -1);
        }
        parts.endTable();
        page.close();
    }

    private static List<String> cells(Variant variant, double percentile) {
        return variant.quantiles().stream()
                .filter(each -> each.percentile() == percentile)
                .findFirst()
                .map(each -> List.of(
                        ComparisonText.time(each.nanos(), each.isLowerBound()),
                        each.interval().map(VariantsText::range).orElse("–")))
                .orElse(List.of("too few", "–"));
    }

    private List<Facts.Fact> facts() {
        return variants.variants().stream()
                .map(variant -> new Facts.Fact(variant.name(), VariantsText.facts(variant)))
                .toList();
    }
}
