package dev.downbeat.compare;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.downbeat.compare.Comparison.ComparedIncidents;
import dev.downbeat.event.Incident;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.verdict.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is said of two sides with few requests, whose every second is known; {@link ComparisonTest} has random ones. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparisonAnswersTest {
    private static final OptionalDouble RATE = OptionalDouble.of(100);

    /** A second of 100 requests of two names, the second of which takes twice as long. */
    private static Recording second(int number, double buy, double sell, int failing, int cut) {
        CorrectedRecorder recorder = new CorrectedRecorder(List.of("buy", "sell"));
        recorder.planned(100);
        for (int i = 0; i < 100; i++) {
            Exchange exchange = new Exchange(0);
            exchange.begin(0, 0, 0);
            exchange.name = i % 2;
            double level = (i % 2 == 0 ? buy : 2 * sell) * (1 + 0.02 * (number * 7 % 11) / 10);
            exchange.completedAt = (long) (level * MS * (1 + (i * 37 % 100) / 100.0));
            exchange.outcome = i < failing ? Outcome.failed("x") : Outcome.answered();
            if (i >= 100 - cut) {
                recorder.inFlight(exchange, MS / 2);
            } else {
                recorder.completed(exchange);
            }
        }
        return recorder.drain();
    }

    private static ComparedSide side(String name, double buy, double sell, int failing, int cut) {
        return new ComparedSide(name, List.of(run(name, buy, sell, failing, cut)));
    }

    private static ComparedRun run(String name, double buy, double sell, int failing, int cut) {
        return run(name, 20, buy, sell, failing, cut);
    }

    private static ComparedRun run(String name, int length, double buy, double sell, int failing, int cut) {
        List<Recording> seconds = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            seconds.add(second(i, buy, sell, failing, cut));
        }
        return new ComparedRun(name, seconds, "open", RATE, List.of());
    }

    private static ComparedSide side(double factor) {
        return side("x" + factor, factor, factor, 0, 0);
    }

    @Test
    void slower_and_faster_are_distinguished_from_the_same() {
        assertThat(Comparison.of(side(1), side(1.5)).outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(Comparison.of(side(1.5), side(1)).outcome()).isEqualTo(Comparison.Difference.FASTER);
        Comparison same = Comparison.of(side(1), side(1));
        assertThat(same.outcome()).isEqualTo(Comparison.Difference.SAME);
        assertThat(same.effect()).isZero();
        assertThat(same.isNoRegression(0.1)).isTrue();
        assertThat(same.rows()).extracting(ComparedRow::percentile).containsExactly(50.0, 90.0, 95.0, 99.0);
        assertThat(Comparison.of(side(1), side("f", 0.5, 0.5, 30, 0)).outcome())
                .isEqualTo(Comparison.Difference.FAILS_MORE);
        assertThat(Comparison.of(side(1), side(1.5), List.of(90.0, 50.0)).rows())
                .extracting(ComparedRow::percentile)
                .containsExactly(50.0, 90.0);
    }

    /** The level of a service may wander for longer than that. */
    @Test
    void runs_below_twenty_seconds_tell_large_differences_only() {
        assertThat(Comparison.of(brief(1), brief(1.5)).outcome()).isEqualTo(Comparison.Difference.CANNOT_TELL);
        assertThat(Comparison.of(brief(1), brief(4)).outcome()).isEqualTo(Comparison.Difference.SLOWER);
        assertThat(Comparison.of(brief(1), brief(4)).allowedBetweenRuns()).isEqualTo(0.3);
        assertThat(Comparison.of(side(1), side(4)).allowedBetweenRuns()).isEqualTo(0.03);
        Incident stall = incident(Incident.Cause.SERVICE_STALL);
        assertThat(Comparison.of(withIncidents("a", 12, stall), withIncidents("b", 12, stall))
                        .allowedBetweenRuns())
                .as("of the seconds without incidents, which decide")
                .isEqualTo(0.3);
    }

    @Test
    void a_short_run_hides_what_is_twice_as_slow_and_a_longer_one_does_not() {
        assertThat(Comparison.of(brief(1), brief(1)).hides(2)).isTrue();
        assertThat(Comparison.of(brief(1), brief(1)).hides(4)).isFalse();
        assertThat(Comparison.of(side(1), side(1)).hides(2)).isFalse();
        ComparedSide several = new ComparedSide(
                "several",
                List.of(
                        brief(1).runs().get(0),
                        brief(1.1).runs().get(0),
                        brief(0.9).runs().get(0)));
        assertThat(Comparison.of(several, brief(1)).hides(2)).isFalse();
    }

    private static ComparedSide brief(double factor) {
        return new ComparedSide("b" + factor, List.of(run("b" + factor, 12, factor, factor, 0, 0)));
    }

    @Test
    void what_is_not_judged_says_nothing_and_what_cannot_be_told_is_not_the_same() {
        assertThat(Comparison.of(side(1), side(1), List.of(50.0, 99.99)).outcome())
                .isEqualTo(Comparison.Difference.SAME);
        assertThat(Comparison.of(uneven(7), uneven(5)).outcome()).isEqualTo(Comparison.Difference.CANNOT_TELL);
    }

    /** Seconds of which some are three times as slow as others. */
    private static ComparedSide uneven(int step) {
        List<Recording> seconds = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            double level = 1 + i * step % 11 / 5.0;
            seconds.add(second(i, level, level, 0, 0));
        }
        return new ComparedSide("u" + step, List.of(new ComparedRun("u" + step, seconds, "open", RATE, List.of())));
    }

    /** The median of both names together is between them: quick ones became quicker, slow ones slower. */
    @Test
    void faster_at_one_percentile_and_slower_at_another_is_mixed() {
        Comparison mixed = Comparison.of(side(1), side("m", 0.5, 1.5, 0, 0), List.of(25.0, 90.0));
        assertThat(mixed.rows())
                .extracting(ComparedRow::answer)
                .containsExactly(ChangeAnswer.FASTER, ChangeAnswer.SLOWER);
        assertThat(mixed.outcome()).isEqualTo(Comparison.Difference.MIXED);
    }

    /** Of a side with requests that were not seen to end the upper percentiles are lower bounds. */
    @Test
    void a_lower_bound_in_the_base_proves_no_slowdown_and_in_the_other_no_speedup() {
        Comparison other = Comparison.of(side(1), side("c", 0.1, 0.1, 0, 20), List.of(50.0, 95.0));
        assertThat(other.rows().get(0).answer()).isEqualTo(ChangeAnswer.FASTER);
        ComparedRow bound = other.rows().get(1);
        assertThat(bound.otherIsLowerBound()).isTrue();
        assertThat(bound.baseIsLowerBound()).isFalse();
        assertThat(bound.answer()).isIn(ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED);
        assertThat(bound.highChange()).isEmpty();
        assertThat(bound.atMost()).isEmpty();
        Comparison base = Comparison.of(side("c", 0.1, 0.1, 0, 20), side(1), List.of(50.0, 95.0));
        assertThat(base.rows().get(0).answer()).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(base.rows().get(1).baseIsLowerBound()).isTrue();
        assertThat(base.rows().get(1).answer()).isIn(ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED);
        assertThat(base.rows().get(1).lowChange()).isEmpty();
        assertThat(base.rows().get(1).atLeast()).isEmpty();
        // the other way round a bound is enough
        assertThat(Comparison.of(side(1), side("s", 5, 5, 0, 1), List.of(50.0))
                        .rows()
                        .get(0)
                        .answer())
                .isEqualTo(ChangeAnswer.SLOWER);
    }

    @Test
    void names_are_compared_one_by_one_and_unmatched_ones_are_listed() {
        Comparison whole = Comparison.of(side(1), side("s", 1, 1.5, 0, 0));
        ComparedNames names = ComparedNames.of(whole);
        assertThat(names.byName()).containsOnlyKeys("buy", "sell");
        assertThat(names.worse(0)).containsOnlyKeys("sell");
        assertThat(names.worse(2)).isEmpty();
        assertThat(names.byName().get("sell").outcome()).isEqualTo(Comparison.Difference.SLOWER);
        ComparedNames asked = ComparedNames.of(whole, Set.of("buy", "look"));
        assertThat(asked.byName()).containsOnlyKeys("buy");
        assertThat(asked.onlyBase()).isEmpty();
        assertThat(asked.onlyOther()).isEmpty();
        ComparedSide bare = new ComparedSide(
                "bare",
                List.of(new ComparedRun(
                        "bare",
                        side(1).runs().get(0).stretches().stream()
                                .map(one -> one.withNames(Map.of("buy", one.named("buy"))))
                                .toList(),
                        "open",
                        RATE,
                        List.of())));
        Comparison lacking = Comparison.of(side(1), bare);
        assertThat(ComparedNames.of(lacking).onlyBase()).containsExactly("sell");
        assertThat(ComparedNames.of(lacking).byName()).containsOnlyKeys("buy");
        assertThat(ComparedNames.of(lacking, Set.of("sell")).onlyBase()).containsExactly("sell");
        Comparison turned = Comparison.of(bare, side(1));
        assertThat(ComparedNames.of(turned).onlyOther()).containsExactly("sell");
        assertThat(ComparedNames.of(turned, Set.of("sell")).onlyOther()).containsExactly("sell");
        assertThat(ComparedNames.of(Comparison.of(bare, bare)).byName())
                .as("one name is all requests")
                .isEmpty();
    }

    /** Both with seconds of the same kind; the incidents of the other are given. */
    private static ComparedSide withIncidents(String name, int seconds, Incident... incidents) {
        ComparedRun run = run(name, 1, 1, 0, 0);
        List<Recording> left = run.stretches().subList(0, seconds);
        ComparedRun.Calm calm = new ComparedRun.Calm(List.of(incidents), Optional.empty(), left, left);
        return new ComparedSide(
                name, List.of(new ComparedRun(name, run.stretches(), "open", RATE, List.of(), Optional.of(calm))));
    }

    private static ComparedSide overloaded(String name, Incomparable... doubts) {
        ComparedRun run = run(name, 1, 1, 0, 0);
        ComparedRun.Calm calm = new ComparedRun.Calm(
                List.of(),
                Optional.of(
                        new Overload(0, 25 * S, 25 * S, true, 400, 300, 0, Optional.empty(), false, Optional.empty())),
                run.stretches(),
                run.stretches());
        return new ComparedSide(
                name,
                List.of(new ComparedRun(name, run.stretches(), "open", RATE, List.of(doubts), Optional.of(calm))));
    }

    @Test
    void a_gate_that_cannot_tell_is_open_and_undecided_but_only_if_somebody_asked() {
        ComparedRun run = run("other", 1, 1, 0, 0);
        Incomparable drifts = new Incomparable(Incomparable.Kind.UNSTEADY, "it drifts");
        Comparison doubtful = Comparison.of(
                withIncidents("calm", 12),
                new ComparedSide(
                        "other",
                        List.of(new ComparedRun(
                                "other", run.stretches(), "open", RATE, List.of(drifts), Optional.empty()))));
        Gate gate = Gate.of(doubtful, Gate.Question.within(0.5));
        assertThat(gate.exitCode()).isEqualTo(ExitCode.MET);
        assertThat(gate.isUndecided()).isTrue();
        assertThat(Gate.of(doubtful, new Gate.Question(OptionalDouble.empty(), false, false))
                        .isUndecided())
                .isFalse();
        assertThat(Gate.of(Comparison.of(withIncidents("a", 12), withIncidents("b", 12)), Gate.Question.within(0.5))
                        .isUndecided())
                .isFalse();
    }

    @Test
    void an_overload_that_the_base_has_not_is_a_regression_whatever_the_percentiles_say() {
        ComparedSide calm = withIncidents("calm", 12);
        Incomparable drifts = new Incomparable(Incomparable.Kind.UNSTEADY, "it drifts");
        Comparison worse = Comparison.of(calm, overloaded("full", drifts));
        assertThat(worse.outcome()).isEqualTo(Comparison.Difference.OVERLOADED);
        assertThat(Gate.of(worse, Gate.Question.within(0.5)).exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(Gate.of(worse, new Gate.Question(OptionalDouble.empty(), false, false))
                        .exitCode())
                .isEqualTo(ExitCode.MISSED);
        Comparison better = Comparison.of(overloaded("full", drifts), calm);
        assertThat(better.outcome()).isEqualTo(Comparison.Difference.KEEPS_UP);
        assertThat(Gate.of(better, Gate.Question.within(0.05)).decision()).isEqualTo(Gate.Decision.NO_REGRESSION);
        assertThat(better.doubts()).isEmpty();
        assertThat(Comparison.of(overloaded("full", drifts), side(4)).doubts())
                .as("it keeps up, and is slower")
                .contains(drifts);
        assertThat(Comparison.of(overloaded("a"), overloaded("b")).isOverloaded())
                .isFalse();
    }

    @Test
    void an_overloaded_run_among_others_is_named_not_the_first_of_its_side() {
        ComparedRun calm = withIncidents("calm", 12).runs().get(0);
        ComparedRun full = overloaded("full").runs().get(0);
        assertThat(new ComparedSide("calm (+2 more)", List.of(calm, full, calm)).nameOfOverloaded())
                .isEqualTo("full (1 of 3)");
        assertThat(new ComparedSide("full (+1 more)", List.of(full, full)).nameOfOverloaded())
                .isEqualTo("full (+1 more)");
        assertThat(new ComparedSide("calm", List.of(calm)).nameOfOverloaded()).isEqualTo("calm");
    }

    @Test
    void an_end_of_an_interval_that_is_a_thousand_times_off_still_convicts() {
        ComparedSide base = new ComparedSide(
                "base", List.of(run("a", 1e-3, 1e-3, 0, 0), run("b", 1e-3, 1e-3, 0, 0), run("c", 1e-3, 1e-3, 0, 0)));
        ComparedSide slow = new ComparedSide(
                "slow", List.of(run("a", 500, 500, 0, 0), run("b", 1e4, 1e4, 0, 0), run("c", 2e5, 2e5, 0, 0)));
        Comparison comparison = Comparison.of(base, slow);
        assertThat(comparison.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.answer()).isEqualTo(ChangeAnswer.SLOWER);
            assertThat(row.lowChange().orElseThrow()).isPositive().isLessThan(row.change() / 1_000);
            assertThat(row.isSlowerByMoreThan(0.05)).isTrue();
        });
        assertThat(Gate.of(comparison, Gate.Question.within(0.05)).exitCode()).isEqualTo(ExitCode.MISSED);
    }

    /** Three runs of which one is 10,000 times as slow say nothing of the next. */
    @Test
    void an_end_of_an_undecided_interval_that_is_a_thousand_times_off_stays_in_the_row() {
        ComparedSide few = new ComparedSide(
                "few", List.of(run("a", 1, 1, 0, 0), run("b", 1, 1, 0, 0), run("c", 10_000, 10_000, 0, 0)));
        assertThat(Comparison.of(side(1), few).rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.lowChange().orElseThrow()).isLessThan(0);
            assertThat(row.highChange().orElseThrow()).isGreaterThan(1_000 * row.change());
            assertThat(row.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
        });
    }

    private static Incident incident(Incident.Cause cause) {
        return new Incident(5 * S, S, 40, 1, S, cause, 0, false, false, "");
    }

    @Test
    void incidents_are_set_apart_if_both_sides_tell_of_them_and_one_had_one() {
        Incident stall = incident(Incident.Cause.SERVICE_STALL);
        ComparedSide calm = withIncidents("a", 20);
        ComparedIncidents seen =
                Comparison.of(calm, withIncidents("b", 19, stall)).incidents().orElseThrow();
        assertThat(seen.base().lengths()).isEmpty();
        assertThat(seen.other().lengths()).containsExactly(S);
        assertThat(seen.other().seconds()).isEqualTo(20);
        assertThat(seen.isWorse()).isFalse();
        assertThat(seen.rows()).isNotEmpty();
        assertThat(Comparison.of(calm, withIncidents("b", 20)).incidents()).isEmpty();
        assertThat(Comparison.of(calm, withIncidents("b", 19, incident(Incident.Cause.OUR_PAUSE)))
                        .incidents())
                .as("our own pauses are none of the service's")
                .isEmpty();
        assertThat(Comparison.of(calm, withIncidents("b", 19, incident(Incident.Cause.SLOW_LOOKUP)))
                        .incidents())
                .as("name lookups are not the service's work")
                .isEmpty();
        assertThat(Comparison.of(side(1), withIncidents("b", 19, stall)).incidents())
                .isEmpty();
        assertThat(Comparison.of(withIncidents("b", 19, stall), side(1)).incidents())
                .isEmpty();
        assertThat(Comparison.of(calm, withIncidents("b", 1, stall))
                        .incidents()
                        .orElseThrow()
                        .rows())
                .as("too little is left")
                .isEmpty();
    }

    @Test
    void a_client_that_starts_is_no_stall_of_the_service() {
        assertThat(Comparison.of(withIncidents("a", 20), withIncidents("b", 19, incident(Incident.Cause.STARTING)))
                        .incidents())
                .isEmpty();
    }

    // ---- incidents on paper

    private static ComparedIncidents.SideIncidents seen(long... millis) {
        return new ComparedIncidents.SideIncidents(
                LongStream.of(millis).mapToObj(length -> length * MS).toList(), 20);
    }

    private static ComparedRow unjudged(double percentile, long baseNanos, long otherNanos) {
        OptionalDouble none = OptionalDouble.empty();
        return new ComparedRow(
                percentile,
                baseNanos,
                false,
                otherNanos,
                false,
                none,
                none,
                none,
                none,
                ForeignPart.NONE,
                ChangeAnswer.NOT_JUDGED);
    }

    private static ComparedIncidents apart(ChangeAnswer often, ChangeAnswer lasting, ComparedRow... rows) {
        return new ComparedIncidents(seen(1_000), seen(1_000, 2_000, 100), often, lasting, List.of(rows));
    }

    /** Two sides with rows and incidents that are given. */
    private static Comparison withRows(ComparedSide base, ComparedIncidents incidents, ComparedRow... rows) {
        ComparedSide other = withIncidents("other", 20);
        return new Comparison(
                base,
                other,
                false,
                List.of(rows),
                Optional.of(incidents),
                false,
                ShareChange.of(base.failures(), other.failures(), false, 1),
                0,
                List.of(),
                List.of());
    }

    private static ComparedIncidents stalls(long baseMillis, long otherMillis, ComparedRow... calm) {
        return new ComparedIncidents(
                seen(baseMillis), seen(otherMillis), ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED, List.of(calm));
    }

    @Test
    void who_keeps_up_and_stalls_so_that_a_percentile_is_worse_is_not_better() {
        ComparedIncidents alike = stalls(1_000, 1_000, unjudged(99, 1_000, 1_000));
        assertThat(withRows(overloaded("full"), alike, unjudged(99, 1_000, 1_050))
                        .outcome())
                .isEqualTo(Comparison.Difference.KEEPS_UP);
        Comparison worse = withRows(overloaded("full"), alike, unjudged(99, 1_000, 1_500));
        assertThat(worse.outcome()).isEqualTo(Comparison.Difference.CANNOT_TELL);
        assertThat(worse.isWorseByStalls(0.49)).isTrue();
        assertThat(worse.isWorseByStalls(0.51)).isFalse();
    }

    /** By a tenth, and by a tenth more than without the stalls. */
    @Test
    void a_stall_makes_a_percentile_worse_that_is_better_without_it() {
        ComparedSide base = withIncidents("base", 20);
        assertThat(withRows(base, stalls(1_000, 1_000), unjudged(99, 1_000, 1_099))
                        .worstByStalls())
                .isEmpty();
        assertThat(withRows(base, stalls(1_000, 1_000), unjudged(99, 1_000, 1_101))
                        .worstByStalls())
                .isPresent();
        ComparedIncidents slower = stalls(1_000, 1_000, unjudged(90, 1_000, 500), unjudged(99, 1_000, 1_500));
        assertThat(withRows(base, slower, unjudged(99, 1_000, 1_640)).worstByStalls())
                .isEmpty();
        assertThat(withRows(base, slower, unjudged(90, 1_000, 1_200), unjudged(99, 1_000, 1_660))
                        .worstByStalls())
                .contains(unjudged(99, 1_000, 1_660));
        ComparedIncidents none = new ComparedIncidents(
                seen(1_000), seen(), ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED, List.of());
        assertThat(withRows(base, none, unjudged(99, 1_000, 9_000)).worstByStalls())
                .as("the other did not stall")
                .isEmpty();
    }

    @Test
    void ten_times_as_long_in_stalls_needs_no_proof() {
        assertThat(stalls(100, 1_000).isFarLonger()).isFalse();
        assertThat(stalls(100, 1_001).isFarLonger()).isTrue();
        Comparison far = withRows(withIncidents("base", 20), stalls(100, 1_001), unjudged(99, 1_000, 1_500));
        assertThat(far.isStallingMore(0.4)).isTrue();
        assertThat(far.isStallingMore(0.6)).as("within the tolerance").isFalse();
        assertThat(far.outcome()).isEqualTo(Comparison.Difference.STALLS_MORE);
        assertThat(apart(ChangeAnswer.SLOWER, ChangeAnswer.CANNOT_TELL).isWorse())
                .isTrue();
        assertThat(apart(ChangeAnswer.CANNOT_TELL, ChangeAnswer.SLOWER).isWorse())
                .isTrue();
        assertThat(apart(ChangeAnswer.FASTER, ChangeAnswer.FASTER).isWorse()).isFalse();
    }

    @Test
    void a_change_of_less_than_a_hundredth_is_none_however_certain() {
        assertThat(certainly(ChangeAnswer.SLOWER, 10_100)).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(certainly(ChangeAnswer.SLOWER, 10_099)).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(certainly(ChangeAnswer.FASTER, 9_899)).isEqualTo(ChangeAnswer.FASTER);
        assertThat(certainly(ChangeAnswer.FASTER, 9_901)).isEqualTo(ChangeAnswer.CANNOT_TELL);
    }

    /** An interval that is too wide to call both the same. */
    private static ChangeAnswer certainly(ChangeAnswer answer, long otherNanos) {
        OptionalDouble none = OptionalDouble.empty();
        OptionalDouble low = OptionalDouble.of(-0.3);
        OptionalDouble high = OptionalDouble.of(0.3);
        return new ComparedRow(99, 10_000, false, otherNanos, false, low, high, none, none, ForeignPart.NONE, answer)
                .answer();
    }

    @Test
    void incidents_of_a_side_are_counted_and_added_up() {
        assertThat(seen().text()).isEqualTo("none");
        assertThat(seen(1_000).text()).isEqualTo("one stall of 1.00 s");
        assertThat(seen(1_000, 500).text()).isEqualTo("2 stalls (1.50 s in total)");
    }

    @Test
    void what_is_known_of_incidents_is_said_in_a_sentence() {
        ComparedIncidents one = new ComparedIncidents(
                seen(), seen(1_000), ChangeAnswer.CANNOT_TELL, ChangeAnswer.NOT_JUDGED, List.of());
        assertThat(one.known()).isEqualTo("one run does not show how often it happens");
        assertThat(one.text())
                .isEqualTo(
                        "base had none, other one stall of 1.00 s: one stall does not show how often stalls occur. Without it, too little data is left to compare");
        assertThat(apart(ChangeAnswer.SLOWER, ChangeAnswer.FASTER).known()).isEqualTo("more (95 %)");
        assertThat(apart(ChangeAnswer.FASTER, ChangeAnswer.SLOWER).known()).isEqualTo("fewer (95 %)");
        assertThat(apart(ChangeAnswer.CANNOT_TELL, ChangeAnswer.SLOWER).known()).isEqualTo("longer (95 %)");
        assertThat(apart(ChangeAnswer.CANNOT_TELL, ChangeAnswer.FASTER).known()).isEqualTo("shorter (95 %)");
        assertThat(apart(ChangeAnswer.CANNOT_TELL, ChangeAnswer.CANNOT_TELL).known())
                .isEqualTo("too few to show how often they happen");
        String sides = "base had one stall of 1.00 s, other 3 stalls (3.10 s in total): ";
        assertThat(apart(ChangeAnswer.SLOWER, ChangeAnswer.SLOWER).text())
                .isEqualTo(sides
                        + "other has more, and they are longer. Without them, too little data is left to compare");
        assertThat(apart(ChangeAnswer.FASTER, ChangeAnswer.FASTER).text())
                .startsWith(sides + "other has fewer, and they are shorter. ");
        assertThat(apart(ChangeAnswer.CANNOT_TELL, ChangeAnswer.CANNOT_TELL).text())
                .startsWith(sides + "too few to estimate a rate. ");
        assertThat(sixInAll().text()).contains(" in total): no difference detected in their number. ");
    }

    private static ComparedIncidents sixInAll() {
        return new ComparedIncidents(
                seen(1, 2, 3), seen(1, 2, 3), ChangeAnswer.CANNOT_TELL, ChangeAnswer.CANNOT_TELL, List.of());
    }

    @Test
    void without_incidents_the_highest_percentile_that_is_judged_is_compared() {
        OptionalDouble none = OptionalDouble.empty();
        ComparedRow same = new ComparedRow(
                90,
                10 * MS,
                false,
                10 * MS,
                false,
                OptionalDouble.of(-0.02),
                OptionalDouble.of(0.031),
                none,
                none,
                ForeignPart.NONE,
                ChangeAnswer.CANNOT_TELL);
        ComparedRow slower = new ComparedRow(
                50,
                10 * MS,
                false,
                20 * MS,
                false,
                OptionalDouble.of(0.9),
                OptionalDouble.of(1.1),
                none,
                none,
                ForeignPart.NONE,
                ChangeAnswer.SLOWER);
        assertThat(apart(ChangeAnswer.SLOWER, ChangeAnswer.CANNOT_TELL, slower, same, unjudged(99, 1, 2))
                        .text())
                .endsWith(": other has more. Without them p90 10.0 ms and 10.0 ms: the same within 4 %");
        assertThat(apart(ChangeAnswer.SLOWER, ChangeAnswer.CANNOT_TELL, slower).text())
                .endsWith(" Without them p50 10.0 ms and 20.0 ms: slower");
        assertThat(PercentText.atMost(0.02)).isEqualTo("2 %");
        assertThat(PercentText.atMost(0.0201)).isEqualTo("3 %");
        assertThat(PercentText.atMost(0.0001)).isEqualTo("1 %");
    }

    @Test
    void turns_are_judged_from_five_on() {
        List<Comparison> five = Comparison.ofTurns(List.of(turns(1, 5), turns(1.5, 5), turns(1, 5)), List.of());
        assertThat(five)
                .extracting(Comparison::outcome)
                .containsExactly(Comparison.Difference.SLOWER, Comparison.Difference.SAME);
        assertThat(five.get(0).inTurns()).isTrue();
        assertThat(five.get(0).rows().get(0).atLeast().orElseThrow()).isBetween(0.4, 0.51);
        assertThat(five.get(0).rows().get(0).atMost().orElseThrow()).isBetween(0.49, 0.6);
        Comparison four = Comparison.ofTurns(List.of(turns(1, 4), turns(1.5, 4)), List.of())
                .get(0);
        assertThat(four.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.answer()).isEqualTo(ChangeAnswer.NOT_JUDGED);
            assertThat(row.lowChange()).isEmpty();
        });
        assertThat(ComparedNames.of(five.get(0)).byName().get("buy").inTurns()).isTrue();
    }

    private static ComparedSide turns(double factor, int count) {
        List<ComparedRun> runs = new ArrayList<>();
        for (int turn = 0; turn < count; turn++) {
            List<Recording> seconds = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                seconds.add(second(turn + i, factor, factor, 0, 0));
            }
            runs.add(new ComparedRun("t" + factor, seconds, "open", RATE, List.of()));
        }
        return new ComparedSide("t" + factor, runs);
    }

    @Test
    void a_side_and_a_build_have_a_run() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ComparedSide("a", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Build("a", Optional.empty(), List.of()));
        Build build = new Build("a", Optional.empty(), side(1).runs());
        assertThat(build.side()).isEqualTo(new ComparedSide("a", side(1).runs()));
    }

    // ---- history

    private static Build build(String name, ComparedRun... runs) {
        return new Build(name, Optional.empty(), List.of(runs));
    }

    @Test
    void a_build_is_found_by_its_name_or_by_a_begin_that_only_it_has() {
        ComparedRun run = run("r", 1, 1, 0, 0);
        History history = new History(
                List.of(build("abc", run), build("abcd", run), build("bcd", run)),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        assertThat(history.indexOf("abc")).hasValue(0);
        assertThat(history.indexOf("abcd")).hasValue(1);
        assertThat(history.indexOf("b")).hasValue(2);
        assertThat(history.indexOf("a")).isEmpty();
        assertThat(history.indexOf("x")).isEmpty();
        assertThat(history.exitCode(0, -1)).isEqualTo(ExitCode.UNSOUND);
    }

    @Test
    void a_run_without_an_answer_is_left_out_and_one_that_was_not_steady_is_not() {
        List<Recording> failed = List.of(second(0, 1, 1, 100, 0));
        ComparedRun none = new ComparedRun("none", failed, "open", RATE, List.of());
        ComparedRun run = run("r", 1, 1, 0, 0);
        ComparedRun restless = new ComparedRun(
                "restless",
                run.stretches(),
                "open",
                RATE,
                List.of(new Incomparable(Incomparable.Kind.UNSTEADY, "it drifts")));
        History history = History.of(
                List.of(build("a", none), build("b", run, none), build("c", restless), build("d", run)),
                List.of(),
                false);
        assertThat(history.builds()).extracting(Build::name).containsExactly("b", "c", "d");
        assertThat(history.builds().get(0).runs()).containsExactly(run);
        assertThat(history.leftOut())
                .containsOnly(new Incomparable(Incomparable.Kind.NOTHING_ANSWERED, "no request of none was answered"))
                .hasSize(2);
        assertThat(history.series()).isEmpty();
    }

    // ---- hosts

    private static MachineProfile machine(String os, String jvm, long limit, String processor) {
        return new MachineProfile(8, limit, os, "6.1", "amd64", jvm, List.of(), 1, 1, 1, processor);
    }

    @Test
    void a_host_is_what_a_machine_must_share() {
        assertThat(Host.of(machine("Linux", "OpenJDK VM 17.0.9+9", 1_500, " Xeon =  E5 "))
                        .text())
                .isEqualTo("cores=8 cpu=Xeon_E5 cpu_limit=1500m jdk=17 os=Linux_amd64");
        assertThat(Host.of(machine("Linux", "OpenJDK VM x", 0, " ")).text()).isEqualTo("cores=8 os=Linux_amd64");
        assertThat(Host.of(machine("unknown", "17", 0, "x"))).isEqualTo(Host.UNKNOWN);
    }
}
