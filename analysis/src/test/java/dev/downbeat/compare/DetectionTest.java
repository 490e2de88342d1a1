package dev.downbeat.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Table;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.verdict.RunFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DetectionTest {
    private static final int COMPARISONS = 200;

    /** A service that takes 5 ms, with an exponential part; its runs differ by 3 %. */
    private static ComparedRun run(double factor, int perSecond, int seconds, SplittableRandom random) {
        double level = 5e6 * factor * Math.exp(0.03 * random.nextGaussian());
        List<Recording> all = new ArrayList<>();
        for (int second = 0; second < seconds; second++) {
            RunFixture fixture = new RunFixture();
            for (int i = 0; i < perSecond; i++) {
                fixture.answered(1, Math.round(level * (1 + 0.5 * random.nextExponential())));
            }
            all.add(fixture.result().recording());
        }
        return new ComparedRun("pilot", all, "open", OptionalDouble.of(perSecond), List.of());
    }

    @ParameterizedTest(name = "{0}/s, +{1}")
    @CsvSource({"50, 0.05", "50, 0.1", "50, 0.3", "200, 0.05"})
    void the_plan_shows_the_change_in_about_four_of_five_comparisons(int perSecond, double change) {
        ComparedRun pilot = run(1, perSecond, 30, new SplittableRandom(1));
        Detection.Plan plan = Detection.of(pilot, change)
                .orElseThrow()
                .rows()
                .get(0)
                .shortest()
                .orElseThrow();
        int found = 0;
        int comparisons = Replications.of(COMPARISONS, 8);
        for (int seed = 0; seed < comparisons; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 7_919L + 11);
            List<QuantileChange> rows = QuantileChange.of(
                    times(plan, 1, perSecond, random),
                    times(plan, 1 + change, perSecond, random),
                    List.of(50.0, 90.0, 95.0, 99.0),
                    1);
            found += rows.get(0).answer() == ChangeAnswer.SLOWER ? 1 : 0;
        }
        double percent = 100.0 * found / comparisons;
        Table.line(
                "detection",
                String.format(
                        Locale.ROOT,
                        "| %d/s, +%.0f %% | %d runs of %d s | %.1f |",
                        perSecond,
                        100 * change,
                        plan.runs(),
                        plan.seconds(),
                        percent));
        double slack = 300 * Math.sqrt(0.16 / comparisons);
        assertThat(percent).isBetween(72 - slack, 100.0);
    }

    private static List<List<Distribution>> times(
            Detection.Plan plan, double factor, int perSecond, SplittableRandom random) {
        List<List<Distribution>> runs = new ArrayList<>();
        for (int i = 0; i < plan.runs(); i++) {
            runs.add(run(factor, perSecond, plan.seconds(), random).stretches().stream()
                    .map(Recording::responseAtLeast)
                    .toList());
        }
        return runs;
    }

    @Test
    void a_large_change_needs_one_run_and_a_small_one_several() {
        ComparedRun pilot = run(1, 100, 30, new SplittableRandom(1));
        Detection large = Detection.of(pilot, 0.5).orElseThrow();
        assertThat(large.rows()).extracting(Detection.Row::percentile).containsExactly(50.0, 90.0, 99.0);
        assertThat(large.rows().get(0).shortest()).contains(new Detection.Plan(1, 20));
        Detection.Plan small =
                Detection.of(pilot, 0.05).orElseThrow().rows().get(0).shortest().orElseThrow();
        assertThat(small.runs()).isGreaterThan(5);
        assertThat(small.secondsInAll()).isEqualTo(2L * small.runs() * small.seconds());
        assertThat(Detection.of(pilot, 0.001).orElseThrow().rows().get(0).shortest())
                .isEmpty();
    }

    @Test
    void a_pilot_that_is_too_short_plans_nothing() {
        assertThat(Detection.of(run(1, 50, 10, new SplittableRandom(1)), 0.05)).isEqualTo(Optional.empty());
    }
}
