package dev.downbeat.report.view.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.History;
import dev.downbeat.record.Recording;
import dev.downbeat.report.ComparisonGoldenTest;
import dev.downbeat.report.GoldenFileTest;
import dev.downbeat.report.HistorySample;
import dev.downbeat.report.PageReader;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SchemaCheck;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.RunView;
import dev.downbeat.report.view.SweepSample;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.verdict.RunFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/**
 * Pages of more than one run. Their files are written anew as those of {@link GoldenFileTest}; {@code -Ddownbeat.pages=FOLDER}
 * keeps all of them to be looked at.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class PagesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Map<String, View> VIEWS = new TreeMap<>();

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static SweepReport sweep;

    @BeforeAll
    static void measure() throws IOException {
        sweep = SweepSample.of(2_000_000);
        VIEWS.put("sweep", new SweepView(sweep));
        VIEWS.put("compare", new ComparisonView(ComparisonGoldenTest.someComparison()));
        VIEWS.put("history", new HistoryView(HistorySample.report(30)));
        VIEWS.put("variants", new VariantsView(ComparisonGoldenTest.someVariants()));
    }

    private static RunReport run(long stallAtNanos, String objective) {
        return Samples.report(new SimulatedRun(500, 20, 200_000_000, stallAtNanos).result(), objective, "errors<1%");
    }

    private static String page(String name) throws IOException {
        StringBuilder page = new StringBuilder();
        Renderer.HTML.write(Objects.requireNonNull(VIEWS.get(name)), page);
        String kept = System.getProperty("downbeat.pages");
        if (kept != null) {
            Files.writeString(Path.of(kept, name + ".html"), page);
        }
        return page.toString();
    }

    @Test
    void a_history_that_did_not_judge_what_it_was_asked_says_so_first_and_is_no_success() throws IOException {
        History history = History.of(HistorySample.report(16).history().builds(), List.of(50.0, 99.9), false);
        HistoryView.HistoryReport report =
                new HistoryView.HistoryReport(history, "16 builds", 0.05, "", List.of("downbeat"), "0.1.0");
        assertThat(report.exitCode()).isEqualTo(98);
        HistoryView view = new HistoryView(report);
        assertThat(view.page().head().headline())
                .isEqualTo("p99.9 was not judged: the newest build has 720 of the 5,000 requests it needs. No lasting"
                        + " change in 15 builds.");
        assertThat(xml(view)).contains(" failures=\"0\" errors=\"1\"");
        SchemaCheck.hold("history", view);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sweep", "compare", "variants", "history"})
    void pictures_have_names_words_and_colours_in_both_themes(String name) throws IOException {
        String page = page(name);
        PageReader reader = PageReader.of(page);
        List<Element> pictures = reader.pictures();
        assertThat(pictures).isNotEmpty();
        Set<String> ids = new HashSet<>();
        for (Element picture : pictures) {
            assertThat(PageReader.in(picture, "title").get(0).getTextContent()).isNotBlank();
            assertThat(PageReader.in(picture, "desc").get(0).getTextContent()).hasSizeGreaterThan(20);
            assertThat(ids.add(picture.getAttribute("aria-labelledby"))).isTrue();
        }
        Set<String> known = new HashSet<>();
        Matcher rule = Pattern.compile("\\.([fs]-[a-z0-9-]+)\\{").matcher(page);
        while (rule.find()) {
            known.add(rule.group(1));
        }
        for (String tag : List.of("rect", "path", "circle", "text")) {
            for (Element shape : reader.all(tag)) {
                assertThat(shape.getAttribute("fill") + shape.getAttribute("stroke"))
                        .contains("#");
                assertThat(known).containsAll(colours(shape));
            }
        }
        assertThat(reader.sections()).doesNotHaveDuplicates();
        String shown = page.substring(page.indexOf("<main"), page.indexOf("</main>"));
        assertThat(shown).doesNotContain("NaN", "Infinity", "E-", "null");
        assertThat(page).contains("default-src 'none'").hasSizeLessThan(150_000);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"en-US", "de-DE", "ar-EG", "hi-IN-u-nu-deva"})
    void no_page_depends_on_the_locale(String tag) throws IOException {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            ComparisonGoldenTest.check("sweep.html", out -> Renderer.HTML.write(new SweepView(sweep), out));
            ComparisonGoldenTest.check(
                    "history.txt", out -> Renderer.TEXT.write(new HistoryView(HistorySample.report(30)), out));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void the_table_of_a_sweep_is_that_of_its_steps() throws IOException {
        PageReader reader = PageReader.of(page("sweep"));
        assertThat(reader.sections()).containsExactly("verdict", "curve", "answered", "rates", "method");
        List<List<String>> rows = reader.rows("rates");
        Capacity capacity = sweep.capacity();
        assertThat(rows).hasSize(1 + capacity.steps().size()).hasSizeGreaterThan(4);
        for (int i = 0; i < capacity.steps().size(); i++) {
            RateStep step = capacity.steps().get(i);
            assertThat(rows.get(i + 1).get(0)).isEqualTo(Numbers.significant(step.perSecond()));
            assertThat(rows.get(i + 1).get(2)).isEqualTo(PercentileCells.time(step.recording(), 50));
        }
        assertThat(reader.section("verdict").getTextContent())
                .contains(Numbers.rate(capacity.sustainablePerSecond().orElseThrow()));
    }

    @Test
    void the_JSON_of_sweeps_is_as_its_schema_says() throws IOException {
        SchemaCheck.hold("sweep", new SweepView(sweep));
        Capacity nothing = new Capacity(
                sweep.capacity().plan(), sweep.capacity().steps().subList(0, 1), true, Optional.empty(), false);
        SweepReport cut = new SweepReport(nothing, "a", "b", List.of(), "", "0.1.0", Map.of(), false);
        SchemaCheck.hold("sweep", new SweepView(cut));
    }

    @Test
    void a_history_of_few_builds_says_so() throws IOException {
        StringBuilder few = new StringBuilder();
        Renderer.TEXT.write(new HistoryView(HistorySample.report(4)), few);
        assertThat(few.toString().replaceAll("\\s+", " "))
                .contains("at least 6 comparable builds are needed, but there were 4");
        SchemaCheck.hold("history", new HistoryView(HistorySample.report(30)));
        SchemaCheck.hold("history", new HistoryView(HistorySample.report(4)));
    }

    @Test
    void a_history_without_its_newest_build_says_so_first_and_is_no_success() throws IOException {
        HistoryView.HistoryReport report = HistorySample.report(16, 15);
        assertThat(report.exitCode()).isEqualTo(98);
        HistoryView view = new HistoryView(report);
        assertThat(view.page().head().headline()).startsWith("The newest build was left out: the measurement of ");
        assertThat(xml(view))
                .contains(" failures=\"0\" errors=\"1\"")
                .contains("<error type=\"unsound\" message=\"left out: the measurement of ")
                .contains(">unsound</error>");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sweep", "compare", "variants", "history"})
    void the_XML_is_red_exactly_where_the_exit_code_is_not_0(String name) throws IOException {
        View view = Objects.requireNonNull(VIEWS.get(name));
        assertThat(xml(view).contains(" failures=\"0\" errors=\"0\"")).isEqualTo(view.passes());
    }

    private static String xml(View view) throws IOException {
        StringBuilder xml = new StringBuilder();
        Renderer.JUNIT.write(view, xml);
        return xml.toString();
    }

    @Test
    void a_history_begins_with_what_decides_its_exit_code_not_with_the_newest_change() {
        HistoryView.HistoryReport report = HistorySample.ofTail();
        assertThat(report.history().changes()).hasSize(2);
        assertThat(report.history().changes().get(0).isRise()).as("the newest").isFalse();
        assertThat(report.exitCode()).isEqualTo(99);
        assertThat(new HistoryView(report).page().head().headline()).startsWith("p90 rose ");
    }

    /** Of thirty builds the tenth is slow, of ten the newest; the fifth is unsound. */
    @Test
    void a_single_slow_build_is_named_and_the_newest_in_the_first_line() throws IOException {
        String tenth = HistorySample.report(30).history().builds().get(8).name();
        StringBuilder of30 = new StringBuilder();
        Renderer.MARKDOWN.write(new HistoryView(HistorySample.report(30)), of30);
        assertThat(of30).contains("slower once: " + tenth + " (p50 7.");
        HistoryView newest = new HistoryView(HistorySample.report(10));
        assertThat(newest.page().head().headline())
                .startsWith(
                        "No lasting change in 9 builds. The newest build alone is slower: p50 of " + tenth + " is 7.");
        StringBuilder of10 = new StringBuilder();
        Renderer.MARKDOWN.write(newest, of10);
        assertThat(of10).doesNotContain("slower once");
        for (HistoryView.HistoryReport known : List.of(
                accepting(HistorySample.report(10), 0.05, tenth), accepting(HistorySample.report(10), 0.9, ""))) {
            assertThat(new HistoryView(known).page().head().headline()).isEqualTo("No lasting change in 9 builds.");
        }
    }

    /** Of a build whose requests time out, the limit is all that is known. */
    @Test
    void several_slow_builds_are_neither_alone_nor_the_last_and_a_limit_is_no_time() throws IOException {
        List<Build> builds = new ArrayList<>(HistorySample.report(17).history().builds());
        Build slow = builds.remove(8);
        Recording limit = new RunFixture()
                .answered(10, 1_000_000)
                .timedOut(50, 100_000_000)
                .result()
                .recording();
        ComparedRun failing =
                new ComparedRun("late", Collections.nCopies(12, limit), "open", OptionalDouble.of(60), List.of());
        builds.add(5, new Build("late", Optional.of(Instant.EPOCH), List.of(failing)));
        builds.add(slow);
        HistoryView.HistoryReport sample = HistorySample.report(10);
        HistoryView view = new HistoryView(new HistoryView.HistoryReport(
                History.of(builds, List.of(50.0), false),
                sample.title(),
                sample.tolerance(),
                sample.since(),
                sample.command(),
                sample.version()));
        assertThat(view.page().head().headline()).contains(" The newest build is slower: p50 of " + slow.name());
        StringBuilder text = new StringBuilder();
        Renderer.MARKDOWN.write(view, text);
        assertThat(text).contains("slower once: late (p50 at least 100 ms, the others ");
    }

    private static HistoryView.HistoryReport accepting(
            HistoryView.HistoryReport report, double tolerance, String since) {
        return new HistoryView.HistoryReport(
                report.history(), report.title(), tolerance, since, report.command(), report.version());
    }

    @Test
    void the_bars_of_a_comparison_are_its_intervals() throws IOException {
        ComparisonReport report = ComparisonGoldenTest.someComparison();
        Comparison comparison = report.comparison();
        PageReader reader = PageReader.of(page("compare"));
        assertThat(reader.sections()).containsExactly("verdict", "shift", "shift-table", "spectra", "method");
        List<String> answers = new ArrayList<>();
        for (ComparedRow row : comparison.rows()) {
            answers.add(Percentiles.name(row.percentile()));
            assertThat(reader.section("shift").getTextContent()).contains(ChangeText.of(row.change()));
        }
        assertThat(comparison.rows()).extracting(ComparedRow::answer).contains(ChangeAnswer.SLOWER);
        long bars = PageReader.in(reader.section("shift"), "path").stream()
                .filter(path -> path.getAttribute("stroke-width").equals("3"))
                .count();
        long ends = comparison.rows().stream()
                .mapToLong(row -> (row.lowChange().isPresent() ? 1 : 0)
                        + (row.highChange().isPresent() ? 1 : 0))
                .sum();
        assertThat(bars).isEqualTo(ends).isPositive();
        assertThat(reader.rows("shift-table").stream().map(row -> row.get(0)).toList())
                .containsAll(answers);
    }

    /** All requests changed by another amount than those without stalls, of which the first line speaks. */
    @Test
    void what_is_said_without_stalls_stands_in_a_table_without_stalls() throws IOException {
        Comparison stalled = ComparisonGoldenTest.stalled().comparison();
        String all = ChangeText.interval(stalled.rows().get(0));
        String calm = ChangeText.interval(stalled.deciding().get(0));
        assertThat(calm).isNotEqualTo(all);
        String page = html(ComparisonGoldenTest.stalled());
        PageReader reader = PageReader.of(page);
        assertThat(reader.section("verdict").getTextContent()).contains("p50 changed by " + calm);
        assertThat(reader.sections()).containsSequence("shift", "shift-table", "shift-calm");
        assertThat(reader.rows("shift-table").get(1)).contains(all).doesNotContain(calm);
        assertThat(reader.rows("shift-calm").get(1)).contains(calm).doesNotContain(all);
        assertThat(page).contains("The chart shows the numbers of the table of all requests.");
        StringBuilder screen = new StringBuilder();
        Renderer.TEXT.write(new ComparisonView(ComparisonGoldenTest.stalled()), screen);
        assertThat(screen.toString().replaceAll("\\s+", " "))
                .containsSubsequence("all requests", all, "without stalls", calm)
                .doesNotContain("cannot tell");
    }

    @Test
    void if_stalls_are_ignored_the_table_without_them_comes_first() throws IOException {
        ComparisonReport all = ComparisonGoldenTest.stalled();
        ComparisonReport ignoring = new ComparisonReport(
                all.comparison().ignoringStalls(), all.names(), all.gate(), all.load(), all.command(), all.version());
        assertThat(PageReader.of(html(ignoring)).sections()).containsSequence("shift", "shift-calm", "shift-table");
    }

    private static String html(ComparisonReport report) throws IOException {
        StringBuilder page = new StringBuilder();
        Renderer.HTML.write(new ComparisonView(report), page);
        return page.toString();
    }

    /** What the other run's lines say under the pointer is what its column and its own course say. */
    @Test
    void an_overlaid_run_matches_its_table() throws IOException {
        RunReport.Beside other = new RunReport.Beside("cut-off.downbeat", Samples.of("interrupted"));
        StringBuilder page = new StringBuilder();
        Renderer.HTML.write(new RunView(run(100_000 * SECOND, "p99<50ms").beside(other.name(), other.run())), page);
        assertThat(page).contains("Unlike " + other.name() + ": the loads differ");
        PageReader reader = PageReader.of(page.toString());
        List<List<String>> rows = reader.rows("percentiles");
        int column = rows.get(0).indexOf(other.name());
        assertThat(column).isPositive();
        Element picture = PageReader.in(reader.section("spectrum"), "svg").get(0);
        List<String> readings = PageReader.readings(picture);
        int compared = 0;
        for (List<String> row : rows.subList(1, rows.size())) {
            for (String words : readings) {
                if (words.startsWith(row.get(0) + ":") && words.contains(other.name())) {
                    assertThat(words)
                            .endsWith(
                                    "; " + other.name() + " " + row.get(column).replace("≥ ", "at least "));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(2);
    }

    /** Its classes but for those that say where a text stays or goes. */
    private static List<String> colours(Element shape) {
        return Arrays.stream(shape.getAttribute("class").split(" ", -1))
                .filter(name -> !name.matches("still|[mn][lr0-9]+"))
                .toList();
    }

    @Test
    void five_runs_that_were_left_out_are_named_and_the_others_counted() throws IOException {
        StringBuilder five = new StringBuilder();
        Renderer.TEXT.write(new HistoryView(HistorySample.report(30, i -> i < 5)), five);
        assertThat(five).contains("left out: ").doesNotContain("listed in JSON");
        StringBuilder seven = new StringBuilder();
        Renderer.TEXT.write(new HistoryView(HistorySample.report(30, i -> i < 7)), seven);
        assertThat(seven.toString().replaceAll("\\s+", " ")).contains("2 more runs left out, listed in JSON");
    }
}
