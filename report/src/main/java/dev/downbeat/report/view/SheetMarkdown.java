package dev.downbeat.report.view;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A sheet as Markdown, for a wiki: the same numbers, the same words. */
public final class SheetMarkdown {
    private SheetMarkdown() {}

    /** Writes all of it. */
    public static void write(SheetReport report, Appendable out) throws IOException {
        out.append("# Data sheet: ").append(escaped(report.target())).append("\n\n| | |\n|---|---|\n");
        for (Map.Entry<String, String> condition : report.conditions().entrySet()) {
            row(out, List.of(condition.getKey(), escaped(condition.getValue())));
        }
        for (String doubt : report.doubts()) {
            row(out, List.of("**doubt**", escaped(doubt)));
        }
        for (SheetSection section : report.sections()) {
            out.append("\n## ").append(section.title()).append("\n\n");
            if (!section.rows().isEmpty()) {
                table(section, out);
            }
            for (String remark : section.remarks()) {
                out.append('\n').append(escaped(remark)).append('\n');
            }
        }
        out.append(
                "\nLow and high are the ends of the 95 % interval of the service's own value. Response times count from");
        out.append(
                " when each request was meant to start. Measured from outside: no promise of whoever runs the service.\n");
    }

    private static void table(SheetSection section, Appendable out) throws IOException {
        SheetTable table = SheetTable.of(section);
        row(out, table.head());
        row(out, table.head().stream().map(cell -> "---").toList());
        for (List<String> cells : table.rows()) {
            row(out, cells.stream().map(SheetMarkdown::escaped).toList());
        }
    }

    private static void row(Appendable out, List<String> cells) throws IOException {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String escaped(String text) {
        return text.replaceAll("\\R", " ").replaceAll("([\\\\`*_<|])", "\\\\$1");
    }
}
