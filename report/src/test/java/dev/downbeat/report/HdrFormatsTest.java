package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.Function;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HdrFormatsTest {
    private static Map<String, Distribution> read(String log) {
        Map<String, Distribution> series = new TreeMap<>();
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        for (EncodableHistogram next = reader.nextIntervalHistogram();
                next != null;
                next = reader.nextIntervalHistogram()) {
            String tag = Objects.requireNonNullElse(next.getTag(), "response");
            series.merge(tag, Distribution.of((Histogram) next), Distribution::plus);
        }
        return series;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void hdrhistogram_reads_back_every_series_without_loss(String sample) {
        RunReport report = Samples.of(sample);
        Recording recording = report.result().recording();
        Map<String, Distribution> series = read(Samples.text(new HistogramLogFile(), report));
        Map<String, Function<Recording, Distribution>> expected = Map.of(
                "response", Recording::response,
                "service", Recording::service,
                "lateness", Recording::lateness,
                "backlog_wait", Recording::backlogWait,
                "censored", Recording::censored,
                "failed", Recording::failed);
        expected.forEach((tag, part) -> assertThat(series.getOrDefault(tag, Distribution.empty()))
                .as(tag)
                .isEqualTo(part.apply(recording)));
        assertThat(expected.keySet()).containsAll(series.keySet());
    }

    @Test
    void intervals_carry_their_stamps() {
        RunReport report = Samples.stall();
        String log = Samples.text(new HistogramLogFile(), report);
        HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
        List<Interval> intervals = report.result().intervals();
        Histogram first = (Histogram) reader.nextIntervalHistogram();
        long startMillis = report.result().started().toEpochMilli();
        assertThat(first.getStartTimeStamp()).isEqualTo(startMillis);
        assertThat(first.getEndTimeStamp()).isEqualTo(startMillis + 1_000);
        assertThat(log.lines().filter(line -> line.matches("[0-9].*"))).hasSize(intervals.size());
        assertThat(reader.getStartTimeSec()).isEqualTo(startMillis / 1e3);
    }

    /** Saved files are equal wherever they are made again. */
    @Test
    void files_do_not_depend_on_the_time_zone() throws IOException {
        RunReport report = Samples.interrupted();
        TimeZone here = TimeZone.getDefault();
        List<String> files = new ArrayList<>();
        try {
            for (String zone : List.of("UTC", "Asia/Tokyo")) {
                TimeZone.setDefault(TimeZone.getTimeZone(zone));
                ByteArrayOutputStream run = new ByteArrayOutputStream();
                RunFile.write(report, run);
                files.add(Samples.text(new HistogramLogFile(), report));
                files.add(run.toString(StandardCharsets.ISO_8859_1));
            }
        } finally {
            TimeZone.setDefault(here);
        }
        assertThat(files.subList(2, 4)).isEqualTo(files.subList(0, 2));
        assertThat(files.get(0))
                .contains("#[StartTime: 1772366400.000 (seconds since epoch), Sun Mar 01 12:00:00 UTC 2026]\n");
    }

    @Test
    void the_log_forbids_a_second_correction() {
        assertThat(Samples.text(new HistogramLogFile(), Samples.interrupted()))
                .startsWith("#[Downbeat 0.1.0]\n# INTERRUPTED after 3.8 s of 20 s: partial\n")
                .contains("already corrected for coordinated omission, do not correct again")
                .contains(
                        "# ledger: planned 380 = answered 376 + failed 1 + timed out 0 + in flight 3 + never sent 0\n");
    }
}
