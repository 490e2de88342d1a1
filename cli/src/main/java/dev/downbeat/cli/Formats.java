package dev.downbeat.cli;

import dev.downbeat.report.CsvReport;
import dev.downbeat.report.HistogramLog;
import dev.downbeat.report.HtmlReport;
import dev.downbeat.report.JUnitReport;
import dev.downbeat.report.JsonReport;
import dev.downbeat.report.MarkdownReport;
import dev.downbeat.report.PercentileSpectrum;
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
        return switch (kind) {
            case JSON -> json();
            case HLOG -> new HistogramLog();
            case HGRM -> new PercentileSpectrum();
            case HTML -> new HtmlReport();
            case MARKDOWN -> new MarkdownReport();
            case CSV -> new CsvReport();
            case XML -> new JUnitReport();
            case DOWNBEAT -> throw new IllegalStateException("a .downbeat file holds bytes, and not a text");
        };
    }
}
