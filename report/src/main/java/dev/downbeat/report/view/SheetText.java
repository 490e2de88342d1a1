package dev.downbeat.report.view;

import dev.downbeat.report.paper.Ink;
import dev.downbeat.report.paper.Lines;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A sheet on a screen or a page of 80 columns. */
public final class SheetText {
    private static final String ROW = "  %-22s%-26s%10s%10s%10s";

    private final SheetReport report;
    private final Lines lines;
    private final Ink ink;

    private SheetText(SheetReport report, Lines lines, Ink ink) {
        this.report = report;
        this.lines = lines;
        this.ink = ink;
    }

    /**
     * Writes all of it.
     *
     * @param colour whether with ANSI colours
     */
    public static void write(SheetReport report, boolean colour, Appendable out) throws IOException {
        new SheetText(report, new Lines(out), colour ? Ink.ANSI : Ink.NONE).write();
    }

    private void write() throws IOException {
        lines.line(ink.bold("DATA SHEET  " + report.target()));
        lines.blank();
        for (Map.Entry<String, String> condition : report.conditions().entrySet()) {
            lines.paragraph(String.format(Locale.ROOT, "  %-13s", condition.getKey()), condition.getValue());
        }
        for (String doubt : report.doubts()) {
            lines.paragraph(ink.doubt("  DOUBT        "), doubt);
        }
        lines.blank();
        lines.unwrapped(ink.faint(String.format(Locale.ROOT, ROW, "", "", "low", "typical", "high")));
        int number = 1;
        for (SheetSection section : report.sections()) {
            lines.unwrapped(ink.bold(number + "  " + section.title()));
            if (section.isCrossed()) {
                crossed(section);
            } else {
                rows(section);
            }
            for (String remark : section.remarks()) {
                lines.paragraph("  ", ink.faint(remark));
            }
            lines.blank();
            number++;
        }
        lines.paragraph(
                "  ",
                ink.faint(
                        "low and high are the ends of the 95 % interval of the service's own value. Response times count"
                                + " from when each request was meant to start. Measured from outside, on one machine, at one"
                                + " time: a sheet of what was seen, and no promise of whoever runs the service."));
    }

    private void rows(SheetSection section) throws IOException {
        for (SheetSection.Row row : section.rows()) {
            SheetValue value = row.value();
            lines.unwrapped(String.format(
                    Locale.ROOT,
                    ROW,
                    row.name(),
                    row.condition(),
                    value.lowText(),
                    value.typicalText(),
                    value.highText()));
        }
    }

    private void crossed(SheetSection section) throws IOException {
        if (section.rows().isEmpty()) {
            return;
        }
        List<String> names = section.names();
        StringBuilder head = new StringBuilder(" ".repeat(20));
        names.forEach(name -> head.append(String.format(Locale.ROOT, "%20s", name)));
        lines.unwrapped(ink.faint(head.toString()));
        for (String condition : section.conditions()) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-18s", condition));
            names.forEach(name -> line.append(String.format(Locale.ROOT, "%20s", section.cell(condition, name))));
            lines.unwrapped(line.toString());
        }
    }
}
