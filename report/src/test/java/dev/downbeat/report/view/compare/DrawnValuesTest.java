package dev.downbeat.report.view.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.report.ComparisonGoldenTest;
import dev.downbeat.report.DrawnPicture;
import dev.downbeat.report.HistorySample;
import dev.downbeat.report.PageReader;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SerialSamples;
import dev.downbeat.report.view.SessionView;
import dev.downbeat.report.view.SweepSample;
import dev.downbeat.report.view.position.PositionView;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is drawn, read off by the names on the axes, is what the tables say. A tenth of a point is less than a hundredth of a value. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DrawnValuesTest {
    private static final Percentage AS_DRAWN = Percentage.withPercentage(2);

    private static PageReader page(View view) throws IOException {
        StringBuilder page = new StringBuilder();
        Renderer.HTML.write(view, page);
        return PageReader.of(page.toString());
    }

    private static double nanos(List<List<String>> rows, int row, String head) {
        return DrawnPicture.nanos(rows.get(row).get(rows.get(0).indexOf(head)).replace("≥ ", ""));
    }

    private static int row(List<List<String>> rows, String name) {
        return IntStream.range(1, rows.size())
                .filter(i -> rows.get(i).get(0).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + name));
    }

    @Test
    void the_sweep_chart_matches_its_table() throws IOException {
        PageReader page = page(new SweepView(SweepSample.of(2_000_000)));
        DrawnPicture picture = DrawnPicture.of(page, "curve");
        List<List<String>> rows = page.rows("rates");
        List<Double> places = picture.places();
        assertThat(places).hasSizeGreaterThan(8).hasSize(rows.size() - 1);
        for (int i = 0; i < places.size(); i++) {
            double x = places.get(i);
            assertThat(picture.worthAt(x))
                    .isCloseTo(Double.parseDouble(rows.get(i + 1).get(0)), AS_DRAWN);
            assertThat(picture.nanosAt(picture.curveAt("service", x))).isCloseTo(nanos(rows, i + 1, "p50"), AS_DRAWN);
            assertThat(picture.nanosAt(picture.curveAt("response", x))).isCloseTo(nanos(rows, i + 1, "p90"), AS_DRAWN);
        }
    }

    @Test
    void the_history_chart_matches_its_table_and_levels() throws IOException {
        PageReader page = page(new HistoryView(HistorySample.report(30)));
        List<List<String>> builds = page.rows("builds");
        List<List<String>> changes = page.rows("changes");
        for (List<String> change : changes.subList(1, changes.size())) {
            String percentile = change.get(0);
            DrawnPicture picture = DrawnPicture.of(page, "history-" + percentile);
            List<Double> places = picture.places();
            List<String> readings = PageReader.readings(picture.svg());
            assertThat(places).hasSizeGreaterThan(25).hasSameSizeAs(readings);
            for (int i = 0; i < places.size(); i++) {
                String build = readings.get(i).substring(0, readings.get(i).indexOf(':'));
                assertThat(picture.nanosAt(picture.dotAt("muted", places.get(i))))
                        .as("%s of %s", percentile, build)
                        .isCloseTo(nanos(builds, row(builds, build), percentile), AS_DRAWN);
            }
            double before = picture.curveAt("service", places.get(0));
            double after = picture.curveAt("service", places.get(places.size() - 1));
            assertThat(picture.nanosAt(before)).isCloseTo(DrawnPicture.nanos(change.get(3)), AS_DRAWN);
            assertThat(picture.nanosAt(after)).isCloseTo(DrawnPicture.nanos(change.get(4)), AS_DRAWN);
        }
        assertThat(changes).hasSizeGreaterThan(2);
    }

    @Test
    void the_percentile_chart_of_variants_matches_their_rows() throws IOException {
        PageReader page = page(new VariantsView(ComparisonGoldenTest.someVariants()));
        assertPercentiles(page, "spectra", Map.of("connections=1", "service", "connections=16", "response"));
    }

    @Test
    void the_percentile_chart_of_a_run_matches_its_table() throws IOException {
        PageReader page = page(new RunView(Samples.stall()));
        List<List<String>> rows = page.rows("percentiles");
        DrawnPicture picture = DrawnPicture.of(page, "spectrum");
        List<String> readings = PageReader.readings(picture.svg());
        int compared = 0;
        for (int i = 0; i < readings.size(); i++) {
            String percentile = readings.get(i).substring(0, readings.get(i).indexOf(':'));
            double x = picture.places().get(i);
            for (int row = 1; row < rows.size(); row++) {
                if (rows.get(row).get(0).equals(percentile)) {
                    assertThat(picture.nanosAt(picture.curveAt("response", x)))
                            .as("waited, %s", percentile)
                            .isCloseTo(nanos(rows, row, "callers waited"), AS_DRAWN);
                    assertThat(picture.nanosAt(picture.curveAt("service", x)))
                            .as("took, %s", percentile)
                            .isCloseTo(nanos(rows, row, "server took"), AS_DRAWN);
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(3);
    }

    @Test
    void the_answered_rates_of_a_sweep_match_its_table() throws IOException {
        PageReader page = page(new SweepView(SweepSample.of(2_000_000)));
        DrawnPicture picture = DrawnPicture.of(page, "answered");
        List<List<String>> rows = page.rows("rates");
        int answered = rows.get(0).indexOf("done/s");
        assertThat(picture.places()).hasSize(rows.size() - 1);
        for (int i = 0; i < picture.places().size(); i++) {
            double x = picture.places().get(i);
            assertThat(picture.worthAt(x))
                    .isCloseTo(Double.parseDouble(rows.get(i + 1).get(0)), AS_DRAWN);
            assertThat(picture.countAt(picture.curveAt("service", x)))
                    .isCloseTo(DrawnPicture.number(rows.get(i + 1).get(answered)), AS_DRAWN);
        }
    }

    @Test
    void the_course_of_a_run_is_drawn_as_it_is_read_out() throws IOException {
        PageReader page = page(new RunView(stalled()));
        assertReadings(page, "times", DrawnPicture::nanosAt, Map.of("p50", "muted", "p90", "ink", "max", "response"));
        assertReadings(page, "rates", DrawnPicture::countAt, Map.of("intended", "ink", "answered", "service"));
        assertReadings(page, "backlog", DrawnPicture::countAt, Map.of("s:", "response"));
    }

    private static RunReport stalled() {
        return Samples.report(new SimulatedRun(500, 20, 200_000_000, 8_000_000_000L).result(), "p90<5ms", "errors<1%");
    }

    @Test
    void the_charts_of_a_comparison_match_its_table() throws IOException {
        PageReader page = page(new ComparisonView(ComparisonGoldenTest.someComparison()));
        List<List<String>> rows = page.rows("shift-table");
        DrawnPicture changes = DrawnPicture.of(page, "shift");
        DrawnPicture spectra = DrawnPicture.of(page, "spectra");
        for (int i = 0; i < changes.places().size(); i++) {
            double x = changes.places().get(i);
            int row = row(rows, percentile(changes, i));
            String hue = rows.get(row).get(5).contains("SLOWER") ? "response" : "muted";
            assertThat(changes.changeAt(changes.dotAt(hue, x)))
                    .as(rows.get(row).get(0))
                    .isCloseTo(DrawnPicture.number(rows.get(row).get(3)), AS_DRAWN);
            int place = IntStream.range(0, spectra.places().size())
                    .filter(at -> percentile(spectra, at).equals(rows.get(row).get(0)))
                    .findFirst()
                    .orElseThrow();
            double across = spectra.places().get(place);
            assertThat(spectra.nanosAt(spectra.curveAt("service", across)))
                    .isCloseTo(nanos(rows, row, "base"), AS_DRAWN);
            assertThat(spectra.nanosAt(spectra.curveAt("response", across)))
                    .isCloseTo(nanos(rows, row, "other"), AS_DRAWN);
        }
        assertThat(changes.places()).hasSize(4);
    }

    private static String percentile(DrawnPicture picture, int reading) {
        String words = PageReader.readings(picture.svg()).get(reading);
        return words.substring(0, words.indexOf(':'));
    }

    @Test
    void the_session_chart_matches_its_table() throws IOException {
        PageReader page =
                page(new SessionView(SessionReport.of(Samples.stall().result().intervals(), 5, 1_000_000, 0)));
        List<List<String>> rows = page.rows("slower");
        DrawnPicture picture = DrawnPicture.of(page, "sessions");
        for (List<String> row : rows.subList(1, rows.size() - 1)) {
            double x = picture.placeOf(DrawnPicture.nanos(row.get(1)));
            assertThat(picture.countAt(picture.curveAt("service", x)))
                    .as("independent, " + row.get(0))
                    .isCloseTo(DrawnPicture.number(row.get(2)), within(2.0));
            assertThat(picture.countAt(picture.curveAt("response", x)))
                    .as("in this run, " + row.get(0))
                    .isCloseTo(DrawnPicture.number(row.get(3)), within(2.0));
        }
        assertThat(rows).hasSizeGreaterThan(5);
    }

    @Test
    void the_position_chart_matches_its_table() throws IOException {
        PageReader page = page(new PositionView(SerialSamples.serial(48, 180, 80)));
        List<List<String>> rows = page.rows("places");
        DrawnPicture picture = DrawnPicture.of(page, "curve");
        double first = picture.places().get(0);
        double each = (picture.places().get(1) - first) / 2;
        for (List<String> row : rows.subList(1, rows.size() - 1)) {
            double x = first + each * (Double.parseDouble(row.get(0)) - 1);
            assertThat(picture.nanosAt(picture.curveAt("muted", x)))
                    .as("p50 of request " + row.get(0))
                    .isCloseTo(DrawnPicture.nanos(row.get(2)), AS_DRAWN);
            assertThat(picture.nanosAt(picture.curveAt("service", x)))
                    .as("p75 of request " + row.get(0))
                    .isCloseTo(DrawnPicture.nanos(row.get(4)), AS_DRAWN);
        }
        assertThat(rows).hasSizeGreaterThan(5);
        assertReadings(page, "curve", DrawnPicture::nanosAt, Map.of("max", "response", "p50", "muted"));
    }

    @Test
    void connections_and_streams_are_drawn_as_they_were_at_the_end_of_each_interval() throws IOException {
        RunResult run = new SimulatedRun(500, 10, 200_000_000, 4_000_000_000L).result();
        List<Interval> intervals = IntStream.range(0, run.intervals().size())
                .mapToObj(i -> with(
                        run.intervals().get(i),
                        new ConnectionCounts(i % 3, 0, 0, 0, i % 2, 0, 12 + i % 7, i % 11, streams(i))))
                .toList();
        PageReader page = page(new RunView(Samples.report(run.with(run.recording(), intervals))));
        for (String section : List.of("connections", "streams")) {
            DrawnPicture picture = DrawnPicture.of(page, section);
            assertThat(picture.places()).hasSameSizeAs(intervals);
            for (int i = 0; i < intervals.size(); i++) {
                ConnectionCounts counts = intervals.get(i).connections();
                boolean isOfStreams = section.equals("streams");
                double x = picture.places().get(i);
                assertThat(picture.countAt(picture.curveAt("ink", x)))
                        .isCloseTo(isOfStreams ? counts.streams().allowedAtEnd() : counts.openAtEnd(), within(0.3));
                assertThat(picture.countAt(picture.curveAt("service", x)))
                        .isCloseTo(isOfStreams ? counts.streams().openAtEnd() : counts.inUseAtEnd(), within(0.3));
            }
        }
    }

    private static StreamCounts streams(int i) {
        return new StreamCounts(100, i % 5, 2 + i % 13, 20 + i % 4);
    }

    private static Interval with(Interval interval, ConnectionCounts connections) {
        return new Interval(interval.startNanos(), interval.endNanos(), interval.recording(), connections);
    }

    @Test
    void positions_on_the_connection_are_drawn_as_they_are_read_out() throws IOException {
        assertReadings(
                page(new RunView(stalled())),
                "position",
                DrawnPicture::nanosAt,
                Map.of("p50", "service", "p90", "response"));
    }

    /** A bar's parts are as wide as their share, which is read out if it is at least a percent. */
    @Test
    void the_parts_of_times_are_as_wide_as_they_are_read_out() throws IOException {
        PageReader page = page(new RunView(stalled()));
        for (String section : List.of("tail", "examples")) {
            DrawnPicture picture = DrawnPicture.of(page, section);
            Map<Double, List<Double>> bars = picture.bars();
            List<String> readings = PageReader.readings(picture.svg());
            assertThat(readings).hasSizeGreaterThan(2);
            int bar = 0;
            for (double y : bars.keySet()) {
                if (bar == readings.size()) {
                    break; // what follows is the key
                }
                List<Double> shares = Pattern.compile("([0-9]+) %")
                        .matcher(readings.get(bar++))
                        .results()
                        .map(share -> Double.valueOf(share.group(1)))
                        .toList();
                List<Double> drawn = bars.get(y).stream()
                        .map(width -> width / 10)
                        .filter(share -> share >= 0.4)
                        .toList();
                assertThat(drawn).as(readings.get(bar - 1)).hasSameSizeAs(shares);
                for (int i = 0; i < shares.size(); i++) {
                    assertThat(drawn.get(i)).isCloseTo(shares.get(i), within(0.7));
                }
            }
        }
    }

    /** Each value that a picture reads out after one of these words is drawn there. */
    private static void assertReadings(
            PageReader page, String section, ToDoubleBiFunction<DrawnPicture, Double> worth, Map<String, String> hues) {
        DrawnPicture picture = DrawnPicture.of(page, section);
        List<String> readings = PageReader.readings(picture.svg());
        hues.forEach((word, hue) -> {
            int compared = 0;
            for (int i = 0; i < readings.size(); i++) {
                Matcher value = Pattern.compile(word + " ([0-9.,]*[0-9]( (us|ms|s)\\b)?)")
                        .matcher(readings.get(i));
                if (value.find()) {
                    String text = value.group(1);
                    double said = text.contains(" ") ? DrawnPicture.nanos(text) : DrawnPicture.number(text);
                    double drawn = worth.applyAsDouble(
                            picture, picture.curveAt(hue, picture.places().get(i)));
                    assertThat(drawn).as("%s of %s", word, readings.get(i)).isCloseTo(said, within(0.02 * said + 0.5));
                    compared++;
                }
            }
            assertThat(compared).as(word).isGreaterThan(5);
        });
    }

    private static void assertPercentiles(PageReader page, String section, Map<String, String> hues) {
        List<List<String>> rows = page.rows("percentiles");
        DrawnPicture picture = DrawnPicture.of(page, section);
        List<String> readings = PageReader.readings(picture.svg());
        int compared = 0;
        for (int row = 1; row < rows.size(); row++) {
            String hue = hues.get(rows.get(row).get(0));
            for (int i = 0; i < readings.size(); i++) {
                String percentile = readings.get(i).substring(0, readings.get(i).indexOf(':'));
                if (hue != null && rows.get(0).contains(percentile)) {
                    double y = picture.curveAt(hue, picture.places().get(i));
                    assertThat(picture.nanosAt(y))
                            .as("%s of %s", percentile, rows.get(row).get(0))
                            .isCloseTo(nanos(rows, row, percentile), AS_DRAWN);
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(2 * hues.size());
    }
}
