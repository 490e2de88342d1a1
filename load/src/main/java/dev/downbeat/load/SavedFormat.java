package dev.downbeat.load;

import dev.downbeat.report.data.ReportFormat;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.file.RunPage;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.view.RunView;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a measurement to a file in the format of its extension. */
final class SavedFormat {
    private static final String ACCEPTED = ".txt, .html, .json, .md, .csv, .xml, .hlog or .downbeat";

    private SavedFormat() {}

    static void write(RunReport report, Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        String extension = name.substring(Math.max(0, name.lastIndexOf('.')));
        if (extension.equals(".downbeat")) {
            makeFolder(file);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                RunFile.write(report, out);
            }
            return;
        }
        ReportFormat format = format(extension, name);
        makeFolder(file);
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            format.write(report, out);
        }
    }

    private static ReportFormat format(String extension, String name) {
        return switch (extension) {
            case ".txt" -> RunView.on(Paper.TEXT);
            case ".html" -> new RunPage();
            case ".json" -> RunView.on(Paper.JSON);
            case ".md" -> RunView.on(Paper.MARKDOWN);
            case ".csv" -> new CsvReport();
            case ".xml" -> RunView.on(Paper.JUNIT);
            case ".hlog" -> new HistogramLogFile();
            default ->
                throw new IllegalArgumentException(
                        "the file extension must be " + ACCEPTED + ", but the file was " + name);
        };
    }

    private static void makeFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
    }
}
