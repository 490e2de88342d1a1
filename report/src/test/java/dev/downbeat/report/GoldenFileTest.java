package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.PrometheusText;
import dev.downbeat.report.view.HtmlReport;
import dev.downbeat.report.view.JUnitReport;
import dev.downbeat.report.view.JsonReport;
import dev.downbeat.report.view.MarkdownReport;
import dev.downbeat.report.view.ReportFormat;
import dev.downbeat.report.view.TextReport;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Holds each format against a file. After a change that was meant, {@code mvn -pl core test -Dtest=GoldenFileTest
 * -Ddownbeat.golden=src/test/resources/dev/downbeat/report} writes the files anew; read the difference before you commit it.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
public class GoldenFileTest {
    private static final Map<String, ReportFormat> FORMATS = new TreeMap<>(Map.of(
            "txt", TextReport.plain(),
            "json", new JsonReport(),
            "md", new MarkdownReport(),
            "csv", new CsvReport(),
            "xml", new JUnitReport(),
            "prom", GoldenFileTest::prometheus));

    /** The run as it stood at its end, with a name that is hard to quote. */
    private static void prometheus(RunReport report, Appendable out) throws IOException {
        RunResult result = report.result();
        String target = result.target() + "?q=\"a\\b\"\n";
        PrometheusText.write(
                new PrometheusText.Standing(report.version(), target, result.recording(), 3, result.peakBacklog()),
                out);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void every_format_is_as_in_its_file(String sample) throws IOException {
        RunReport report = Samples.of(sample);
        for (Map.Entry<String, ReportFormat> format : FORMATS.entrySet()) {
            hold(sample + "." + format.getKey(), Samples.text(format.getValue(), report));
        }
    }

    /** Of one run only, and one whose requests have their places in time: the page is long. */
    @Test
    void the_page_is_as_in_its_file() throws IOException {
        RunReport report = Samples.report(
                new SimulatedRun(500, 20, 200_000_000, 8_000_000_000L).result(), "p90<5ms", "p99<50ms", "errors<1%");
        hold("simulated.html", Samples.text(new HtmlReport(), report));
    }

    /** Compares with the file, or writes it. */
    public static void hold(String name, String written) throws IOException {
        String golden = System.getProperty("downbeat.golden");
        if (golden != null) {
            Files.writeString(Path.of(golden, name), written);
        } else {
            assertThat(written).as(name).isEqualTo(read(name));
        }
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

    private static String read(String name) throws IOException {
        try (InputStream in = GoldenFileTest.class.getResourceAsStream(name)) {
            return in == null ? "no such file" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
