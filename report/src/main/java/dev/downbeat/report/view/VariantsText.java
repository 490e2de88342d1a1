package dev.downbeat.report.view;

import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.VariantsReport;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.BlockIntervals;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Comparison.Row;
import dev.downbeat.verdict.Incomparable;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentText;
import dev.downbeat.verdict.Variants;
import dev.downbeat.verdict.Variants.Quantile;
import dev.downbeat.verdict.Variants.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Variants for readers: at most 80 columns, but for words that are longer. */
public final class VariantsText {
    private static final double[] SHOWN = {50, 99, 99.9};

    private final VariantsReport report;
    private final Variants variants;
    private final Ink ink;
    private final Lines lines;

    private VariantsText(VariantsReport report, Ink ink, Lines lines) {
        this.report = report;
        this.variants = report.variants();
        this.ink = ink;
        this.lines = lines;
    }

    /** Writes the screen. */
    public static void write(VariantsReport report, boolean colour, Appendable out) throws IOException {
        new VariantsText(report, colour ? Ink.ANSI : Ink.NONE, new Lines(out)).write();
    }

    private void write() throws IOException {
        if (!partial(variants).isEmpty()) {
            lines.line(ink.doubt(partial(variants)));
        }
        lines.line(ink.bold(report.target()));
        lines.line(report.load()).blank();
        row("", "p50", "p99", "p99.9");
        for (int i = 0; i < variants.variants().size(); i++) {
            variant(i);
        }
        lines.blank();
        for (Comparison comparison : variants.againstFirst()) {
            lines.paragraph("  RESULT     ", ChangeText.sentence(comparison));
        }
        doubts();
    }

    /** Says so if they were not measured to their end; else nothing. */
    static String partial(Variants variants) {
        return variants.variants().stream().allMatch(variant -> variant.total().isComplete())
                ? ""
                : "INTERRUPTED after " + variants.turns() + " whole turns: partial";
    }

    private void variant(int place) throws IOException {
        Variant variant = variants.variants().get(place);
        lines.paragraph(String.format(Locale.ROOT, "  %-3d", place + 1), ink.bold(variant.name()));
        List<String> values = new ArrayList<>();
        List<String> intervals = new ArrayList<>();
        for (double percentile : SHOWN) {
            Optional<Quantile> quantile = variant.quantiles().stream()
                    .filter(each -> each.percentile() == percentile)
                    .findFirst();
            values.add(quantile.map(each -> ComparisonText.time(each.nanos(), each.isLowerBound()))
                    .orElse("too few"));
            intervals.add(quantile.flatMap(Quantile::interval)
                    .map(VariantsText::range)
                    .orElse(""));
        }
        row("response", values.toArray());
        if (intervals.stream().anyMatch(text -> !text.isEmpty())) {
            row("95 %", intervals.toArray());
        }
        if (place > 0 && !variants.againstFirst().isEmpty()) {
            against(variants.againstFirst().get(place - 1));
        }
        lines.paragraph("     ", facts(variant));
        objectives(variant);
    }

    private void against(Comparison comparison) throws IOException {
        List<String> cells = new ArrayList<>();
        for (double percentile : SHOWN) {
            cells.add(comparison.rows().stream()
                    .filter(row -> row.percentile() == percentile)
                    .findFirst()
                    .map(VariantsText::change)
                    .orElse(""));
        }
        row("against 1", cells.toArray());
    }

    private static String change(Row row) {
        return ChangeText.of(row.change()) + " " + ChangeText.answer(row.answer());
    }

    static String range(BlockIntervals.Range range) {
        return DurationText.rounded(range.lowNanos()) + " .. " + DurationText.rounded(range.highNanos());
    }

    static String facts(Variant variant) {
        RunResult total = variant.total();
        OptionalDouble wait = variant.poolWaitShare();
        return "max " + DurationText.rounded(total.recording().responseAtLeast().maxNanos())
                + (wait.isPresent() ? ", pool wait " + PercentText.of(wait.getAsDouble()) + " of response times" : "")
                + ", " + Numbers.count(total.connections().opened()) + " new connections; "
                + Facts.ledger(total.ledger());
    }

    private void objectives(Variant variant) throws IOException {
        for (Objective objective : variant.verdict().objectives()) {
            if (objective.status() != Objective.Status.MET) {
                String word = objective.status() == Objective.Status.MISSED
                        ? ink.bad("MISSED")
                        : ink.doubt(objective.status().word());
                lines.paragraph(
                        "     ",
                        word + " " + objective.slo().subject() + " "
                                + objective.slo().limit() + ": " + objective.reason());
            }
        }
    }

    private void doubts() throws IOException {
        List<String> texts = doubts(variants);
        for (int i = 0; i < texts.size(); i++) {
            lines.paragraph(ink.bad("  ! " + (i + 1) + " "), texts.get(i));
        }
    }

    /** What speaks against one of them, or against setting it beside another. */
    static List<String> doubts(Variants variants) {
        List<String> texts = new ArrayList<>();
        for (Variant variant : variants.variants()) {
            for (Caveat caveat : variant.verdict().doubts()) {
                texts.add(variant.name() + ": " + caveat.text());
            }
        }
        for (Comparison comparison : variants.againstFirst()) {
            for (Incomparable doubt : comparison.doubts()) {
                if (!doubt.code().equals("unsound") && !texts.contains(doubt.text())) {
                    texts.add(doubt.text());
                }
            }
        }
        return texts;
    }

    /** Not wrapped: columns keep their places. */
    private void row(String label, Object... cells) throws IOException {
        lines.unwrapped(
                String.format(Locale.ROOT, "     %-10s", label) + String.format(Locale.ROOT, "%21s%22s%22s", cells));
    }
}
