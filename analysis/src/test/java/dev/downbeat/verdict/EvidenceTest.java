package dev.downbeat.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.testing.Replications;
import dev.downbeat.verdict.bound.ResponseIntervals;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class EvidenceTest {
    /** One server at half of its capacity of 400/s: p90 is ln 10 / 200 per second, 11.5 ms. */
    private static RunPlan plan(int seconds, long seed) {
        return RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), seed)))
                .duration(Duration.ofSeconds(seconds))
                .build();
    }

    private static RunResult run(int seconds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return VirtualService.run(
                plan(seconds, seed), 500, 1, index -> Math.round(random.nextExponential() * 2_500_000));
    }

    private static JudgedObjective judge(String slo, RunResult run) {
        return Evidence.of(run, ResponseIntervals.LEAST_STRETCH_NANOS, 0.95).judge(ServiceLevelObjective.parse(slo));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "p90<20ms, MET",
        "p90<7ms, MISSED",
        "p90<11.5ms, UNDECIDED",
        "p99.99<1s, UNDECIDED",
        "mean<8ms, MET",
        "mean<3ms, MISSED",
        "mean<5ms, UNDECIDED",
        "errors<1%, MET",
        "errors<0.001%, UNDECIDED",
        "rate>=99%, MET",
        "max<10s, MET",
        "max<1ms, MISSED"
    })
    void an_objective_is_decided_only_if_its_whole_interval_is_on_one_side(String slo, JudgedObjective.Status status) {
        assertThat(judge(slo, run(60, 1)).status()).isEqualTo(status);
    }

    @Test
    void a_run_too_short_for_an_interval_decides_nothing() {
        JudgedObjective objective = judge("p90<20ms", run(10, 1));
        assertThat(objective.status()).isEqualTo(JudgedObjective.Status.UNDECIDED);
        assertThat(objective.reason()).contains("too short to decide");
    }

    @Test
    @Tag("slow")
    void looking_ends_after_two_certain_looks_in_a_row_and_rarely_errs() {
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger decided = new AtomicInteger();
        int runs = Replications.of(20, 5);
        IntStream.range(0, runs).parallel().forEach(seed -> {
            SequentialTest looks =
                    new SequentialTest(plan(240, seed), List.of(ServiceLevelObjective.parse("p90<17ms")), false);
            RunResult run = run(240, seed);
            boolean done = false;
            for (Interval interval : run.intervals()) {
                done = done || looks.add(interval);
            }
            JudgedObjective objective = looks.evidence(run).judge(ServiceLevelObjective.parse("p90<17ms"));
            decided.addAndGet(done ? 1 : 0);
            wrong.addAndGet(objective.status() == JudgedObjective.Status.MISSED ? 1 : 0);
        });
        assertThat(wrong.get()).isLessThanOrEqualTo(1);
        assertThat(decided.get()).isBetween(1, runs);
    }

    @Test
    void a_limit_far_away_is_decided_when_the_second_look_says_so_too() {
        SequentialTest looks = new SequentialTest(
                plan(150, 1),
                List.of(ServiceLevelObjective.parse("p90<50ms"), ServiceLevelObjective.parse("errors<1%")),
                false);
        RunResult run = run(150, 1);
        long endedAt = 0;
        for (Interval interval : run.intervals()) {
            if (looks.add(interval)) {
                endedAt = interval.endNanos();
                break;
            }
        }
        assertThat(endedAt / 1e9).isBetween(119.9, 121.5);
        assertThat(looks.evidence(run)
                        .judge(ServiceLevelObjective.parse("p90<50ms"))
                        .status())
                .isEqualTo(JudgedObjective.Status.MET);
    }

    /** As calm as can be for 70 s, then twice as slow. */
    @Test
    void two_looks_that_do_not_say_the_same_decide_nothing() {
        RunResult run = VirtualService.run(
                plan(150, 3), 500, 1, index -> index < 70 * 200 ? 2_000_000 + index % 7 * 10_000 : 6_000_000);
        SequentialTest looks = new SequentialTest(plan(150, 3), List.of(ServiceLevelObjective.parse("p50<3ms")), false);
        assertThat(run.intervals().stream().filter(looks::add)).isEmpty();
    }

    @Test
    void a_budget_shorter_than_the_first_look_gets_its_own_look() {
        RunResult run = run(30, 1);
        SequentialTest looks = new SequentialTest(plan(30, 1), List.of(ServiceLevelObjective.parse("p90<50ms")), false);
        assertThat(run.intervals().stream().filter(looks::add)).isEmpty();
        assertThat(looks.evidence(run)
                        .judge(ServiceLevelObjective.parse("p90<50ms"))
                        .status())
                .isEqualTo(JudgedObjective.Status.MET);
    }
}
