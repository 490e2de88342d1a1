package dev.downbeat.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepChartTest {
    private static final long S = RunFixture.S;

    /** A rate for each number of answers: 100/s, 200/s and so on. */
    private static SweepChart chart(String slo, int... answers) {
        List<RateStep> steps = new ArrayList<>();
        for (int count : answers) {
            steps.add(new RateStep(
                    100 * (steps.size() + 1),
                    RateStep.StepOutcome.PASS,
                    "",
                    false,
                    10 * S,
                    new RunFixture().answered(count, RunFixture.MS).result().recording(),
                    count / 10.0,
                    Optional.empty(),
                    List.of(),
                    List.of()));
        }
        SearchPlan plan = new SearchPlan(
                100, 2_000, 10 * S, 300 * S, List.of(ServiceLevelObjective.parse(slo)), 0.05, OptionalLong.empty());
        return new SweepChart(new Capacity(plan, steps, true, Optional.empty(), false));
    }

    private static List<String> words(SweepChart chart) {
        return chart.readings().stream().map(Chart.Reading::words).toList();
    }

    /** p99 needs 500 answers, p95 100, p90 50 and p75 20. */
    @Test
    void the_highest_percentile_is_drawn_that_four_rates_in_five_have() {
        assertThat(words(chart("errors<1%", 500, 500, 500, 500, 499)))
                .hasSize(5)
                .allMatch(words -> words.contains("p99 "));
        assertThat(words(chart("errors<1%", 500, 500, 500, 499, 499))).allMatch(words -> words.contains("p90 "));
        assertThat(words(chart("errors<1%", 49, 49))).allMatch(words -> words.contains("p75 "));
    }

    @Test
    void a_percentile_with_an_objective_is_drawn_before_any_other() {
        assertThat(words(chart("p95<1s", 1_000, 1_000))).allMatch(words -> words.contains("p95 "));
        assertThat(words(chart("p95<1s", 99, 99))).as("but for too few").allMatch(words -> words.contains("p90 "));
        assertThat(words(chart("p50<1s", 1_000, 1_000))).allMatch(words -> words.contains("p99 "));
    }

    @Test
    void rates_without_a_median_are_not_drawn_and_one_rate_is_no_curve() {
        assertThat(words(chart("errors<1%", 9, 1_000, 10))).hasSize(2);
        assertThat(chart("errors<1%", 9, 1_000, 9).isShown()).isFalse();
        assertThat(chart("errors<1%", 9, 1_000, 10).isShown()).isTrue();
    }
}
