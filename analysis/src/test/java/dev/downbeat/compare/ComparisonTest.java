package dev.downbeat.compare;

import static dev.downbeat.compare.ComparedRuns.RATE;
import static dev.downbeat.compare.ComparedRuns.run;
import static dev.downbeat.compare.ComparedRuns.side;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.testing.Simulated;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RunFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparisonTest {

    @Test
    void a_slower_system_is_called_slower_and_a_regression() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("b", 1.3, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(comparison.rows().get(0).answer()).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(comparison.effect()).isPositive();
        assertThat(comparison.doubts()).isEmpty();
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.05), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(2), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void a_faster_system_is_no_regression() {
        Comparison comparison = Comparison.of(side("a", 1.3, 0), side("b", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.FASTER);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void an_undecidable_comparison_fails_only_a_strict_gate() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("b", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.CANNOT_TELL);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.001), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.001), false, true))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(1), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
    }

    /** A gate that is red by chance is turned off; one that is asked for what cannot be compared must be mended. */
    @Test
    void an_accidental_incomparability_fails_only_a_strict_gate_or_one_without_tolerance() {
        ComparedRun run = run("other", 1, 0, 7);
        for (Incomparable.Kind kind : Incomparable.Kind.values()) {
            ComparedRun doubted = new ComparedRun(
                    "other", run.stretches(), "open", OptionalDouble.empty(), List.of(new Incomparable(kind, "why")));
            Comparison comparison = Comparison.of(side("a", 1, 0), new ComparedSide("other", List.of(doubted)));
            assertThat(comparison.doubts().isEmpty()).as("%s", kind).isEqualTo(kind.isWeighedByRow());
            if (kind.isWeighedByRow()) {
                continue;
            }
            boolean isByChance = kind == Incomparable.Kind.UNSTEADY
                    || kind == Incomparable.Kind.UNSOUND
                    || kind == Incomparable.Kind.DIFFERENT_HOST;
            assertThat(Gate.of(comparison, Gate.Question.within(0.05)).exitCode())
                    .as("%s", kind)
                    .isEqualTo(isByChance ? ExitCode.MET : ExitCode.UNSOUND);
            assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.05), false, true))
                            .exitCode())
                    .isEqualTo(ExitCode.UNSOUND);
            assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.empty(), false, false))
                            .exitCode())
                    .isEqualTo(ExitCode.UNSOUND);
        }
    }

    @Test
    void a_fast_system_that_fails_more_is_not_faster() {
        Comparison comparison = Comparison.of(side("a", 1.3, 0), side("b", 1, 0.1));
        assertThat(comparison.rows().get(0).answer()).isEqualTo(ChangeAnswer.FASTER);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.FAILS_MORE);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(1), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
    }

    @Test
    void another_load_or_workload_is_not_comparable() {
        ComparedRun half = run("half", 1, 0, 7);
        ComparedRun asked = new ComparedRun("half", half.stretches(), "open", OptionalDouble.of(100), List.of());
        Comparison rate = Comparison.of(side("a", 1, 0), new ComparedSide("half", List.of(asked)));
        assertThat(rate.doubts()).extracting(Incomparable::code).containsExactly("different_load");
        assertThat(Gate.of(rate, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        assertThat(Gate.of(rate, new Gate.Question(OptionalDouble.empty(), true, false))
                        .exitCode())
                .isNotEqualTo(ExitCode.UNSOUND);
        ComparedRun waits = new ComparedRun("c", half.stretches(), "closed", OptionalDouble.empty(), List.of());
        Comparison kind = Comparison.of(side("a", 1, 0), new ComparedSide("c", List.of(waits)));
        assertThat(kind.doubts()).extracting(Incomparable::code).containsExactly("different_workload");
    }

    @Test
    void one_short_run_is_too_short_and_several_are_not() {
        ComparedRun cut = cut(run("short", 1.5, 0, 3), 5);
        Comparison one = Comparison.of(side("a", 1, 0), new ComparedSide("short", List.of(cut)));
        assertThat(one.doubts()).extracting(Incomparable::code).containsExactly("too_short");
        assertThat(one.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.answer()).isEqualTo(ChangeAnswer.NOT_JUDGED);
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
        assertThat(several.outcome()).isEqualTo(Comparison.Difference.SLOWER);
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
        assertThat(p99.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(comparison.rows().get(0).answer()).isEqualTo(ChangeAnswer.FASTER);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.FAILS_MORE);
    }

    /** The odd run is read late; it makes up the tail of all requests together, but is one run of five. */
    @Test
    void what_may_be_the_delay_of_Downbeat_is_a_part_of_the_value_of_several_runs() {
        List<ComparedRun> before = new ArrayList<>();
        List<ComparedRun> after = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            before.add(run("a", 1, 0, i));
            after.add(ComparedRuns.readLate(i == 4 ? 100_000_000 : 0, "b", 2, 0, 10 + i));
        }
        ComparedSide base = new ComparedSide("a", before);
        ComparedRow row = ComparedRow.of(base, new ComparedSide("b", after), List.of(90.0), 1)
                .get(0);
        long ownNanos = row.otherNanos() - row.foreign().otherNanos();
        assertThat((double) ownNanos / row.baseNanos()).isCloseTo(2, within(0.2));
        assertThat(row.lowChange()).isPresent();
        ComparedRow back = ComparedRow.of(new ComparedSide("b", after), base, List.of(90.0), 1)
                .get(0);
        assertThat(back.foreign().baseNanos()).isEqualTo(row.foreign().otherNanos());
        assertThat(back.highChange()).isPresent();
    }

    @Test
    void an_unsound_run_is_not_comparable() {
        ComparedRun run = run("b", 1, 0, 5);
        ComparedRun unsound = new ComparedRun(
                "b",
                run.stretches(),
                "open",
                run.ratePerSecond(),
                List.of(ComparedRun.unsound("b", List.of("generator_late"))));
        Comparison comparison = Comparison.of(side("a", 1, 0), new ComparedSide("b", List.of(unsound)));
        assertThat(comparison.doubts().get(0).text())
                .isEqualTo("the measurement of b is unsound (generator late): its times may be Downbeat's own delay");
        assertThat(ComparedRun.unsound("b", List.of("nothing_answered")).text())
                .isEqualTo("no request of b was answered: it has no response times");
    }

    @Test
    void a_run_against_its_copy_is_the_same_and_no_regression() {
        Comparison comparison = Comparison.of(side("a", 1, 0), side("a", 1, 0));
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SAME);
        assertThat(comparison.rows()).extracting(ComparedRow::answer).containsOnly(ChangeAnswer.SAME);
        assertThat(Gate.of(comparison, new Gate.Question(OptionalDouble.of(0.01), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
    }

    @Test
    void the_same_means_an_interval_inside_the_margin() {
        ComparedRow wide = row(-0.05, 0.323, -0.04, 0.02);
        assertThat(wide.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
        ComparedRow narrow = row(-0.05, 0.04, -0.04, 0.02);
        assertThat(narrow.answer()).isEqualTo(ChangeAnswer.SAME);
        assertThat(wide.isSignificantAlone()).isFalse();
        assertThat(row(30_000_000, -0.6, -0.22).isSignificantAlone()).isTrue();
        assertThat(row(50_400_000, 0.001, 0.3).isSignificantAlone())
                .as("less than 1 % is called no difference, whatever stands beside it")
                .isFalse();
        assertThat(narrow.sameWithin().orElseThrow()).isCloseTo(1 / 0.95 - 1, within(1e-9));
    }

    @Test
    void a_difference_of_a_thousandth_is_ignored_even_if_significant() {
        Comparison slight = Comparison.of(calm("a", 50_000_000), calm("b", 50_080_000));
        assertThat(slight.outcome()).isEqualTo(Comparison.Difference.SAME);
        assertThat(Gate.of(slight, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(Gate.of(slight, new Gate.Question(OptionalDouble.of(0.01), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        Comparison clear = Comparison.of(calm("a", 50_000_000), calm("b", 65_000_000));
        assertThat(clear.outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(Gate.of(clear, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
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
                ForeignPart.NONE,
                ChangeAnswer.CANNOT_TELL);
    }

    @Test
    void only_the_percentiles_that_are_asked_for_decide() {
        ComparedSide base = side("a", 1, 0);
        ComparedSide other = side("b", 1, 0);
        Comparison median = Comparison.of(base, other, List.of(50.0));
        assertThat(median.rows()).extracting(ComparedRow::percentile).containsExactly(50.0);
        assertThat(Gate.of(median, new Gate.Question(OptionalDouble.of(0.1), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        Comparison far = Comparison.of(base, other, List.of(50.0, 99.99));
        assertThat(far.rows().get(1).answer()).isEqualTo(ChangeAnswer.NOT_JUDGED);
        assertThat(Gate.of(far, new Gate.Question(OptionalDouble.of(0.1), false, true))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        assertThat(Gate.of(far, Gate.Question.within(0.1)).hiding())
                .as("of p99.99 nothing is known")
                .isEmpty();
        assertThat(far.neededSeconds(0.1)).isEmpty();
        assertThat(median.neededSeconds(0.2)).isPresent();
    }

    /** Single runs may differ by 3 % each, which is 7 % of two for 95 %, and 11 % for four of five to pass. */
    @ParameterizedTest(name = "{0} s, {1}")
    @CsvSource({"20, 0.05", "60, 0.05", "120, 0.05", "60, 0.1"})
    void no_length_of_single_runs_decides_a_tolerance_that_runs_differ_by(int seconds, double tolerance) {
        Comparison comparison = Comparison.of(even("a", seconds), even("b", seconds), List.of(50.0));
        assertThat(comparison.neededSeconds(tolerance)).isEmpty();
        assertThat(comparison.needsMoreRuns(tolerance)).isTrue();
        assertThat(comparison.neededSeconds(0.15)).isPresent();
        assertThat(comparison.needsMoreRuns(0.15)).isFalse();
    }

    /** The same seconds again and again. */
    private static ComparedSide even(String name, int seconds) {
        List<Recording> all = new ArrayList<>();
        while (all.size() < seconds) {
            all.addAll(run(name, 1, 0, name.hashCode()).stretches());
        }
        return new ComparedSide(
                name,
                List.of(new ComparedRun(name, all.subList(0, seconds), "open", OptionalDouble.of(RATE), List.of())));
    }

    /** It is looked at after 5, 10 and 20 turns, and would pass at the first look that excludes more. */
    @Test
    void a_system_exactly_at_the_tolerance_rarely_passes_at_any_of_several_looks() {
        int passed = 0;
        int failed = 0;
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ComparedSide base = turns("a", 1, random);
            ComparedSide other = turns("b", 1.3, random);
            boolean passes = false;
            boolean fails = false;
            for (int turns = 5; turns <= 20; turns *= 2) {
                List<Integer> first = IntStream.range(0, turns).boxed().toList();
                Comparison look = Comparison.ofTurns(List.of(base.only(first), other.only(first)), List.of(50.0), 3)
                        .get(0);
                passes = passes || look.isNoRegression(0.3);
                fails = fails || look.isRegression(0.3);
            }
            passed += passes ? 1 : 0;
            failed += fails ? 1 : 0;
        }
        assertThat(passed).isLessThanOrEqualTo(10);
        assertThat(failed).isLessThanOrEqualTo(5);
    }

    /** Twenty turns of forty requests, whose levels differ by 10 %. */
    private static ComparedSide turns(String name, double factor, SplittableRandom random) {
        List<ComparedRun> runs = new ArrayList<>();
        for (int turn = 0; turn < 20; turn++) {
            double level = 1e6 * factor * Math.exp(0.1 * random.nextGaussian());
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(40);
            for (int i = 0; i < 40; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) (level * (1 + 0.1 * random.nextDouble()));
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            runs.add(new ComparedRun(name, List.of(recorder.drain()), "open", OptionalDouble.of(40), List.of()));
        }
        return new ComparedSide(name, runs);
    }

    private static ComparedRun cut(ComparedRun run, int stretches) {
        return new ComparedRun(
                run.name(), run.stretches().subList(0, stretches), run.workload(), run.ratePerSecond(), List.of());
    }

    private static Recording timedOut(int count) {
        return new RunFixture().timedOut(count, 5 * RunFixture.MS / 2).result().recording();
    }
}
