package dev.downbeat.report.view.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.ComparisonGoldenTest;
import dev.downbeat.report.DrawnPicture;
import dev.downbeat.report.HistorySample;
import dev.downbeat.report.PageReader;
import dev.downbeat.report.Samples;
import dev.downbeat.report.paper.Paper;
import dev.downbeat.report.paper.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SweepSample;
import dev.downbeat.report.view.history.HistoryView;
import dev.downbeat.report.view.sweep.SweepView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
        Paper.HTML.write(view, page);
        return PageReader.of(page.toString());
    }

    private static double nanos(List<List<String>> rows, int row, String head) {
        return DrawnPicture.nanos(rows.get(row).get(rows.get(0).indexOf(head)));
    }

    private static int row(List<List<String>> rows, String name) {
        return IntStream.range(1, rows.size())
                .filter(i -> rows.get(i).get(0).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row " + name));
    }

    @Test
    void each_rate_of_a_sweep_is_drawn_where_its_row_says() throws IOException {
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
    void each_build_of_a_history_is_drawn_where_its_row_says_and_the_levels_are_those_before_and_after_the_change()
            throws IOException {
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
    void the_percentiles_of_each_variant_are_drawn_where_its_row_says() throws IOException {
        PageReader page = page(new VariantsView(ComparisonGoldenTest.someVariants()));
        assertPercentiles(page, "spectra", Map.of("connections=1", "service", "connections=16", "response"));
    }

    @Test
    void the_percentiles_of_a_run_are_drawn_where_its_table_says() throws IOException {
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
