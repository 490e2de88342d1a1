package dev.downbeat.compare;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.ComparedRun.RequestedLoad;
import dev.downbeat.compare.Comparison.ComparedIncidents;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be set beside each other, and what is made of the answers: by rows that are given. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparabilityTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    private static Recording second(int answered, int failed) {
        return new RunFixture()
                .answered(answered, 2 * MS)
                .failed(failed, "HTTP 500", MS)
                .result()
                .recording();
    }

    private static ComparedRun run(String name, String workload, OptionalDouble rate, int seconds) {
        return new ComparedRun(name, Collections.nCopies(seconds, second(100, 0)), workload, rate, List.of());
    }

    private static ComparedSide side(ComparedRun... runs) {
        return new ComparedSide(runs[0].name(), List.of(runs));
    }

    private static List<String> codes(List<Incomparable> doubts) {
        return doubts.stream().map(Incomparable::code).toList();
    }

    /** Of 2,000 requests each: 5 %, and four standard deviations of 3.2 % each. */
    @ParameterizedTest(name = "{0} and {1} a second: {2}")
    @CsvSource({"100, 117.6, true", "100, 123, false", "117.6, 100, true", "123, 100, false", "100, 100, true"})
    void rates_may_differ_by_a_twentieth_and_by_chance(double one, double two, boolean same) {
        ComparedSide base = side(run("a", "open", OptionalDouble.of(one), 20));
        ComparedSide other = side(run("b", "open", OptionalDouble.of(two), 20));
        // 0.05 + 4 * sqrt(2 / 2,000) = 0.1765
        assertThat(codes(Comparability.doubts(base, other))).isEqualTo(same ? List.of() : List.of("different_load"));
    }

    @Test
    void another_load_is_reported_with_both_rates_and_an_unknown_one_is_not() {
        ComparedSide base = side(run("a", "open", OptionalDouble.of(100), 20));
        ComparedSide other = side(run("b", "", OptionalDouble.of(1_234), 20));
        assertThat(Comparability.differences(base, other))
                .singleElement()
                .extracting(Incomparable::text)
                .isEqualTo("the loads differ: a planned 100/s, b 1,234/s. Measure both at the same rate");
        assertThat(Comparability.differences(base, side(run("b", "open", NONE, 20))))
                .isEmpty();
        assertThat(Comparability.differences(side(run("b", "open", NONE, 20)), base))
                .isEmpty();
    }

    @Test
    void workloads_of_two_kinds_are_named_both() {
        ComparedSide base = side(run("a", "open", NONE, 20));
        assertThat(Comparability.doubts(base, side(run("b", "closed", NONE, 20))))
                .singleElement()
                .extracting(Incomparable::text)
                .asString()
                .startsWith("the workloads are of different kinds (closed, open): ");
        assertThat(Comparability.doubts(base, side(run("b", "", NONE, 20)))).isEmpty();
    }

    @Test
    void loads_of_one_kind_that_ask_for_other_things_are_not_compared() {
        Rate rate = Rate.perSecond(100);
        ThinkTime think = new ThinkTime.Constant(20 * MS);
        assertThat(differences(new Workload.Closed(4, ThinkTime.none()), new Workload.Closed(8, think)))
                .containsExactly(
                        "the loads of b and a differ (think 20000us, not none, virtual users 8, not 4). Measure both with"
                                + " the same load");
        assertThat(differences(new Workload.Open(new Poisson(rate, 1)), new Workload.Open(new Constant(rate))))
                .singleElement()
                .asString()
                .contains("(arrivals even, not random)");
        assertThat(differences(
                        new Workload.PartlyOpen(new Poisson(rate, 1), 3, think),
                        new Workload.PartlyOpen(new Poisson(rate, 2), 5, think)))
                .singleElement()
                .asString()
                .contains("(session requests 5, not 3)");
        assertThat(differences(new Workload.Open(new Poisson(rate, 1)), new Workload.Open(new Poisson(rate, 2))))
                .isEmpty();
        assertThat(differences(new Workload.External("open", "4 users", 0), new Workload.Open(new Constant(rate))))
                .as("what a file does not know differs from nothing")
                .isEmpty();
    }

    private static List<String> differences(Workload one, Workload two) {
        return Comparability.doubts(
                        side(run("a", one.kind(), NONE, 20).withRequestedLoad(RequestedLoad.of(one))),
                        side(run("b", two.kind(), NONE, 20).withRequestedLoad(RequestedLoad.of(two))))
                .stream()
                .map(Incomparable::text)
                .toList();
    }

    @Test
    void one_run_needs_ten_seconds_and_several_need_none() {
        ComparedSide longEnough = side(run("a", "open", NONE, 10));
        ComparedRun few = run("b", "open", NONE, 9);
        assertThat(Comparability.doubts(longEnough, side(run("b", "open", NONE, 10))))
                .isEmpty();
        assertThat(Comparability.doubts(longEnough, side(few)))
                .singleElement()
                .extracting(Incomparable::text)
                .isEqualTo("b is too short for intervals: 9 s of at least 10; measure longer, or use several runs");
        assertThat(Comparability.doubts(longEnough, side(few, few))).isEmpty();
    }

    @Test
    void five_turns_are_enough_and_four_are_not() {
        ComparedRun turn = run("a", "open", NONE, 1);
        ComparedSide five = new ComparedSide("a", Collections.nCopies(5, turn));
        assertThat(Comparability.doubtsOfTurns(five, five)).isEmpty();
        ComparedSide four = new ComparedSide("a", Collections.nCopies(4, turn));
        assertThat(Comparability.doubtsOfTurns(four, four))
                .singleElement()
                .extracting(Incomparable::text)
                .asString()
                .startsWith("only 4 turns were measured: at least 5 are needed");
    }

    @Test
    void runs_of_unlike_rates_do_not_make_up_for_each_other() {
        ComparedRun slow = run("slow", "open", OptionalDouble.of(100), 20);
        ComparedRun fast = run("fast", "open", OptionalDouble.of(300), 20);
        ComparedRun mean = run("mean", "open", OptionalDouble.of(200), 20);
        ComparedRun foreign = run("foreign", "open", NONE, 20);
        Incomparable doubt = new Incomparable(
                Incomparable.Kind.DIFFERENT_LOAD,
                "the loads differ: slow planned 100/s, fast 300/s. Measure both at the same rate");
        assertThat(Comparability.doubts(side(slow, fast), side(mean, mean))).containsExactly(doubt);
        assertThat(Comparability.doubts(side(foreign, slow), side(fast, foreign)))
                .as("an unknown rate does not hide the known ones")
                .containsExactly(doubt);
        assertThat(Comparability.doubts(side(slow, slow), side(slow, foreign))).isEmpty();
    }

    @Test
    void a_side_without_answers_is_named_and_a_doubt_is_reported_once() {
        Recording refused = second(0, 9);
        ComparedRun none = new ComparedRun("b", Collections.nCopies(10, refused), "open", NONE, List.of());
        assertThat(Comparability.doubts(side(run("a", "open", NONE, 10)), side(none)))
                .singleElement()
                .isEqualTo(new Incomparable(
                        Incomparable.Kind.NOTHING_ANSWERED, "no request of b was answered: it has no response times"));
        Incomparable doubt = ComparedRun.unsound("x", List.of());
        ComparedRun doubted =
                new ComparedRun("a", run("a", "open", NONE, 10).stretches(), "open", NONE, List.of(doubt));
        assertThat(Comparability.doubts(side(doubted, doubted), side(doubted))).containsExactly(doubt);
        assertThat(doubt.text()).isEqualTo("the measurement of x is unsound: its times may be Downbeat's own delay");
    }

    @Test
    void a_service_that_could_not_be_reached_fails_more_than_one_that_answers() {
        ComparedRun refused = compared(refusing(20).result());
        assertThat(codes(refused.doubts())).containsExactly("nothing_answered");
        ComparedSide answers = side(compared(seconds(20).result()));
        Comparison comparison = Comparison.of(answers, side(refused));
        assertThat(comparison.doubts()).isEmpty();
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.FAILS_MORE);
        assertThat(Gate.of(comparison, Gate.Question.within(0.05)).exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(Gate.of(Comparison.of(side(refused), side(refused)), Gate.Question.within(0.05))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        Comparison mended = Comparison.of(side(refused), answers);
        assertThat(codes(mended.doubts())).containsExactly("nothing_answered");
        assertThat(Gate.of(mended, Gate.Question.within(0.05)).exitCode()).isEqualTo(ExitCode.UNSOUND);
    }

    private static RunFixture refusing(int seconds) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= seconds; i++) {
            run.unconnected(100, 1, "connection refused", MS).until(i * S);
        }
        return run;
    }

    @Test
    void planned_equals_answered_plus_failed_plus_unfinished() {
        Recording recording = new RunFixture()
                .answered(5, MS)
                .failed(3, "x", MS)
                .timedOut(2, S)
                .inFlight(1, S)
                .result()
                .recording();
        assertThat(ComparedRun.planned(recording)).isEqualTo(11);
        assertThat(ComparedRun.notAnswered(recording)).isEqualTo(6);
    }

    @Test
    void failures_are_counted_by_run_if_there_are_several_and_else_by_second() {
        ComparedRun run = new ComparedRun("a", List.of(second(90, 10), second(80, 20)), "open", NONE, List.of());
        assertThat(side(run).failures())
                .isEqualTo(new ShareChange.Side(
                        List.of(new ShareChange.BlockCounts(10, 100), new ShareChange.BlockCounts(20, 100)), true));
        assertThat(side(run, run).failures())
                .isEqualTo(new ShareChange.Side(
                        List.of(new ShareChange.BlockCounts(30, 200), new ShareChange.BlockCounts(30, 200)), false));
        assertThat(side(run, run).times())
                .hasSize(2)
                .allSatisfy(times -> assertThat(times).hasSize(2));
    }

    @Test
    void the_rate_of_a_side_is_the_mean_of_its_runs() {
        ComparedRun slow = run("a", "open", OptionalDouble.of(100), 1);
        ComparedRun fast = run("a", "open", OptionalDouble.of(300), 1);
        assertThat(side(slow, fast).ratePerSecond()).hasValue(200);
        assertThat(side(slow, run("a", "open", NONE, 1)).ratePerSecond()).isEmpty();
    }

    // ---- rows

    private static ComparedRow row(
            double percentile, long otherNanos, OptionalDouble low, OptionalDouble high, ChangeAnswer answer) {
        return new ComparedRow(
                percentile, 100 * MS, false, otherNanos, false, low, high, low, high, ForeignPart.NONE, answer);
    }

    private static ComparedRow told(double percentile, double low, double high, ChangeAnswer answer) {
        return row(percentile, 150 * MS, OptionalDouble.of(low), OptionalDouble.of(high), answer);
    }

    @Test
    void a_difference_below_one_per_cent_is_ignored() {
        OptionalDouble low = OptionalDouble.of(0.5);
        OptionalDouble high = OptionalDouble.of(0.6);
        assertThat(row(50, 101 * MS, low, high, ChangeAnswer.SLOWER).answer()).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(row(50, 101 * MS - 100_000, low, high, ChangeAnswer.SLOWER).answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(row(50, 99 * MS + 100_000, low, high, ChangeAnswer.FASTER).answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(row(50, 98 * MS, low, high, ChangeAnswer.FASTER).answer()).isEqualTo(ChangeAnswer.FASTER);
    }

    @ParameterizedTest(name = "{0} to {1}: {2}")
    @CsvSource({
        "-0.05, 0.1, SAME",
        "-0.05, 0.101, CANNOT_TELL",
        "-0.0909, 0.05, SAME",
        "-0.092, 0.05, CANNOT_TELL",
        "0.05, 0.08, SAME"
    })
    void a_change_certainly_within_a_tenth_is_the_same(double low, double high, ChangeAnswer answer) {
        assertThat(told(50, low, high, ChangeAnswer.CANNOT_TELL).answer()).isEqualTo(answer);
    }

    @Test
    void without_an_interval_nothing_is_judged_and_with_one_end_nothing_is_the_same() {
        OptionalDouble end = OptionalDouble.of(0.01);
        assertThat(row(50, 150 * MS, NONE, NONE, ChangeAnswer.CANNOT_TELL).answer())
                .isEqualTo(ChangeAnswer.NOT_JUDGED);
        assertThat(row(50, 150 * MS, end, NONE, ChangeAnswer.CANNOT_TELL).answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(row(50, 150 * MS, NONE, end, ChangeAnswer.CANNOT_TELL).answer())
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(row(50, 150 * MS, NONE, end, ChangeAnswer.CANNOT_TELL).sameWithin())
                .isEmpty();
        assertThat(row(50, 150 * MS, NONE, NONE, ChangeAnswer.SLOWER).answer()).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(told(50, 0.01, 0.02, ChangeAnswer.CANNOT_TELL).sameWithin().orElseThrow())
                .isEqualTo(0.02);
    }

    @Test
    void a_difference_significant_alone_may_be_undecided_together() {
        assertThat(told(50, 0.001, 0.5, ChangeAnswer.CANNOT_TELL).isSignificantAlone())
                .isTrue();
        assertThat(told(50, 0, 0.5, ChangeAnswer.CANNOT_TELL).isSignificantAlone())
                .isFalse();
        assertThat(told(50, -0.5, 0, ChangeAnswer.CANNOT_TELL).isSignificantAlone())
                .isFalse();
        assertThat(told(50, -0.5, -0.001, ChangeAnswer.CANNOT_TELL).isSignificantAlone())
                .isTrue();
        assertThat(told(50, 0.001, 0.5, ChangeAnswer.SLOWER).isSignificantAlone())
                .isFalse();
        assertThat(row(50, 150 * MS, OptionalDouble.of(0.1), NONE, ChangeAnswer.CANNOT_TELL)
                        .isSignificantAlone())
                .isTrue();
        assertThat(row(50, 150 * MS, NONE, OptionalDouble.of(0.1), ChangeAnswer.CANNOT_TELL)
                        .isSignificantAlone())
                .isFalse();
    }

    @Test
    void a_change_is_against_the_base() {
        assertThat(told(50, 0, 1, ChangeAnswer.SLOWER).change()).isEqualTo(0.5);
        ComparedRow ofNothing = new ComparedRow(
                50, 0, false, 3, false, NONE, NONE, NONE, NONE, ForeignPart.NONE, ChangeAnswer.NOT_JUDGED);
        assertThat(ofNothing.change()).isEqualTo(2);
    }

    /** The upper end is 1.645 standard errors up, and an answer with a power of 80 % needs the tolerance to be 2.487 up. */
    @Test
    void how_much_longer_to_measure_follows_from_the_upper_end() {
        ComparedRow row = new ComparedRow(
                50,
                100 * MS,
                false,
                100 * MS,
                false,
                NONE,
                NONE,
                NONE,
                OptionalDouble.of(0.2),
                ForeignPart.NONE,
                ChangeAnswer.NOT_JUDGED);
        double error = Math.log(1.2) / 1.645;
        double needed = Math.pow(error * 2.487 / Math.log(1.05), 2);
        assertThat(row.timesAsLong(0.05, 0).orElseThrow()).isCloseTo(needed, within(1e-9));
        assertThat(row.timesAsLong(10, 0)).hasValue(1);
        ComparedRow slower = new ComparedRow(
                50,
                100 * MS,
                false,
                110 * MS,
                false,
                NONE,
                NONE,
                NONE,
                OptionalDouble.of(0.2),
                ForeignPart.NONE,
                ChangeAnswer.NOT_JUDGED);
        double less = Math.pow((Math.log(1.2) - Math.log(1.1)) / 1.645 * 2.487 / Math.log(1.05), 2);
        assertThat(slower.timesAsLong(0.05, 0).orElseThrow()).isCloseTo(less, within(1e-9));
        assertThat(row(50, MS, NONE, NONE, ChangeAnswer.NOT_JUDGED).timesAsLong(0.05, 0))
                .isEmpty();
    }

    // ---- answers

    private static Comparison comparison(
            List<ComparedRow> rows, Optional<ComparedIncidents> incidents, boolean fails, List<Double> asked) {
        ComparedSide side = side(run("a", "open", NONE, 20));
        ShareChange failures = fails ? new ShareChange(0, 0.1, 0.01, 0.2) : new ShareChange(0, 0, -0.1, 0.1);
        return new Comparison(side, side, false, rows, incidents, false, failures, 0, asked, List.of());
    }

    private static Comparison comparison(ComparedRow... rows) {
        return comparison(List.of(rows), Optional.empty(), false, List.of());
    }

    private static Optional<ComparedIncidents> incidents(
            ChangeAnswer often, ChangeAnswer lasting, ComparedRow... rows) {
        ComparedIncidents.SideIncidents one = new ComparedIncidents.SideIncidents(List.of(S), 20);
        return Optional.of(new ComparedIncidents(one, one, often, lasting, List.of(rows)));
    }

    @Test
    void a_certain_slowdown_beyond_the_tolerance_is_a_regression() {
        Comparison slower = comparison(told(50, 0.2, 0.5, ChangeAnswer.SLOWER));
        assertThat(slower.isRegression(0.199)).isTrue();
        assertThat(slower.isRegression(0.2)).isFalse();
        assertThat(comparison(told(50, 0.2, 0.5, ChangeAnswer.CANNOT_TELL)).isRegression(0))
                .isFalse();
        assertThat(comparison(row(50, 150 * MS, NONE, NONE, ChangeAnswer.SLOWER))
                        .isRegression(0))
                .isFalse();
        assertThat(comparison(List.of(), Optional.empty(), true, List.of()).isRegression(9))
                .isTrue();
        assertThat(comparison(List.of(), incidents(ChangeAnswer.SLOWER, ChangeAnswer.SAME), false, List.of())
                        .isRegression(9))
                .isTrue();
        assertThat(comparison(List.of(), incidents(ChangeAnswer.SAME, ChangeAnswer.SLOWER), false, List.of())
                        .isRegression(9))
                .isTrue();
        assertThat(comparison(List.of(), incidents(ChangeAnswer.FASTER, ChangeAnswer.SAME), false, List.of())
                        .isRegression(9))
                .isFalse();
    }

    @Test
    void no_regression_is_sure_if_the_upper_end_of_what_decides_keeps_the_tolerance() {
        assertThat(comparison(told(50, -0.3, 0.1, ChangeAnswer.CANNOT_TELL)).isNoRegression(0.1))
                .isTrue();
        assertThat(comparison(told(50, -0.3, 0.1, ChangeAnswer.CANNOT_TELL)).isNoRegression(0.099))
                .isFalse();
        assertThat(comparison(
                                told(50, -0.3, 0.1, ChangeAnswer.CANNOT_TELL),
                                told(95, -0.3, 0.9, ChangeAnswer.CANNOT_TELL))
                        .isNoRegression(0.1))
                .as("p95 decides only where it is asked for")
                .isTrue();
        assertThat(comparison(
                                told(50, -0.3, 0.1, ChangeAnswer.CANNOT_TELL),
                                told(99, -0.3, 0.9, ChangeAnswer.CANNOT_TELL))
                        .isNoRegression(0.1))
                .isFalse();
        assertThat(comparison(told(95, -0.3, 0.1, ChangeAnswer.CANNOT_TELL)).isNoRegression(0.1))
                .isFalse();
        List<ComparedRow> p95 = List.of(told(95, -0.3, 0.1, ChangeAnswer.CANNOT_TELL));
        assertThat(comparison(p95, Optional.empty(), false, List.of(95.0)).isNoRegression(0.1))
                .isTrue();
        assertThat(comparison(p95, Optional.empty(), true, List.of(95.0)).isNoRegression(0.1))
                .isFalse();
        List<ComparedRow> open = List.of(row(95, MS, NONE, NONE, ChangeAnswer.NOT_JUDGED));
        assertThat(comparison(open, Optional.empty(), false, List.of(95.0)).isNoRegression(9))
                .isFalse();
    }

    @Test
    void the_worse_answer_decides_unless_stalls_are_ignored() {
        ComparedRow slower = told(50, 0.2, 0.5, ChangeAnswer.SLOWER);
        ComparedRow same = told(50, -0.01, 0.02, ChangeAnswer.SAME);
        Comparison comparison =
                comparison(List.of(slower), incidents(ChangeAnswer.SAME, ChangeAnswer.SAME, same), false, List.of());
        assertThat(comparison.deciding()).containsExactly(same);
        assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(comparison.isRegression(0)).isTrue();
        assertThat(comparison.ignoringStalls().outcome()).isEqualTo(Comparison.Difference.SAME);
        assertThat(comparison.ignoringStalls().isRegression(0)).isFalse();
        assertThat(comparison(List.of(slower), Optional.empty(), false, List.of())
                        .deciding())
                .containsExactly(slower);
    }

    @Test
    void the_seconds_that_are_needed_are_those_of_the_percentile_that_needs_most() {
        ComparedRow near = told(50, -0.3, 0.6, ChangeAnswer.CANNOT_TELL);
        ComparedRow far = told(90, -0.3, 0.9, ChangeAnswer.CANNOT_TELL);
        double times = far.timesAsLong(0.05, 0).orElseThrow();
        assertThat(times).isGreaterThan(near.timesAsLong(0.05, 0).orElseThrow());
        assertThat(comparison(near, far).neededSeconds(0.05).orElseThrow()).isCloseTo(20 * times, within(1e-6));
        assertThat(comparison(far, near).neededSeconds(0.05).orElseThrow()).isCloseTo(20 * times, within(1e-6));
        assertThat(comparison().neededSeconds(0.05)).isEmpty();
    }

    @Test
    void the_seconds_that_are_needed_count_turns_of_any_length() {
        Comparison comparison = Variants.of(
                        List.of(inTurns("a", 10, 20), inTurns("b", 10, 20)),
                        List.of(),
                        RequiredCertainty.PLAIN,
                        List.of(50.0))
                .againstFirst()
                .get(0);
        assertThat(comparison.isNoRegression(0.05)).isFalse();
        assertThat(comparison.neededSeconds(0.05).orElseThrow())
                .as("200 s a side did not suffice")
                .isGreaterThan(200);
    }

    private static Variants.MeasuredVariant inTurns(String name, int turns, int seconds) {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        List<RunResult> slices = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            RunFixture run = new RunFixture();
            double level = Math.exp(0.2 * random.nextGaussian());
            for (int second = 1; second <= seconds; second++) {
                for (int i = 0; i < 30; i++) {
                    run.answered(1, (long) (2 * MS * level * (1 + random.nextExponential())));
                }
                run.until(second * S);
            }
            slices.add(run.result());
        }
        return new Variants.MeasuredVariant(name, slices.get(0).plan(), slices);
    }

    @Test
    void a_run_of_a_few_long_intervals_is_not_called_short_in_seconds() {
        ComparedRun run =
                compared(new RunFixture().answered(6_000, 2 * MS).until(60 * S).result());
        assertThat(Comparability.doubts(side(run), side(compared(seconds(20).result()))))
                .extracting(Incomparable::text)
                .contains("a is too short for intervals: 1 interval of at least 10; measure longer, or use several"
                        + " runs");
    }

    @Test
    void a_doubtful_run_gives_no_answer_unless_accepted() {
        Comparison fine = comparison(told(50, -0.3, 0.1, ChangeAnswer.CANNOT_TELL));
        assertThat(Gate.of(fine, new Gate.Question(OptionalDouble.of(0.05), false, true))
                        .exitCode())
                .isEqualTo(ExitCode.UNSOUND);
        assertThat(Gate.of(fine, Gate.Question.within(0.05)).exitCode()).isEqualTo(ExitCode.MET);
        assertThat(Gate.of(fine, Gate.Question.within(0.05))
                        .hiding()
                        .orElseThrow()
                        .atMost())
                .hasValue(0.1);
        assertThat(Gate.of(fine, new Gate.Question(OptionalDouble.of(0.1), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(Gate.of(fine, new Gate.Question(NONE, false, false)).exitCode())
                .isEqualTo(ExitCode.MET);
        assertThat(Gate.of(
                                comparison(told(50, 0.2, 0.5, ChangeAnswer.SLOWER)),
                                new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
    }

    @Test
    void from_three_runs_of_a_side_it_is_known_how_they_differ() {
        ComparedRun run = run("a", "open", NONE, 1);
        assertThat(between(side(run, run), side(run, run), false)).isTrue();
        assertThat(between(side(run, run, run), side(run), false)).isFalse();
        assertThat(between(side(run), side(run, run, run), false)).isFalse();
        assertThat(between(side(run), side(run), true)).isFalse();
    }

    private static boolean between(ComparedSide base, ComparedSide other, boolean inTurns) {
        return new Comparison(
                        base,
                        other,
                        inTurns,
                        List.of(),
                        Optional.empty(),
                        false,
                        new ShareChange(0, 0, 0, 0),
                        0,
                        List.of(),
                        List.of())
                .isBetweenRunsUnknown();
    }

    @Test
    void incidents_are_reported_in_one_sentence() {
        ComparedIncidents.SideIncidents none = new ComparedIncidents.SideIncidents(List.of(), 20);
        ComparedIncidents.SideIncidents one = new ComparedIncidents.SideIncidents(List.of(S), 20);
        ComparedIncidents.SideIncidents two = new ComparedIncidents.SideIncidents(List.of(S, 2 * S), 20);
        ComparedRow same = new ComparedRow(
                99,
                100 * MS,
                false,
                102 * MS,
                false,
                OptionalDouble.of(-0.01),
                OptionalDouble.of(0.031),
                NONE,
                NONE,
                ForeignPart.NONE,
                ChangeAnswer.CANNOT_TELL);
        assertThat(new ComparedIncidents(one, none, ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED, List.of(same))
                        .text())
                .isEqualTo(
                        "base had one stall of 1.00 s, other none: one stall does not show how often stalls occur. Without it p99 100"
                                + " ms and 102"
                                + " ms: the same within 4 %");
        assertThat(new ComparedIncidents(one, two, ChangeAnswer.SLOWER, ChangeAnswer.FASTER, List.of()).text())
                .isEqualTo(
                        "base had one stall of 1.00 s, other 2 stalls (3.00 s in total): other has more, and they are"
                                + " shorter. Without them, too little data is left to compare");
        ComparedRow slower = told(50, 0.2, 0.5, ChangeAnswer.SLOWER);
        ComparedRow open = row(99, MS, NONE, NONE, ChangeAnswer.NOT_JUDGED);
        assertThat(new ComparedIncidents(two, one, ChangeAnswer.FASTER, ChangeAnswer.SLOWER, List.of(slower, open))
                        .text())
                .isEqualTo(
                        "base had 2 stalls (3.00 s in total), other one stall of 1.00 s: other has fewer, and they are"
                                + " longer. Without them p50 100 ms and 150 ms: slower");
        assertThat(new ComparedIncidents(one, one, ChangeAnswer.CANNOT_TELL, ChangeAnswer.SAME, List.of()).text())
                .contains(": too few to estimate a rate. Without them");
        ComparedIncidents.SideIncidents many = new ComparedIncidents.SideIncidents(Collections.nCopies(20, S), 20);
        assertThat(new ComparedIncidents(many, many, ChangeAnswer.CANNOT_TELL, ChangeAnswer.SAME, List.of()).text())
                .contains(": no difference detected in their number. Without them");
        assertThat(PercentText.atMost(0)).isEqualTo("1 %");
        assertThat(PercentText.atMost(0.041)).isEqualTo("5 %");
    }

    // ---- what a run gives to a comparison

    @Test
    void stretches_are_seconds_and_the_rest_is_part_of_the_last() {
        Recording each = second(10, 0);
        List<Interval> halves = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            halves.add(new Interval(i * 475 * MS, (i + 1) * 475 * MS, each));
        }
        assertThat(ComparedRun.stretches(halves).stream()
                        .map(one -> one.response().count()))
                .containsExactly(20L, 30L);
        assertThat(ComparedRun.stretches(halves.subList(0, 1)).stream()
                        .map(one -> one.response().count()))
                .containsExactly(10L);
        assertThat(ComparedRun.stretches(halves.subList(0, 4))).hasSize(2);
        assertThat(ComparedRun.stretches(List.of())).isEmpty();
    }

    private static RunFixture seconds(int count) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= count; i++) {
            run.answered(100, 2 * MS).until(i * S);
        }
        return run;
    }

    private static ComparedRun compared(RunResult result) {
        return ComparedRun.of("a", Observations.of(result), RunVerdict.of(result, List.of()));
    }

    @Test
    void a_run_brings_its_rate_its_kind_and_what_is_wrong_with_it() {
        ComparedRun run = compared(seconds(20).result());
        assertThat(run.ratePerSecond()).hasValue(100);
        assertThat(run.workload()).isEqualTo("open");
        assertThat(run.doubts()).isEmpty();
        assertThat(run.stretches()).hasSize(20);
        assertThat(codes(compared(seconds(20).broke("x", 20 * S).result()).doubts()))
                .containsExactly("unsound");
        ComparedRun partial =
                compared(seconds(10).ended(RunSpan.Ending.INTERRUPTED, 10 * S).result());
        assertThat(partial.doubts()).containsExactly(new Incomparable(Incomparable.Kind.PARTIAL, "a ended early"));
        RunResult closed = seconds(20)
                .workload(new Workload.Closed(2, ThinkTime.none()), Duration.ofSeconds(20))
                .result();
        assertThat(compared(closed).ratePerSecond()).isEmpty();
        RunResult sessions = seconds(20)
                .workload(
                        new Workload.PartlyOpen(new Constant(Rate.perSecond(50)), 3, ThinkTime.none()),
                        Duration.ofSeconds(20))
                .result();
        assertThat(compared(sessions).ratePerSecond())
                .as("a slow service lets them plan fewer requests than asked for")
                .hasValue(150);
        RunPlan half = RunPlan.builder(sessions.plan().workload())
                .duration(Duration.ofSeconds(20))
                .shard(new Shard(0, 2))
                .build();
        RunResult shard = new RunResult(
                half,
                sessions.target(),
                sessions.span(),
                sessions.recording(),
                sessions.intervals(),
                sessions.lanes(),
                sessions.health());
        assertThat(compared(shard).ratePerSecond())
                .as("a shard has not the rate of its plan")
                .hasValue(100);
        assertThat(compared(new RunFixture().ended(RunSpan.Ending.COMPLETE, 0).result())
                        .ratePerSecond())
                .isEmpty();
    }

    @Test
    void a_run_that_was_not_steady_says_so() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 40; i++) {
            run.answered(300, (i < 20 ? 2 : 4) * MS + i * 7 % 11 * 10_000).until((i + 1) * S);
        }
        run.workload(seconds(1).result().plan().workload(), Duration.ofSeconds(40));
        assertThat(codes(compared(run.ended(RunSpan.Ending.COMPLETE, 40 * S).result())
                        .doubts()))
                .containsExactly("unsteady");
    }

    /** A stall from 5.2 s to 6.8 s, with 0.5 s to catch up: felt until 8.3 s. */
    @Test
    void what_is_calm_ends_with_an_incident_and_begins_a_second_after_it() {
        Silence stall = new Silence(5_200 * MS, 5_200 * MS, 6_800 * MS, 7_300 * MS);
        RunResult result =
                seconds(20).result().with(new Interruptions(true, List.of(stall), List.of(), List.of(), MS, 0));
        ComparedRun.Calm calm = compared(result).calm().orElseThrow();
        assertThat(calm.incidents()).hasSize(1);
        // the seconds from 5 s, 6 s and 7 s; the one from 8 s begins 50 ms before a second has passed
        assertThat(calm.stretches()).hasSize(16);
    }

    @Test
    void a_change_of_the_level_is_seen_in_the_stretches_of_an_even_load_alone() {
        List<Recording> slower = new ArrayList<>();
        List<Recording> alsoLoaded = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            long nanos = (i < 15 ? 2 : 4) * MS + i * 7 % 11 * 10_000;
            slower.add(new RunFixture().answered(100, nanos).result().recording());
            alsoLoaded.add(new RunFixture()
                    .answered(i < 15 ? 100 : 125, nanos)
                    .result()
                    .recording());
        }
        Incomparable doubt = unsteady(1, slower).orElseThrow();
        assertThat(doubt.code()).isEqualTo("unsteady");
        assertThat(doubt.text())
                .startsWith("a is not steady: the median rose to ")
                .contains(" % at 15.0 s");
        assertThat(unsteady(1, alsoLoaded)).isEmpty();
        Collections.reverse(alsoLoaded);
        assertThat(unsteady(1, alsoLoaded)).isEmpty();
        assertThat(unsteady(1, slower.subList(0, 15))).isEmpty();
        List<Recording> even = Collections.nCopies(30, second(100, 0));
        assertThat(unsteady(1, even)).isEmpty();
        assertThat(unsteady(5, slower).orElseThrow().text()).contains(" at 75.0 s");
        slower.add(5, Recording.empty());
        assertThat(unsteady(1, slower).orElseThrow().text()).contains(" at 16.0 s");
    }

    private static Optional<Incomparable> unsteady(int secondsEach, List<Recording> stretches) {
        List<Interval> intervals = new ArrayList<>();
        for (Recording stretch : stretches) {
            long startNanos = 1_700_000_000 * S + intervals.size() * secondsEach * S;
            intervals.add(new Interval(startNanos, startNanos + secondsEach * S, stretch));
        }
        return ComparedRun.unsteady("a", intervals);
    }

    @Test
    void hosts_differ_in_what_is_known_of_both() {
        Host here = new Host(Map.of("cores", "8", "cpu", "x", "os", "Linux"));
        Host there = new Host(Map.of("cores", "2", "cpu", "y"));
        assertThat(here.differenceTo(there)).isEqualTo("cores 8, not 2, cpu x, not y");
        assertThat(here.differenceTo(Host.UNKNOWN)).isEmpty();
        assertThat(here.text()).isEqualTo("cores=8 cpu=x os=Linux");
        ComparedRun run = run("a", "open", NONE, 10);
        assertThat(Comparability.doubts(side(run.withHost(here)), side(run.withHost(here))))
                .isEmpty();
        assertThat(Comparability.doubts(side(run.withHost(here), run.withHost(there)), side(run.withHost(there))))
                .singleElement()
                .extracting(Incomparable::code)
                .isEqualTo("different_host");
    }
}
