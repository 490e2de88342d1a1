package dev.downbeat.report.view;

import dev.downbeat.report.data.PercentileTable;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The last screen of a run: at most 80 columns, but for words that are longer. Colour never says what no word says. */
public final class TextReport implements ReportFormat {
    private static final int COLUMNS_BEFORE_SLO = 50;

    private final Ink ink;

    private TextReport(Ink ink) {
        this.ink = ink;
    }

    /** Without colours and escape codes: for files and pipes. */
    public static TextReport plain() {
        return new TextReport(Ink.NONE);
    }

    /** With ANSI colours, for a terminal that has them. */
    public static TextReport coloured() {
        return new TextReport(Ink.ANSI);
    }

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        Lines lines = new Lines(out);
        Facts facts = new Facts(report);
        for (String headline : facts.headlines()) {
            lines.line(ink.doubt(headline));
        }
        lines.line(ink.bold(report.result().target()));
        lines.line(WorkloadText.line(report)).blank();
        measurement(report, facts, lines);
        service(report, lines);
        table(report, lines);
        lines.blank();
        for (Facts.Fact fact : facts.all()) {
            lines.paragraph(String.format(Locale.ROOT, "  %-13s", fact.label()), fact.text());
        }
        shards(new ShardTable(report.result()), lines);
        warnings(report.verdict(), lines);
    }

    private void measurement(RunReport report, Facts facts, Lines lines) throws IOException {
        Verdict verdict = report.verdict();
        String words = String.format(Locale.ROOT, "%-7s", verdict.measurementInWords());
        String word = switch (verdict.measurement()) {
            case SOUND -> ink.good(words);
            case PARTLY_SOUND -> ink.doubt(words);
            case UNSOUND -> ink.bad(words);
        };
        lines.paragraph("  MEASUREMENT  " + word + "    ", facts.sender());
    }

    /** The objectives that decide come first, so that the first line is the answer. */
    private void service(RunReport report, Lines lines) throws IOException {
        String label = "  SERVICE      ";
        for (Objective.Status status :
                List.of(Objective.Status.MISSED, Objective.Status.UNDECIDED, Objective.Status.MET)) {
            String word = painted(status, String.format(Locale.ROOT, "%-9s", word(status)));
            for (Objective objective : report.verdict().objectives()) {
                if (objective.status() == status) {
                    String limit =
                            objective.slo().subject() + " " + objective.slo().limit();
                    lines.paragraph(label + word + "  ", limit + ": " + objective.reason());
                    label = " ".repeat(15);
                    word = " ".repeat(9);
                }
            }
        }
        if (report.verdict().objectives().isEmpty()) {
            lines.paragraph(label, "none       no objective was set, such as p99<50ms");
        }
    }

    private static String word(Objective.Status status) {
        return status == Objective.Status.MISSED ? "MISSED" : status.word();
    }

    private String painted(Objective.Status status, String text) {
        return switch (status) {
            case MET -> ink.good(text);
            case MISSED -> ink.bad(text);
            case UNDECIDED -> ink.doubt(text);
        };
    }

    private void table(RunReport report, Lines lines) throws IOException {
        PercentileTable table = new PercentileTable(report);
        List<PercentileTable.Row> rows = table.rows();
        if (rows.isEmpty()) {
            return;
        }
        boolean hidden = rows.stream().anyMatch(row -> !row.hidden().isEmpty());
        boolean asked = rows.stream().anyMatch(row -> !row.objectives().isEmpty());
        lines.blank();
        row(lines, "", "response", "service", hidden ? "hidden" : "", asked ? "SLO" : "");
        for (PercentileTable.Row row : rows) {
            String slo = row.objectives().stream()
                    .map(objective -> objective.slo().limit() + "   " + painted(objective.status(), objective.word()))
                    .collect(Collectors.joining(", "));
            String ours = row.ours().isEmpty() ? "" : "(" + row.ours() + ")";
            String both = slo + (slo.isEmpty() || ours.isEmpty() ? "" : "  ") + ours;
            boolean fits = COLUMNS_BEFORE_SLO + Ink.visibleLength(both) <= Lines.WIDTH;
            row(lines, row.name(), row.response(), row.service(), row.hidden(), fits ? both : slo);
            if (!fits) {
                row(lines, "", "", "", "", ours);
            }
        }
        lines.paragraph("  ", table.population());
        lines.paragraph(
                "  ",
                ink.faint("response counts from when a request was meant to start; service from when it was sent."
                        + (hidden ? " \"hidden\" is what a closed-loop tool would not have shown you." : "")));
    }

    /** Not wrapped: columns keep their places. */
    private static void row(Lines lines, Object... cells) throws IOException {
        lines.unwrapped(String.format(Locale.ROOT, "    %-8s%12s%11s%9s      %s", cells));
    }

    private void shards(ShardTable table, Lines lines) throws IOException {
        if (table.isEmpty()) {
            return;
        }
        lines.blank().paragraph("  shards       ", table.sentence());
        shard(lines, ShardTable.HEADS, "");
        for (ShardTable.Row row : table.rows()) {
            shard(lines, row.cells(), row.doubt().isEmpty() ? "" : ink.bad(row.doubt()));
        }
    }

    private static void shard(Lines lines, List<String> cells, String doubt) throws IOException {
        lines.unwrapped(String.format(
                        Locale.ROOT,
                        "    %5s%11s%11s%10s%10s%12s",
                        cells.subList(0, 6).toArray())
                + String.format(Locale.ROOT, "%10s", cells.get(6))
                + (doubt.isEmpty() ? "" : "  " + doubt));
    }

    private void warnings(Verdict verdict, Lines lines) throws IOException {
        List<Caveat> caveats = verdict.caveats();
        if (!caveats.isEmpty()) {
            lines.blank();
        }
        for (int i = 0; i < caveats.size(); i++) {
            Caveat caveat = caveats.get(i);
            String mark = "  ! " + (i + 1) + " ";
            lines.paragraph(verdict.doubts().contains(caveat) ? ink.bad(mark) : mark, caveat.text());
        }
    }
}
