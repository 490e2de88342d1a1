package dev.downbeat.cli;

import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLog;
import dev.downbeat.report.file.PercentileSpectrum;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.ReportFormat;
import dev.downbeat.report.view.RunView;

/** Which report of a run is which. Chosen late: a run without files loads none of their classes. */
final class Formats {
    private Formats() {}

    static ReportFormat text(boolean colour) {
        return RunView.on(colour ? Paper.SCREEN : Paper.TEXT);
    }

    static ReportFormat json() {
        return RunView.on(Paper.JSON);
    }

    static ReportFormat of(OutputFile.Kind kind) {
        return switch (kind) {
            case HLOG -> new HistogramLog();
            case HGRM -> new PercentileSpectrum();
            case CSV -> new CsvReport();
            default ->
                RunView.on(kind.paper()
                        .orElseThrow(() -> new IllegalStateException("a .downbeat file holds bytes, and not a text")));
        };
    }
}
