package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.report.HistogramLog;
import dev.downbeat.report.JsonReport;
import dev.downbeat.report.TextReport;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Where the reports of a load test are: beside Surefire's, each test under its own name. */
final class Reports {
    private final String name;

    Reports(ExtensionContext context) {
        name = (context.getRequiredTestClass().getName() + "." + context.getDisplayName())
                .replaceAll("[^A-Za-z0-9._$-]+", "_");
    }

    /** Saves them all; returns the one to look at first. */
    Path save(Measured measured) throws IOException {
        Path folder = Path.of(System.getProperty("downbeat.reports", "target/downbeat"));
        Path text = folder.resolve(name + ".txt");
        measured.save(text, TextReport.plain());
        measured.save(folder.resolve(name + ".json"), new JsonReport());
        measured.save(folder.resolve(name + ".hlog"), new HistogramLog());
        return text;
    }
}
