package dev.downbeat.report;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.PrometheusText;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.testing.Golden;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds each format against a file. After a change that was meant, {@link Golden} says how to write the files anew.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
public class GoldenFileTest {
    private static final Map<String, ReportFormat> FORMATS = new TreeMap<>(Map.of(
            "txt", RunView.on(Renderer.TEXT),
            "json", RunView.on(Renderer.JSON),
            "md", RunView.on(Renderer.MARKDOWN),
            "csv", new CsvReport(),
            "xml", RunView.on(Renderer.JUNIT),
            "prom", GoldenFileTest::prometheus));

    /** The run as it stood at its end, with a name that is hard to quote. */
    private static void prometheus(RunReport report, Appendable out) throws IOException {
        RunResult result = report.result();
        String target = result.target() + "?q=\"a\\b\"\n";
        PrometheusText.write(
                new PrometheusText.Standing(
                        report.version(),
                        target,
                        result.recording(),
                        3,
                        result.lanes().peakBacklog(),
                        Map.of()),
                out);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void every_format_is_as_in_its_file(String sample) throws IOException {
        RunReport report = Samples.of(sample);
        for (Map.Entry<String, ReportFormat> format : FORMATS.entrySet()) {
            Samples.hold(sample + "." + format.getKey(), Samples.text(format.getValue(), report));
        }
    }

    /** Of one run only, and one whose requests have their places in time: the page is long. */
    @Test
    void the_page_is_as_in_its_file() throws IOException {
        RunReport report = Samples.report(
                new SimulatedRun(500, 20, 200_000_000, 8_000_000_000L).result(), "p90<5ms", "p99<50ms", "errors<1%");
        Samples.hold("simulated.html", Samples.text(RunView.on(Renderer.HTML), report));
    }

    /** Where requests have names, a reader chooses whose times by percentile to look at. */
    @Test
    void the_page_and_the_metrics_of_named_requests_are_as_in_their_files() throws IOException {
        Samples.hold("named.html", Samples.text(RunView.on(Renderer.HTML), Samples.named()));
        Samples.hold("named.prom", Samples.text(GoldenFileTest::prometheus, Samples.named()));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"de-DE", "ar-EG", "tr-TR", "hi-IN-u-nu-deva"})
    void no_format_depends_on_the_locale(String tag) throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            every_format_is_as_in_its_file("stall");
            every_format_is_as_in_its_file("interrupted");
            the_page_is_as_in_its_file();
        } finally {
            Locale.setDefault(before);
        }
    }
}
