package dev.downbeat.cli;

import dev.downbeat.report.JsonReport;
import dev.downbeat.report.ReportFormat;
import dev.downbeat.report.TextReport;

/** Which report is which. Chosen late: a run without files loads none of their classes. */
final class Formats {
    private Formats() {}

    static ReportFormat text(boolean colour) {
        return colour ? TextReport.coloured() : TextReport.plain();
    }

    static ReportFormat json() {
        return new JsonReport();
    }

    static ReportFormat of(OutputFile.Kind kind) {
        return json();
    }
}
