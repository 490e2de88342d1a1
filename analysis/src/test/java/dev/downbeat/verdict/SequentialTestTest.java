package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.SimulatedLevels;
import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often looks at a service whose level changes call an objective met whose limit is just below the truth. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SequentialTestTest {
    private static final int RUNS = 300;
    private static final int LONGEST_SECONDS = 480;
    private static final int PER_SECOND = 100;
    private static final double USUAL_NANOS = 5e6;

    @ParameterizedTest(name = "slow by {2} for {0} s, each {1} s, p{3}")
    @CsvSource({
        "15, 75, 2.2, 50",
        "15, 75, 2.2, 90",
        "20, 60, 2.2, 50",
        "20, 60, 2.2, 90",
        "5, 25, 2.2, 50",
        "5, 25, 2.2, 90",
        "5, 10, 3, 50",
        "5, 100, 3, 50",
        "5, 100, 3, 90",
        "5, 100, 3, 99"
    })
    void slow_spells_that_did_not_come_yet_are_waited_for(double spell, double each, double factor, double percentile) {
        String words = String.format(Locale.ROOT, "%.1f times as slow for %.0f s, each %.0f s", factor, spell, each);
        assertSeldomMet(words, SimulatedLevels.spells(spell, each, factor), percentile);
    }

    @ParameterizedTest(name = "by 30 %, for {0} s, p{1}")
    @CsvSource({"3, 50", "30, 50"})
    void wandering_levels_are_rarely_called_met(double memory, double percentile) {
        String words = String.format(Locale.ROOT, "a level that wanders by 30 %%, memory %.0f s", memory);
        assertSeldomMet(words, SimulatedLevels.wandering(0.3, memory), percentile);
    }

    private static void assertSeldomMet(String words, SimulatedLevels levels, double percentile) {
        int met = 0;
        int runs = Replications.of(RUNS, 8);
        double limit = 0.999 * levels.trueValue(percentile);
        for (int seed = 0; seed < runs; seed++) {
            Optional<End> end = end(levels, percentile, limit, seed * 104_729L + 7);
            met += end.filter(found -> found.status == JudgedObjective.Status.MET)
                            .isPresent()
                    ? 1
                    : 0;
        }
        double percent = 100.0 * met / runs;
        Table.line(
                "until-decided-levels",
                String.format(Locale.ROOT, "| %s, p%.0f, n = %d | %.1f |", words, percentile, runs, percent));
        assertThat(percent).isLessThanOrEqualTo(5 + 3 * Math.sqrt(5.0 * 95 / runs));
    }

    @Test
    void the_earliest_decision_depends_on_the_distance_to_the_limit() {
        SimulatedLevels calm = SimulatedLevels.wandering(0.01, 1);
        double truth = calm.trueValue(90);
        assertThat(end(calm, 90, 3 * truth, 1)).contains(new End(JudgedObjective.Status.MET, 120));
        assertThat(end(calm, 90, 1.5 * truth, 1)).contains(new End(JudgedObjective.Status.MET, 240));
        assertThat(end(calm, 90, 1.1 * truth, 1)).contains(new End(JudgedObjective.Status.MET, 480));
        double rare = calm.trueValue(99);
        assertThat(end(calm, 99, 3 * rare, 1)).contains(new End(JudgedObjective.Status.MET, 120));
        assertThat(end(calm, 99, 1.5 * rare, 1)).contains(new End(JudgedObjective.Status.MET, 480));
        assertThat(end(calm, 90, truth / 1.5, 1)).contains(new End(JudgedObjective.Status.MISSED, 120));
    }

    private record End(JudgedObjective.Status status, int seconds) {}

    private static Optional<End> end(SimulatedLevels levels, double percentile, double limit, long seed) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(PER_SECOND))))
                .duration(Duration.ofSeconds(LONGEST_SECONDS))
                .build();
        ServiceLevelObjective slo = new ServiceLevelObjective.Percentile(
                percentile, new ServiceLevelObjective.Ceiling(false), Math.round(USUAL_NANOS * limit));
        SequentialTest looks = new SequentialTest(plan, List.of(slo), false);
        double[][] seconds = levels.seconds(LONGEST_SECONDS, PER_SECOND, new SplittableRandom(seed));
        RunFixture fixture = new RunFixture();
        for (int second = 0; second < LONGEST_SECONDS; second++) {
            for (double time : seconds[second]) {
                fixture.answered(1, Math.round(USUAL_NANOS * time));
            }
            fixture.until((second + 1) * S);
        }
        List<Interval> intervals = new ArrayList<>();
        for (Interval interval : fixture.result().intervals()) {
            intervals.add(interval);
            if (looks.add(interval)) {
                Recording total = Recording.sum(
                        intervals.stream().map(Interval::recording).toList());
                Evidence evidence = looks.evidence(RunResult.soFar(plan, total, intervals));
                return Optional.of(new End(evidence.judge(slo).status(), intervals.size()));
            }
        }
        return Optional.empty();
    }
}
