package dev.downbeat.cli;

import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLog;
import dev.downbeat.report.file.PercentileSpectrum;
import dev.downbeat.report.view.HtmlReport;
import dev.downbeat.report.view.JUnitReport;
import dev.downbeat.report.view.JsonReport;
import dev.downbeat.report.view.MarkdownReport;
import dev.downbeat.report.view.ReportFormat;
import dev.downbeat.report.view.TextReport;

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
