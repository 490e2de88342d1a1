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
import dev.downbeat.verdict.RunFixture;
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
        assertThat(report.replayedSlowerThan(50 * S).orElseThrow().atLeast()).isCloseTo(0.389, within(0.006));
        assertThat(report.independentlySlowerThan(50 * S).atLeast()).isCloseTo(1 - Math.pow(0.75, 5), within(0.001));
        // a page of 40 requests: as good as all of them
        assertThat(SessionReport.of(freeze(), 40, 0, 0)
                        .independentlySlowerThan(50 * S)
                        .atMost())
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
        assertThat(report.isNothingReplayed()).isTrue();
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(new SessionView(report), json);
        assertThat(json).contains("\"replayed_share\": null");
    }

    /** Of 2,000 sessions of ten requests a quarter meets one that took at least 2 s, and nobody knows how long. */
    @Test
    void requests_without_a_seen_end_make_shares_ranges_and_times_lower_bounds() throws IOException {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(970, 2 * MS).timedOut(30, 2 * S).until(second * S);
        }
        List<Interval> intervals = run.result().intervals();
        SessionReport report = SessionReport.of(intervals, 10, MS, 5 * S);
        assertThat(report.independentlySlowerThan(5 * S).atLeast()).isZero();
        StringBuilder screen = new StringBuilder();
        Renderer.TEXT.write(new SessionView(report), screen);
        assertThat(screen.toString())
                .containsPattern("^0 % to [12]\\d[.\\d]* % of sessions of 10 requests hit one slower than 5.00 s[.]\n")
                .containsPattern("p99 +≥ 2.00 s +0 % to 26.3 % +0 % to [12]\\d[.\\d]* %\n")
                .containsPattern("p50 +2.00 ms +26.3 % +[12]")
                .containsPattern("50 % +p93.3 +2.00 ms +2.00 ms\n")
                .containsPattern("90 % +p99 +≥ 2.00 s +≥ 2.00 s\n")
                .contains("The end of 600 requests was not observed.");
        StringBuilder json = new StringBuilder();
        Renderer.JSON.write(new SessionView(report), json);
        assertThat(json.toString().replaceAll("\\s+", " "))
                .containsPattern("\"independent_share\": 0(.0)?, \"independent_share_at_most\": 0.26\\d+,")
                .contains("\"replayed_lower_bound\": true", "\"replayed_lower_bound\": false");
        StringBuilder asked = new StringBuilder();
        Renderer.TEXT.write(new SessionView(SessionReport.of(intervals, 10, MS, 0)), asked);
        assertThat(asked.toString().replaceAll("\\s+", " "))
                .containsPattern(
                        "^0 % to [12]\\d[.\\d]* % of sessions of 10 requests hit one slower than 2.00 s \\(at most p99\\)[.] ");
    }

    @Test
    void a_run_without_requests_is_refused() {
        assertThatThrownBy(() -> SessionReport.of(List.of(), 5, S, 0)).hasMessageContaining("no response times");
    }
}
