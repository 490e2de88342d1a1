package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.HeatMapChart;
import dev.downbeat.report.chart.TimelineColumns;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.HtmlRenderer.HtmlPage;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HtmlReportTest {
    @Test
    void pointer_values_are_packed_losslessly() {
        RunReport report = Samples.stall();
        Chart picture =
                new HeatMapChart(report, new TimelineColumns(report.result().intervals()));
        assertThat(PageReader.readings(PageReader.of(report).pictures().get(0)))
                .hasSizeGreaterThan(50)
                .isEqualTo(picture.readings().stream().map(Chart.Reading::words).toList());
    }

    private static final RunReport MINUTE = SimulatedRun.minute("p90<5ms", "p99<20ms", "p99.9<50ms", "errors<1%");
    private static final String PAGE = Samples.text(RunView.on(Renderer.HTML), MINUTE);
    private static final Set<String> SHAPES = Set.of("rect", "path", "circle", "text");

    @Test
    void sections_stand_in_the_order_of_the_questions() {
        assertThat(PageReader.of(PAGE).sections())
                .containsExactly(
                        "verdict",
                        "percentiles",
                        "heatmap",
                        "incidents",
                        "spectrum",
                        "times",
                        "rates",
                        "backlog",
                        "connections",
                        "tail",
                        "position",
                        "examples",
                        "ledger",
                        "method");
    }

    @Test
    void the_table_of_percentiles_is_that_of_the_histogram() {
        Distribution response = MINUTE.result().recording().response();
        Distribution service = MINUTE.result().recording().service();
        ResponseIntervals sure = MINUTE.analysis().intervals();
        List<List<String>> rows = PageReader.of(PAGE).rows("percentiles");
        double[] percentiles = {50, 90, 95, 99, 99.9, 99.99, 100};
        assertThat(rows).hasSize(1 + percentiles.length);
        for (int i = 0; i < percentiles.length; i++) {
            double percentile = percentiles[i];
            List<String> row = rows.get(i + 1);
            assertThat(row.get(1)).isEqualTo(DurationText.rounded(response.valueAtPercentile(percentile)));
            assertThat(row.get(3)).isEqualTo(DurationText.rounded(service.valueAtPercentile(percentile)));
            boolean isOneEvent =
                    MINUTE.analysis().observations().soleEvent(percentile).isPresent();
            if (isOneEvent && percentile < 100) {
                assertThat(row.get(2)).isEqualTo("one event");
            } else if (percentile < 100) {
                long low = sure.at(percentile).orElseThrow().lowNanos().orElseThrow();
                assertThat(row.get(2)).contains(DurationText.rounded(low));
            }
        }
        assertThat(rows.get(4).get(5)).contains("< 20 ms").contains("MISSED");
    }

    @Test
    void the_sentence_in_the_hatched_area_is_measured() {
        long response = MINUTE.result().recording().response().valueAtPercentile(99);
        long service = MINUTE.result().recording().service().valueAtPercentile(99);
        assertThat(PageReader.of(PAGE).section("spectrum").getTextContent())
                .contains("Hidden by coordinated omission")
                .contains("at p99: " + DurationText.rounded(service) + " from sending, but "
                        + DurationText.rounded(response) + " from intended start");
    }

    @Test
    void readings_of_a_target_over_time_have_a_chart() {
        RunFixture run = new RunFixture()
                .answered(10_000, 2_000_000)
                .counts(new TargetCounts(Map.of())
                        .with(Map.of(
                                "messages in the queue",
                                List.of(
                                        new TargetCounts.Reading(0, 0),
                                        new TargetCounts.Reading(1_000_000_000, 1_234)))));
        PageReader page = PageReader.of(Samples.report(
                RunResult.ofSlices(run.result().plan(), List.of(run.result(), run.result())), "errors<1%"));
        assertThat(page.section("readings-1").getTextContent()).contains("At most 1,234.");
    }

    @Test
    void nothing_is_called_hidden_where_Downbeat_was_late() {
        RunFixture late = new RunFixture().answered(10_000, 2_000_000).answered(1_000, 900_000_000, 0, 2_000_000);
        assertThat(PageReader.of(Samples.report(late.result(), "errors<1%"))
                        .section("spectrum")
                        .getTextContent())
                .doesNotContain("Hidden by")
                .contains("Downbeat's own delay included");
    }

    @Test
    void each_chart_has_a_title_and_a_description() {
        for (Element picture : PageReader.of(PAGE).pictures()) {
            assertThat(picture.getAttribute("role")).isEqualTo("img");
            String[] ids = picture.getAttribute("aria-labelledby").split(" ", -1);
            Element title = PageReader.in(picture, "title").get(0);
            Element description = PageReader.in(picture, "desc").get(0);
            assertThat(ids).containsExactly(title.getAttribute("id"), description.getAttribute("id"));
            assertThat(title.getTextContent()).isNotBlank();
            assertThat(description.getTextContent()).hasSizeGreaterThan(20);
        }
    }

    @Test
    void each_shape_has_its_colour_as_an_attribute_and_a_class_that_the_style_knows() {
        Set<String> known = new HashSet<>();
        Matcher rule = Pattern.compile("\\.([fs]-[a-z0-9-]+|[wn])\\{").matcher(PAGE);
        while (rule.find()) {
            known.add(rule.group(1));
        }
        PageReader page = PageReader.of(PAGE);
        int shapes = 0;
        for (String tag : SHAPES) {
            for (Element shape : page.all(tag)) {
                if (shape.getAttribute("display").equals("none")) {
                    continue; // shown by the style sheet only
                }
                String fill = shape.getAttribute("fill");
                assertThat(fill + shape.getAttribute("stroke")).contains("#");
                if (!fill.startsWith("url(#")) {
                    assertThat(known).containsAll(colours(shape));
                }
                shapes++;
            }
        }
        assertThat(shapes).isGreaterThan(200);
    }

    @Test
    void objectives_are_dashed_for_readers_who_cannot_tell_their_colour_from_service_times() {
        PageReader page = PageReader.of(PAGE);
        List<Element> lines = page.all("path").stream()
                .filter(path -> path.getAttribute("stroke").equals(ThemeColour.SLO.light()))
                .toList();
        assertThat(lines)
                .isNotEmpty()
                .allMatch(line -> !line.getAttribute("stroke-dasharray").isEmpty());
    }

    @Test
    void nothing_is_fetched_from_anywhere() {
        assertThat(PAGE.replace("http://www.w3.org/", "").replace("http://localhost:8080/orders", ""))
                .doesNotContain("http:", "https:", "@import", " src=", "<img", "<iframe");
        assertThat(Pattern.compile("url\\((?!#)").matcher(PAGE).find()).isFalse();
        assertThat(PAGE)
                .contains("default-src 'none'")
                .contains("<link rel=\"icon\" href=\"data:")
                .containsOnlyOnce("<link");
    }

    @Test
    void the_content_policy_has_the_hashes_of_style_and_script() {
        PageReader page = PageReader.of(PAGE);
        assertThat(PAGE)
                .contains(HtmlPage.hash(page.all("style").get(0).getTextContent()))
                .contains(HtmlPage.hash(page.all("script").get(0).getTextContent()));
    }

    @Test
    void names_and_reasons_are_text_and_never_markup() {
        String nasty = "</title><script>alert('1')</script><b a=\"&amp;\u0000\u001b\ud800\uffff";
        RunResult result = new RunFixture()
                .answered(100, 1_000_000)
                .failed(1, nasty, 1_000)
                .result();
        RunReport plain = Samples.report(named(result, nasty), "errors<1%");
        RunReport report = new RunReport(
                plain.result(),
                plain.verdict(),
                List.of("downbeat", nasty),
                plain.seed(),
                nasty,
                plain.machine(),
                java.util.Map.of("x", nasty));
        PageReader page = PageReader.of(report);
        assertThat(page.all("script")).hasSize(1);
        assertThat(page.all("b")).isEmpty();
        assertThat(page.all("p").stream()
                        .filter(p -> p.getAttribute("class").equals("title"))
                        .findFirst()
                        .orElseThrow()
                        .getTextContent())
                .startsWith("</title><script>alert('1')</script><b a=\"&amp;");
    }

    private static RunResult named(RunResult run, String target) {
        return new RunResult(
                run.plan(), target, run.span(), run.recording(), run.intervals(), run.lanes(), run.health());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"stall", "interrupted", "censored", "refused"})
    void every_sample_is_well_formed_and_has_its_verdict_and_ledger(String sample) {
        assertThat(PageReader.of(Samples.of(sample)).sections()).contains("verdict", "ledger", "method");
    }

    @Test
    void a_partial_run_says_so_at_the_top() {
        Element header = PageReader.of(Samples.of("interrupted")).all("header").get(0);
        assertThat(header.getTextContent()).contains("INTERRUPTED after 3.8 s of 20 s: partial");
    }

    @Test
    void where_nothing_was_answered_there_is_no_percentile_but_a_verdict_and_the_reasons() {
        PageReader page = PageReader.of(Samples.of("refused"));
        assertThat(page.sections()).doesNotContain("percentiles", "spectrum", "heatmap", "tail");
        assertThat(page.section("failures").getTextContent()).contains("connection refused");
        assertThat(page.section("verdict").getTextContent()).contains("UNSOUND");
    }

    @ParameterizedTest(name = "{0} ns")
    @ValueSource(longs = {0, 1, 999, 1_000_000, Distribution.MAX_NANOS, Long.MAX_VALUE})
    void one_request_of_any_length_makes_a_page(long nanos) {
        RunFixture run = new RunFixture()
                .answered(1, Math.min(nanos, Distribution.MAX_NANOS))
                .until(RunFixture.S);
        PageReader page = PageReader.of(Samples.report(run.result(), "p99<1s", "max<1ns"));
        assertThat(page.rows("percentiles"))
                .as("head, a decided objective's row, max")
                .hasSizeBetween(2, 3);
    }

    @ParameterizedTest(name = "from {0} ns")
    @ValueSource(longs = {1, 1_000, 60_000_000_000L})
    void any_range_of_times_makes_pictures_without_a_broken_number(long least) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 40; i++) {
            run.answered(50, least).answered(50, Distribution.MAX_NANOS).until((i + 1) * 500_000_000L);
        }
        String page = Samples.text(RunView.on(Renderer.HTML), Samples.report(run.result(), "p50<1ns", "p99<100d"));
        String shown = page.substring(page.indexOf("<main"), page.indexOf("</main>"));
        assertThat(shown).doesNotContain("NaN", "Infinity", "E-", "null");
        assertThat(PageReader.of(page).sections()).contains("spectrum", "heatmap", "times");
    }

    @Test
    void without_connections_there_is_no_picture_of_them() {
        RunFixture run = new RunFixture()
                .workload(new Workload.External("open", "Gatling, 10 users a second", 0), Duration.ofSeconds(20));
        for (int i = 0; i < 20; i++) {
            run.answered(100, 1_000_000).until((i + 1) * RunFixture.S);
        }
        PageReader page = PageReader.of(Samples.report(run.result(), "errors<1%"));
        assertThat(page.sections()).doesNotContain("connections", "backlog").contains("heatmap", "rates");
        assertThat(page.all("header").get(0).getTextContent()).contains("Gatling, 10 users a second");
    }

    @Test
    void the_ledger_on_the_page_is_that_of_the_run() {
        PageReader page = PageReader.of(PAGE);
        List<List<String>> rows = page.rows("ledger");
        assertThat(rows.get(0).get(1)).isEqualTo("120,000");
        assertThat(rows.get(1).get(1)).isEqualTo("120,000");
    }

    @Test
    void answers_that_all_took_as_long_make_no_picture_of_a_tail() {
        RunFixture run = new RunFixture().answered(10_000, 1_000_000);
        assertThat(PageReader.of(Samples.report(run.result(), "errors<1%")).sections())
                .contains("spectrum")
                .doesNotContain("tail");
    }

    @Test
    void an_unsound_run_shows_its_doubts_first() {
        RunFixture run = new RunFixture()
                .workload(new Workload.Open(new Poisson(Rate.perSecond(100), 1)), Duration.ofSeconds(20))
                .answered(1_000, 900_000_000, 0, 2_000_000)
                .health(RunFixture.stoodStillFor(900_000_000));
        Element verdict =
                PageReader.of(Samples.report(run.result(), "errors<1%")).section("verdict");
        assertThat(PageReader.in(verdict, "li").get(0).getTextContent()).contains("failed: ");
        assertThat(verdict.getTextContent()).contains("Measurement: UNSOUND");
    }

    /** Its classes but for those that say where a text stays or goes. */
    private static List<String> colours(Element shape) {
        return Arrays.stream(shape.getAttribute("class").split(" ", -1))
                .filter(name -> !name.matches("still|[mn][lr0-9]+"))
                .toList();
    }
}
