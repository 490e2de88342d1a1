package dev.downbeat.verdict;

import static dev.downbeat.verdict.ComparedRuns.RATE;
import static dev.downbeat.verdict.ComparedRuns.run;
import static dev.downbeat.verdict.ComparedRuns.side;
import static dev.downbeat.verdict.ComparedRuns.stalling;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.CorrectedRecorder;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.Answer;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparisonTest {

    @Test
    void a_slower_system_is_called_slower_and_a_regression() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("b", 1.3, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.SLOWER);
        assertThat(comparison.rows().get(0).answer()).isEqualTo(Answer.SLOWER);
        assertThat(comparison.effect()).isPositive();
        assertThat(comparison.doubts()).isEmpty();
        assertThat(comparison.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.MISSED);
        assertThat(comparison.exitCode(OptionalDouble.of(0.05), false)).isEqualTo(ExitCode.MISSED);
        assertThat(comparison.exitCode(OptionalDouble.of(2), false)).isEqualTo(ExitCode.MET);
    }

    @Test
    void a_faster_system_is_no_regression() {
        Comparison comparison = Comparison.of(side("a", 1.3, 0), side("b", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.FASTER);
        assertThat(comparison.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.MET);
    }

    @Test
    void what_cannot_be_told_fails_only_if_somebody_asked_for_a_decision() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("b", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.CANNOT_TELL);
        assertThat(comparison.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.MET);
        assertThat(comparison.exitCode(OptionalDouble.of(0.001), false)).isEqualTo(ExitCode.UNSOUND);
        assertThat(comparison.exitCode(OptionalDouble.of(1), false)).isEqualTo(ExitCode.MET);
    }

    @Test
    void a_fast_system_that_fails_more_is_not_faster() {
        Comparison comparison = Comparison.of(side("a", 1.3, 0), side("b", 1, 0.1));
        assertThat(comparison.rows().get(0).answer()).isEqualTo(Answer.FASTER);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.FAILS_MORE);
        assertThat(comparison.exitCode(OptionalDouble.of(1), false)).isEqualTo(ExitCode.MISSED);
    }

    @Test
    void a_request_that_is_slower_is_found_by_its_name_though_the_whole_is_faster() {
        Comparison comparison = Comparison.of(
                named("a", run("list", 1.3, 0, 1), run("pay", 1, 0, 2)),
                named("b", run("list", 1, 0, 3), run("pay", 1.3, 0, 4)));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.FASTER);
        ComparedNames all = ComparedNames.of(comparison);
        assertThat(all.worse(0).keySet()).containsExactly("pay");
        assertThat(all.worse(2)).isEmpty();
        assertThat(ComparedNames.of(comparison, Set.of("list", "gone")).worse(0))
                .isEmpty();
        assertThat(ComparedNames.of(comparison, Set.of("pay")).worse(0.05).keySet())
                .containsExactly("pay");
    }

    @Test
    void a_name_that_one_side_lacks_is_told() {
        ComparedNames names = ComparedNames.of(Comparison.of(
                named("a", run("list", 1, 0, 1), run("pay", 1, 0, 2)),
                named("b", run("list", 1, 0, 3), run("checkout", 1, 0, 4))));
        assertThat(names.byName()).containsOnlyKeys("list");
        assertThat(names.onlyBase()).containsExactly("pay");
        assertThat(names.onlyOther()).containsExactly("checkout");
    }

    @Test
    void of_many_names_of_identical_systems_hardly_ever_one_is_worse() {
        int pairs = Replications.areWhole() ? 400 : 3; // of ten names each: seconds
        int apart = 0;
        for (int pair = 0; pair < pairs; pair++) {
            apart += ComparedNames.of(Comparison.of(tenNames("a", 2L * pair), tenNames("b", 2L * pair + 1)))
                            .worse(0)
                            .isEmpty()
                    ? 0
                    : 1;
        }
        assertThat((double) apart).isLessThanOrEqualTo(pairs * 0.01 + 3 * Math.sqrt(pairs * 0.01));
    }

    /** Without incidents a name has the answers of its own; a stall that all meet is one event, not one for each name. */
    @Test
    void a_stall_makes_no_name_worse() {
        ComparedSide calm = new ComparedSide("a", List.of(twice(stalling("a", 1))));
        ComparedSide stalled = new ComparedSide("b", List.of(twice(stalling("b", 2, 20))));
        Comparison comparison = Comparison.of(calm, stalled);
        assertThat(comparison.isRegression(0)).isFalse();
        assertThat(ComparedNames.of(comparison).worse(0)).isEmpty();
    }

    /** All requests of a run under two names. */
    private static ComparedRun twice(ComparedRun run) {
        return new ComparedRun(
                run.name(),
                twice(run.stretches()),
                run.workload(),
                run.ratePerSecond(),
                List.of(),
                run.calm().map(calm -> new ComparedRun.Calm(calm.incidents(), twice(calm.stretches()))));
    }

    private static List<Recording> twice(List<Recording> stretches) {
        return stretches.stream()
                .map(each -> each.withNames(Map.of("list", each, "pay", each)))
                .toList();
    }

    private static ComparedSide tenNames(String name, long seed) {
        Map<String, ComparedRun> runs = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            runs.put("request " + i, run("request " + i, 1, 0.01, 10 * seed + i));
        }
        List<Recording> stretches = IntStream.range(0, 30)
                .mapToObj(second -> {
                    Map<String, Recording> names = new TreeMap<>();
                    runs.forEach((each, run) -> names.put(each, run.stretches().get(second)));
                    return names.values().stream()
                            .reduce(Recording.empty(), Recording::plus)
                            .withNames(names);
                })
                .toList();
        return new ComparedSide(
                name, List.of(new ComparedRun(name, stretches, "open", OptionalDouble.of(RATE), List.of())));
    }

    /** A side with requests of two names; what is said of the whole is of the first alone. */
    private static ComparedSide named(String name, ComparedRun most, ComparedRun few) {
        List<Recording> stretches = IntStream.range(0, most.stretches().size())
                .mapToObj(second -> most.stretches()
                        .get(second)
                        .withNames(Map.of(
                                most.name(), most.stretches().get(second),
                                few.name(), few.stretches().get(second))))
                .toList();
        return new ComparedSide(
                name, List.of(new ComparedRun(name, stretches, most.workload(), most.ratePerSecond(), List.of())));
    }

    @Test
    void another_load_or_workload_is_not_comparable() {
        ComparedRun half = run("half", 1, 0, 7);
        ComparedRun asked = new ComparedRun("half", half.stretches(), "open", OptionalDouble.of(100), List.of());
        Comparison rate = Comparison.of(side("a", 1, 0), new ComparedSide("half", List.of(asked)));
        assertThat(rate.doubts()).extracting(Incomparable::code).containsExactly("different_load");
        assertThat(rate.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.UNSOUND);
        assertThat(rate.exitCode(OptionalDouble.empty(), true)).isNotEqualTo(ExitCode.UNSOUND);
        ComparedRun waits = new ComparedRun("c", half.stretches(), "closed", OptionalDouble.empty(), List.of());
        Comparison kind = Comparison.of(side("a", 1, 0), new ComparedSide("c", List.of(waits)));
        assertThat(kind.doubts()).extracting(Incomparable::code).containsExactly("different_workload");
    }

    @Test
    void one_short_run_is_too_short_and_several_are_not() {
        ComparedRun cut = cut(run("short", 1.5, 0, 3), 5);
        Comparison one = Comparison.of(side("a", 1, 0), new ComparedSide("short", List.of(cut)));
        assertThat(one.doubts()).extracting(Incomparable::code).containsExactly("too_short");
        assertThat(one.rows()).allSatisfy(row -> {
            assertThat(row.answer()).isEqualTo(Answer.NOT_JUDGED);
            assertThat(row.lowChange()).isEmpty();
        });
        List<ComparedRun> base = new ArrayList<>();
        List<ComparedRun> other = new ArrayList<>();
        for (int seed = 0; seed < 5; seed++) {
            base.add(cut(run("a", 1, 0, seed), 3));
            other.add(cut(run("b", 1.5, 0, 100 + seed), 3));
        }
        Comparison several = Comparison.of(new ComparedSide("a", base), new ComparedSide("b", other));
        assertThat(several.doubts()).isEmpty();
        assertThat(several.outcome()).isEqualTo(Comparison.Outcome.SLOWER);
    }

    @Test
    void a_lower_bound_does_not_make_a_system_faster() {
        List<Recording> stretches = new ArrayList<>();
        for (Recording second : run("b", 0.5, 0, 5).stretches()) {
            stretches.add(second.plus(timedOut(10)));
        }
        ComparedRun censored = new ComparedRun("b", stretches, "open", OptionalDouble.empty(), List.of());
        Comparison comparison = Comparison.of(side("a", 1, 0), new ComparedSide("b", List.of(censored)));
        ComparedRow p99 = comparison.rows().get(3);
        assertThat(p99.percentile()).isEqualTo(99);
        assertThat(p99.otherIsLowerBound()).isTrue();
        assertThat(p99.highChange()).isEmpty();
        assertThat(p99.answer()).isEqualTo(Answer.CANNOT_TELL);
        assertThat(comparison.rows().get(0).answer()).isEqualTo(Answer.FASTER);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.FAILS_MORE);
    }

    @Test
    void an_unsound_run_is_not_comparable() {
        ComparedRun run = run("b", 1, 0, 5);
        ComparedRun unsound = new ComparedRun(
                "b", run.stretches(), "open", run.ratePerSecond(), List.of(ComparedRun.unsound("b", "generator_late")));
        Comparison comparison = Comparison.of(side("a", 1, 0), new ComparedSide("b", List.of(unsound)));
        assertThat(comparison.doubts().get(0).text())
                .isEqualTo("the measurement of b is unsound (generator late): a difference may be our own delay");
    }

    @Test
    void a_run_against_its_copy_is_the_same_and_no_regression() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("a", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Outcome.SAME);
        assertThat(comparison.rows()).extracting(ComparedRow::answer).containsOnly(Answer.SAME);
        assertThat(comparison.exitCode(OptionalDouble.of(0.01), false)).isEqualTo(ExitCode.MET);
    }

    @Test
    void what_is_called_the_same_within_a_part_has_its_interval_inside() {
        ComparedRow wide = row(-0.05, 0.323, -0.04, 0.02);
        assertThat(wide.answer()).isEqualTo(Answer.CANNOT_TELL);
        ComparedRow narrow = row(-0.05, 0.04, -0.04, 0.02);
        assertThat(narrow.answer()).isEqualTo(Answer.SAME);
        assertThat(wide.isOpenTogether()).isFalse();
        assertThat(row(30_000_000, -0.6, -0.22).isOpenTogether()).isTrue();
        assertThat(row(50_400_000, 0.001, 0.3).isOpenTogether())
                .as("less than 1 % is called no difference, whatever stands beside it")
                .isFalse();
        assertThat(narrow.sameWithin().orElseThrow()).isCloseTo(1 / 0.95 - 1, within(1e-9));
    }

    @Test
    void a_difference_of_a_thousandth_is_none_however_sure() {
        Comparison slight = Comparison.of(calm("a", 50_000_000), calm("b", 50_080_000));
        assertThat(slight.outcome()).isEqualTo(Comparison.Outcome.SAME);
        assertThat(slight.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.MET);
        assertThat(slight.exitCode(OptionalDouble.of(0.01), false)).isEqualTo(ExitCode.MET);
        Comparison clear = Comparison.of(calm("a", 50_000_000), calm("b", 51_000_000));
        assertThat(clear.outcome()).isEqualTo(Comparison.Outcome.SLOWER);
        assertThat(clear.exitCode(OptionalDouble.empty(), false)).isEqualTo(ExitCode.MISSED);
    }

    /** 30 s in which response times scatter by a thousandth. */
    private static ComparedSide calm(String name, long nanos) {
        SplittableRandom random = new SplittableRandom(nanos);
        List<Recording> seconds = new ArrayList<>();
        for (int second = 0; second < 30; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(RATE);
            for (int i = 0; i < RATE; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = nanos + random.nextLong(nanos / 1_000);
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            seconds.add(recorder.drain());
        }
        return new ComparedSide(
                name, List.of(new ComparedRun(name, seconds, "open", OptionalDouble.of(RATE), List.of())));
    }

    private static ComparedRow row(long otherNanos, double low, double high) {
        return row(otherNanos, low, high, low, high);
    }

    private static ComparedRow row(double low, double high, double atLeast, double atMost) {
        return row(50_000_000, low, high, atLeast, atMost);
    }

    private static ComparedRow row(long otherNanos, double low, double high, double atLeast, double atMost) {
        return new ComparedRow(
                50,
                50_000_000,
                false,
                otherNanos,
                false,
                OptionalDouble.of(low),
                OptionalDouble.of(high),
                OptionalDouble.of(atLeast),
                OptionalDouble.of(atMost),
                Answer.CANNOT_TELL);
    }

    @Test
    void only_the_percentiles_that_are_asked_for_decide() {
        ComparedSide base = side("a", 1, 0);
        ComparedSide other = side("b", 1, 0);
        Comparison median = Comparison.of(base, other, List.of(50.0));
        assertThat(median.rows()).extracting(ComparedRow::percentile).containsExactly(50.0);
        assertThat(median.exitCode(OptionalDouble.of(0.1), false)).isEqualTo(ExitCode.MET);
        Comparison far = Comparison.of(base, other, List.of(50.0, 99.99));
        assertThat(far.rows().get(1).answer()).isEqualTo(Answer.NOT_JUDGED);
        assertThat(far.exitCode(OptionalDouble.of(0.1), false)).isEqualTo(ExitCode.UNSOUND);
        assertThat(far.neededSeconds(0.1)).isEmpty();
        assertThat(median.neededSeconds(0.001).orElseThrow()).isGreaterThan(1_000);
    }

    private static ComparedRun cut(ComparedRun run, int stretches) {
        return new ComparedRun(
                run.name(), run.stretches().subList(0, stretches), run.workload(), run.ratePerSecond(), List.of());
    }

    private static Recording timedOut(int count) {
        return new RunFixture().timedOut(count, 5 * RunFixture.MS / 2).result().recording();
    }
}
