package dev.downbeat.why;

import static dev.downbeat.why.SpansTest.ends;
import static dev.downbeat.why.SpansTest.spans;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.why.LoadLevels.LoadLevel;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events rotated within the levels of a load, by sums instead of transforms. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CircularCorrelationTest {
    private static final long S = RunFixture.S;

    @ParameterizedTest(name = "{0} cells")
    @ValueSource(ints = {2, 16, 256})
    void the_agreement_at_each_rotation_is_the_sum_of_products(int cells) {
        SplittableRandom random = new SplittableRandom(cells);
        double[] events = random.doubles(cells).toArray();
        double[] others = random.doubles(cells, -1, 3).toArray();
        double[] agreement =
                CircularSignal.agreement(CircularSignal.transform(events), CircularSignal.transform(others));
        assertThat(agreement).hasSize(cells);
        for (int turn = 0; turn < cells; turn++) {
            double sum = 0;
            for (int i = 0; i < cells; i++) {
                sum += events[i] * others[(i + turn) % cells];
            }
            assertThat(agreement[turn]).as("later by %d", turn).isCloseTo(sum, within(1e-9 * cells));
        }
    }

    @Test
    void a_height_counts_in_each_cell_by_its_part_of_it() {
        CircularSignal circle = new CircularSignal(new LoadLevel(spans(1_000, 1_000 + 10_240)), 0.01);
        assertThat(circle.cellNanos()).isEqualTo(10);
        circle.add(1_000, 1_025, 1);
        circle.add(1_005, 1_015, 2);
        circle.add(0, 1_010, 4);
        circle.add(11_235, 20_000, 8);
        circle.add(500, 900, 16);
        circle.add(20_000, 30_000, 16);
        double[] heights = circle.heights();
        assertThat(heights).hasSize(1_024);
        assertThat(heights[0]).isCloseTo(1 + 1 + 4, within(1e-9));
        assertThat(heights[1]).isCloseTo(1 + 1, within(1e-9));
        assertThat(heights[2]).isCloseTo(0.5, within(1e-9));
        assertThat(heights[3]).isCloseTo(0, within(1e-9));
        assertThat(heights[1_022]).isCloseTo(0, within(1e-9));
        assertThat(heights[1_023]).isCloseTo(4, within(1e-9));
    }

    @Test
    void all_spans_have_the_height_one() {
        double[] heights = new CircularSignal(new LoadLevel(spans(0, 10_240)), 0.01)
                .with(spans(0, 20, 30, 35))
                .heights();
        assertThat(heights).startsWith(new double[] {1, 1, 0, 0.5, 0});
    }

    @Test
    void a_level_has_cells_in_proportion_to_its_part_of_the_run() {
        LoadLevel level = new LoadLevel(spans(0, S));
        assertThat(new CircularSignal(level, 1).heights()).hasSize(CircularSignal.CELLS);
        assertThat(new CircularSignal(level, 0.51).heights()).hasSize(CircularSignal.CELLS / 2);
        assertThat(new CircularSignal(level, 0.5).heights()).hasSize(CircularSignal.CELLS / 2);
        assertThat(new CircularSignal(level, 0.499).heights()).hasSize(CircularSignal.CELLS / 4);
        assertThat(new CircularSignal(level, 1e-6).heights()).hasSize(1_024);
    }

    // ---- levels

    private static final LoadLevel TWICE = new LoadLevel(spans(0, 10, 20, 30));

    @Test
    void a_level_is_the_sequence_of_its_pieces() {
        assertThat(TWICE.lengthNanos()).isEqualTo(20);
        assertThat(TWICE.at(-5)).isZero();
        assertThat(TWICE.at(5)).isEqualTo(5);
        assertThat(TWICE.at(15)).as("between its pieces").isEqualTo(10);
        assertThat(TWICE.at(25)).isEqualTo(15);
        assertThat(TWICE.at(40)).isEqualTo(20);
    }

    private static List<Long> turned(double byShare, long... events) {
        return ends(new LoadLevels(List.of(TWICE)).rotated(spans(events), byShare));
    }

    @Test
    void events_are_rotated_within_their_level() {
        assertThat(turned(0, 5, 8)).containsExactly(5L, 8L);
        assertThat(turned(0.5, 5, 8)).containsExactly(25L, 28L);
        assertThat(turned(0.25, 25, 28)).as("over its end").containsExactly(0L, 3L);
        assertThat(turned(0.5, 8, 22)).as("both over its end and before it").containsExactly(0L, 2L, 28L, 30L);
        assertThat(turned(0.05, 8, 22)).as("in both pieces").containsExactly(9L, 10L, 20L, 23L);
        assertThat(turned(0.3, 12, 18)).as("at another load").isEmpty();
    }

    private static RunResult run(ArrivalProcess arrivals, long seconds) {
        return new RunFixture()
                .workload(new Workload.Open(arrivals), Duration.ofSeconds(seconds))
                .answered(1, 1)
                .result();
    }

    private static List<Long> lengths(LoadLevels levels) {
        assertThat(levels.lengthNanos())
                .isEqualTo(levels.levels().stream()
                        .mapToLong(LoadLevel::lengthNanos)
                        .sum());
        return levels.levels().stream().map(level -> level.lengthNanos() / S).toList();
    }

    private static Constant perSecond(long rate) {
        return new Constant(Rate.perSecond(rate));
    }

    @Test
    void the_time_after_a_load_and_its_backlog_are_levels_of_their_own() {
        RunResult run = run(perSecond(100), 20);
        assertThat(lengths(LoadLevels.of(run, spans(), 0, 25 * S))).containsExactly(20L, 5L);
        assertThat(lengths(LoadLevels.of(run, spans(19 * S, 22 * S), 0, 25 * S)))
                .containsExactly(2L, 20L, 3L);
        assertThat(lengths(LoadLevels.of(run, spans(21 * S, 22 * S), 0, 25 * S)))
                .as("what is slow only later is no backlog")
                .containsExactly(20L, 5L);
        assertThat(lengths(LoadLevels.of(run, spans(19 * S, 40 * S), 0, 25 * S)))
                .containsExactly(5L, 20L);
        assertThat(lengths(LoadLevels.of(run, spans(), 5 * S, 15 * S))).containsExactly(10L);
        RunResult closed = new RunFixture()
                .workload(new Workload.Closed(10, ThinkTime.none()), Duration.ofSeconds(20))
                .answered(1, 1)
                .result();
        assertThat(lengths(LoadLevels.of(closed, spans(19 * S, 22 * S), 0, 25 * S)))
                .containsExactly(25L);
    }

    @Test
    void steps_whose_rates_differ_by_at_most_a_tenth_are_one_level() {
        assertThat(lengths(LoadLevels.of(run(steps(100, 111, 100), 30), spans(), 0, 30 * S)))
                .containsExactly(30L);
        assertThat(lengths(LoadLevels.of(run(steps(100, 112, 100), 30), spans(), 0, 30 * S)))
                .containsExactly(20L, 10L);
    }

    private static Steps steps(long... rates) {
        return new Steps(LongStream.of(rates)
                .mapToObj(rate -> new Step(perSecond(rate), 10 * S))
                .toList());
    }

    /** Its rate doubles: six parts, none of which is like another. */
    @Test
    void a_ramp_is_as_many_levels_as_its_change_has_tenths() {
        Ramp ramp = new Ramp(Rate.perSecond(100), Rate.perSecond(200), 12 * S, new Spacing.Even());
        assertThat(lengths(LoadLevels.of(run(ramp, 12), spans(), 0, 12 * S))).containsExactly(2L, 2L, 2L, 2L, 2L, 2L);
    }
}
