package dev.downbeat.report.view;

import dev.downbeat.report.data.PercentileTable;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The final screen as Markdown, for a pull request or a wiki: the same numbers, the same words. */
public final class MarkdownReport implements ReportFormat {
    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        Facts facts = new Facts(report);
        out.append("## ").append(code(report.result().target())).append("\n\n");
        for (String headline : facts.headlines()) {
            out.append("**").append(headline).append("**\n\n");
        }
        out.append(escaped(WorkloadText.line(report))).append("\n\n");
        verdict(report, facts, out);
        percentiles(new PercentileTable(report), out);
        out.append("| | |\n|---|---|\n");
        for (Facts.Fact fact : facts.all()) {
            row(out, fact.label(), escaped(fact.text()));
        }
        row(out, "client", escaped(client(report)));
        row(out, "command", code(String.join(" ", report.command())));
        shards(new ShardTable(report.result()), out);
        caveats(report.verdict(), out);
    }

    private static void verdict(RunReport report, Facts facts, Appendable out) throws IOException {
        Verdict verdict = report.verdict();
        out.append("* measurement: **").append(verdict.measurementInWords()).append("**, ");
        out.append(escaped(facts.sender())).append('\n');
        out.append("* service: **").append(verdict.service().word()).append("**\n");
        for (Objective objective : verdict.objectives()) {
            out.append("  * ").append(code(objective.slo().text())).append(' ');
            out.append(objective.status().word())
                    .append(": ")
                    .append(escaped(objective.reason()))
                    .append('\n');
        }
        out.append('\n');
    }

    private static void percentiles(PercentileTable table, Appendable out) throws IOException {
        List<PercentileTable.Row> rows = table.rows();
        if (rows.isEmpty()) {
            return;
        }
        out.append("| | response | service | hidden |\n|---|---:|---:|---:|\n");
        for (PercentileTable.Row row : rows) {
            String ours = row.ours().isEmpty() ? "" : " (" + row.ours() + ")";
            row(out, row.name(), row.response() + ours, row.service(), row.hidden());
        }
        out.append('\n').append(escaped(table.population())).append(". ");
        out.append("Response counts from when a request was meant to start, service from when it was sent.\n\n");
    }

    private static String client(RunReport report) {
        return String.format(
                Locale.ROOT,
                "Downbeat %s, %s, %s %s %s, %d cores",
                report.version(),
                report.machine().jvm(),
                report.machine().os(),
                report.machine().kernel(),
                report.machine().arch(),
                report.machine().cores());
    }

    private static void shards(ShardTable table, Appendable out) throws IOException {
        if (table.isEmpty()) {
            return;
        }
        out.append('\n').append(table.sentence()).append(".\n\n");
        row(out, ShardTable.HEADS.toArray(String[]::new));
        out.append("|---:".repeat(ShardTable.HEADS.size())).append("|\n");
        for (ShardTable.Row row : table.rows()) {
            List<String> cells = new ArrayList<>(row.cells());
            cells.set(0, row.doubt().isEmpty() ? cells.get(0) : "**" + cells.get(0) + " " + row.doubt() + "**");
            row(out, cells.toArray(String[]::new));
        }
    }

    private static void caveats(Verdict verdict, Appendable out) throws IOException {
        List<Caveat> caveats = verdict.caveats();
        for (int i = 0; i < caveats.size(); i++) {
            out.append(i == 0 ? "\n" : "").append(Integer.toString(i + 1)).append(". ");
            out.append(verdict.doubts().contains(caveats.get(i)) ? "**doubt:** " : "");
            out.append(escaped(caveats.get(i).text())).append('\n');
        }
    }

    private static void row(Appendable out, String... cells) throws IOException {
        for (String cell : cells) {
            out.append("| ").append(cell).append(' ');
        }
        out.append("|\n");
    }

    private static String escaped(String text) {
        return text.replace(Lines.GLUE, " ").replaceAll("\\R", " ").replaceAll("([\\\\`*_<|])", "\\\\$1");
    }

    /** A backtick cannot be escaped inside code, and a bar would end the cell of a table. */
    private static String code(String text) {
        return "`" + text.replaceAll("\\R", " ").replace('`', '\'').replace("|", "\\|") + "`";
    }
}
