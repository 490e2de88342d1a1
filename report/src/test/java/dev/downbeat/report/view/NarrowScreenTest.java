package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.ComparisonGoldenTest;
import dev.downbeat.report.HistorySample;
import dev.downbeat.report.Samples;
import dev.downbeat.report.SimulatedRun;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.SessionReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.report.render.Page.Where;
import dev.downbeat.report.render.Renderer.TerminalStyle;
import dev.downbeat.report.render.Table;
import dev.downbeat.report.render.TerminalColours;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.ProofView.ProofReport;
import dev.downbeat.report.view.compare.ComparisonView;
import dev.downbeat.report.view.compare.HistoryView;
import dev.downbeat.report.view.compare.VariantsView;
import dev.downbeat.report.view.position.PositionView;
import dev.downbeat.report.view.schema.SchemasTest;
import dev.downbeat.report.view.sweep.SweepView;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a narrow terminal shows of every kind of result: no line is broken, and no word is lost but for pictures. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NarrowScreenTest {
    private static final int WIDE = 200;
    private static final Set<Where> ON_SCREEN = EnumSet.of(Where.EVERYWHERE, Where.CHAPTER, Where.SCREEN);
    private static final long SECOND = 1_000_000_000L;
    private static final Map<String, View> VIEWS = new TreeMap<>();

    @BeforeAll
    static void measure() throws IOException {
        for (String run : List.of("stall", "interrupted", "censored", "refused")) {
            VIEWS.put(run, new RunView(Samples.of(run)));
        }
        RunReport simulated = Samples.report(
                new SimulatedRun(500, 20, 200_000_000, 8 * SECOND).result(), "p90<5ms", "p99<50ms", "errors<1%");
        VIEWS.put("named", new RunView(Samples.named()));
        VIEWS.put(
                "why",
                new RunView(
                        Samples.explained(simulated, Samples.why(simulated, 8 * SECOND, SimulatedRun.STALL_NANOS))));
        VIEWS.put(
                "session",
                new SessionView(SessionReport.of(Samples.stall().result().intervals(), 5, 1_000_000, 0)
                        .by(Optional.of(Samples.stall().analysis()), List.of(), List.of(), "0.1.0")));
        VIEWS.put("audit", SchemasTest.audit());
        VIEWS.put(
                "proof",
                new ProofView(
                        SchemasTest.proof(List.of(new ProofReport.Failure("count", "count was 1 instead of 2")))));
        VIEWS.put("position", new PositionView(SerialSamples.serial(12, 180, 80)));
        VIEWS.put("compare", new ComparisonView(ComparisonGoldenTest.someComparison()));
        VIEWS.put("compare stalled", new ComparisonView(ComparisonGoldenTest.stalled()));
        VIEWS.put("variants", new VariantsView(ComparisonGoldenTest.someVariants()));
        VIEWS.put("history", new HistoryView(HistorySample.report(30)));
        VIEWS.put("sweep", new SweepView(SweepSample.of(2_000_000)));
    }

    private static String screen(View view, boolean isWhole, int columns) throws IOException {
        StringBuilder screen = new StringBuilder();
        new TerminalStyle(true, isWhole, columns).write(view, screen);
        return screen.toString();
    }

    @ParameterizedTest(name = "{0} columns")
    @ValueSource(ints = {80, 60, 40})
    void no_line_is_broken(int columns) throws IOException {
        for (Map.Entry<String, View> view : VIEWS.entrySet()) {
            for (boolean isWhole : new boolean[] {true, false}) {
                assertThat(screen(view.getValue(), isWhole, columns).lines())
                        .as(view.getKey())
                        .allMatch(line -> TerminalColours.visibleLength(line) <= columns
                                || !line.strip().contains(" "));
            }
        }
    }

    @ParameterizedTest(name = "{0} columns")
    @ValueSource(ints = {60, 40})
    void no_word_is_lost(int columns) throws IOException {
        for (Map.Entry<String, View> view : VIEWS.entrySet()) {
            for (boolean isWhole : new boolean[] {true, false}) {
                Map<String, Integer> narrow = words(view.getValue(), isWhole, columns);
                words(view.getValue(), isWhole, WIDE)
                        .forEach((word, count) -> assertThat(narrow.getOrDefault(word, 0))
                                .as("%s: %s", view.getKey(), word)
                                .isGreaterThanOrEqualTo(count));
            }
        }
    }

    /** Who reads a number must see the name of its row: on its line, or on the one above if it is long. */
    @ParameterizedTest(name = "{0} columns")
    @ValueSource(ints = {80, 60, 40})
    void each_cell_stands_behind_the_name_of_its_row(int columns) throws IOException {
        for (Map.Entry<String, View> view : VIEWS.entrySet()) {
            List<String> lines =
                    plain(screen(view.getValue(), true, columns)).lines().toList();
            for (Page.Section section : view.getValue().page().sections()) {
                for (Page.Block block : section.blocks()) {
                    if (block instanceof Table table && ON_SCREEN.contains(section.where())) {
                        hold(view.getKey(), table, lines);
                    }
                }
            }
        }
    }

    private static void hold(String kind, Table table, List<String> lines) {
        for (List<Table.Cell> row : table.rows()) {
            for (int i = 1; i < row.size(); i++) {
                String text = row.get(i).text();
                if (ON_SCREEN.contains(table.columns().get(i).where()) && !text.isEmpty()) {
                    String begin = text.split(" ", 2)[0];
                    assertThat(IntStream.range(0, lines.size()))
                            .as("%s: %s of %s", kind, text, row.get(0).text())
                            .anyMatch(line ->
                                    lines.get(line).contains(row.get(0).text())
                                            && (lines.get(line) + lines.get(Math.min(line + 1, lines.size() - 1)))
                                                    .contains(begin));
                }
            }
        }
    }

    /** How often each stands there. */
    private static Map<String, Integer> words(View view, boolean isWhole, int columns) throws IOException {
        Map<String, Integer> words = new HashMap<>();
        plain(screen(view, isWhole, columns))
                .lines()
                .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                .filter(word -> !word.isEmpty())
                .forEach(word -> words.merge(word, 1, Integer::sum));
        return words;
    }

    private static String plain(String text) {
        return text.replaceAll("\u001b\\[[0-9;]*m", "");
    }
}
