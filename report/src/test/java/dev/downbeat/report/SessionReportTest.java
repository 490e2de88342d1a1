package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.file.SavedRun;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.SessionView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionReportTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** Tene's freeze as a log has it: 100/s of 1 ms for 100 s, then nothing for 100 s, then everything at once. */
    private List<Interval> freeze() throws IOException {
        Path file = folder.resolve("freeze.hlog");
        try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputStartTime(1_700_000_000_000L);
            log.outputLegend();
            for (int second = 0; second <= 200; second++) {
                Histogram times = Distribution.newHistogram();
                for (int i = 0; i < 100 && second < 100; i++) {
                    times.recordValue(MS);
                }
                for (int i = 0; i < 10_000 && second == 200; i++) {
                    times.recordValue(100 * S - i * 10L * MS + MS);
                }
                log.outputIntervalHistogram(second, second + 1, times, 1e6);
                times.setTag("service");
                log.outputIntervalHistogram(second, second + 1, times, 1e6);
            }
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return SavedRun.read(lines, "freeze").intervals();
        }
    }

    @Test
    void in_a_freeze_far_fewer_sessions_are_hit_than_if_slow_requests_came_one_by_one() throws IOException {
        SessionReport report = SessionReport.of(freeze(), 5, 5 * S, 50 * S);
        assertThat(report.times().count()).isEqualTo(20_000);
        assertThat(report.replayedSlowerThan(50 * S).orElseThrow()).isCloseTo(0.389, within(0.006));
        assertThat(report.independentlySlowerThan(50 * S)).isCloseTo(1 - Math.pow(0.75, 5), within(0.001));
        // a page of 40 requests: as good as all of them
        assertThat(SessionReport.of(freeze(), 40, 0, 0).independentlySlowerThan(50 * S))
                .isGreaterThan(0.9999);
        StringBuilder text = new StringBuilder();
        Renderer.TEXT.write(new SessionView(report), text);
        assertThat(text).contains("--limit").contains("76.3 %");
        assertThat(text.toString().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void a_percentile_has_no_more_digits_than_a_reader_can_use() throws IOException {
        SessionReport report = SessionReport.of(freeze(), 40, 0, 0);
        assertThat(report.percentileBelow(0.5)).isEqualTo(98.3);
        assertThat(report.percentileBelow(0.99)).isEqualTo(99.975);
        StringBuilder text = new StringBuilder();
        Renderer.TEXT.write(new SessionView(report), text);
        assertThat(text).contains("p98.3 ").doesNotContain("p98.28");
    }

    @Test
    void a_percentile_beyond_the_run_is_not_extrapolated() throws IOException {
        SessionReport report = SessionReport.of(freeze(), 10_000, 0, 0);
        assertThat(report.independentlyBelow(0.99)).isEmpty();
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(new SessionView(report), json);
        assertThat(json).contains("\"independent_ns\": null");
    }

    @Test
    void a_session_longer_than_the_run_is_not_replayed() throws IOException {
        SessionReport report = SessionReport.of(freeze(), 5, 100 * S, 0);
        assertThat(report.slowest().isEmpty()).isTrue();
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(new SessionView(report), json);
        assertThat(json).contains("\"replayed_share\": null");
    }

    @Test
    void a_run_without_requests_is_refused() {
        assertThatThrownBy(() -> SessionReport.of(List.of(), 5, S, 0)).hasMessageContaining("no response times");
    }
}
