package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.verdict.JudgedObjective.Status;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run proves, by runs whose every second is known; and how far its times can be trusted. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EvidenceLimitsTest {
    private static RunResult even(int seconds, long nanos) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= seconds; i++) {
            run.answered(1_000, nanos).until(i * S);
        }
        return run.result();
    }

    private static JudgedObjective proven(RunResult run, String slo) {
        return Evidence.of(run, ResponseIntervals.LEAST_STRETCH_NANOS, 0.95).judge(ServiceLevelObjective.parse(slo));
    }

    /** All take 2 ms, a value between 1.999 and 2.001. */
    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource({
        "p50<2.1ms, MET, measured 2.00 ms (2.00 ms to 2.00 ms)",
        "p50<1.9ms, MISSED, measured 2.00 ms (2.00 ms to 2.00 ms)",
        "mean<2.1ms, MET, measured 2.00 ms (2.00 ms to 2.00 ms)",
        "mean<1.9ms, MISSED, measured 2.00 ms (2.00 ms to 2.00 ms)",
        "max<2.1ms, MET, measured 2.00 ms",
        "errors<1%, MET, measured 0 % (0 of 20,000)",
        "rate>=99%, MET, measured 100 % (20,000 of 20,000)",
        "errors<=0%, MET, measured 0 % (0 of 20,000)",
        "rate>=100%, MET, measured 100 % (20,000 of 20,000)"
    })
    void constant_values_are_certain(String slo, Status status, String reason) {
        JudgedObjective proven = proven(even(20, 2 * MS), slo);
        assertThat(proven.status()).isEqualTo(status);
        // the sentence has a comma in its numbers, which the table cuts
        assertThat(proven.reason()).startsWith(reason);
        assertThat(proven.isLowerBound()).isFalse();
    }

    @Test
    void nineteen_seconds_prove_nothing_and_twenty_do() {
        assertThat(proven(even(20, 2 * MS), "p50<2.1ms").status()).isEqualTo(Status.MET);
        for (String slo : List.of("p50<2.1ms", "mean<2.1ms")) {
            JudgedObjective open = Evidence.of(nineteen(), ResponseIntervals.LEAST_STRETCH_NANOS, 0.95)
                    .judge(ServiceLevelObjective.parse(slo));
            assertThat(open.status()).isEqualTo(Status.UNDECIDED);
            assertThat(open.reason()).endsWith("run too short to decide");
        }
        assertThat(proven(nineteen(), "p50<2.1ms").reason()).isEqualTo("measured 2.00 ms: run too short to decide");
    }

    private static RunResult nineteen() {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= 19; i++) {
            run.answered(1_000, 2 * MS).until(i * S);
        }
        return run.ended(RunSpan.Ending.COMPLETE, 19 * S).result();
    }

    @Test
    void of_a_run_that_answered_nothing_nothing_is_proven() {
        RunResult failed = new RunFixture().failed(100, "x", MS).result();
        assertThat(proven(failed, "p50<1s").reason()).isEqualTo("nothing was answered");
        assertThat(proven(failed, "mean<1s").reason()).isEqualTo("nothing was answered");
        assertThat(proven(new RunFixture().result(), "errors<1%").reason()).isEqualTo("nothing was sent");
    }

    /** One in a hundred seconds' requests never ends: only a lower bound is known from p99 on. */
    @Test
    void unfinished_requests_may_have_lasted_forever() {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= 20; i++) {
            run.answered(900, 2 * MS).inFlight(100, MS).until(i * S);
        }
        RunResult cut = run.result();
        JudgedObjective p99 = proven(cut, "p99<1s");
        assertThat(p99.status()).isEqualTo(Status.UNDECIDED);
        assertThat(p99.isLowerBound()).isTrue();
        assertThat(p99.reason()).isEqualTo("measured at least 2.00 ms (at least 2.00 ms)");
        assertThat(proven(cut, "p50<1s").status()).isEqualTo(Status.MET);
        assertThat(proven(cut, "p50<1s").isLowerBound()).isFalse();
        JudgedObjective mean = proven(cut, "mean<1s");
        assertThat(mean.status()).isEqualTo(Status.UNDECIDED);
        assertThat(mean.isLowerBound()).isTrue();
        assertThat(mean.reason()).startsWith("measured at least 1.90 ms (at least 1.");
        assertThat(proven(cut, "mean<1ms").status()).isEqualTo(Status.MISSED);
        Evidence evidence = Evidence.of(cut, ResponseIntervals.LEAST_STRETCH_NANOS, 0.95);
        assertThat(evidence.responseTime(99)).isEmpty();
        assertThat(evidence.responseTime(50)).isPresent();
        assertThat(evidence.responseTime(99.99)).isEmpty();
    }

    /** Of 20,000 requests some fail, evenly. */
    @ParameterizedTest(name = "{0} of 1,000 fail, {1}: {2}")
    @CsvSource({
        "10, errors<2%, MET",
        "10, errors<0.5%, MISSED",
        "10, errors<1.01%, UNDECIDED",
        "10, rate>=98%, MET",
        "10, rate>=99.5%, MISSED",
        "10, rate>=98.99%, UNDECIDED"
    })
    void a_share_is_decided_if_its_interval_is_on_one_side(int failing, String slo, Status status) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= 20; i++) {
            run.answered(1_000 - failing, 2 * MS).failed(failing, "x", MS).until(i * S);
        }
        JudgedObjective objective = proven(run.result(), slo);
        assertThat(objective.status()).isEqualTo(status);
        assertThat(objective.reason().endsWith(": too few requests to decide")).isEqualTo(status == Status.UNDECIDED);
    }

    /** A hundred requests a second; in the last seconds all of them fail. */
    private static RunResult failingAtTheEnd(int seconds, int failing) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= seconds; i++) {
            (i <= seconds - failing ? run.answered(100, 2 * MS) : run.failed(100, "x", MS)).until(i * S);
        }
        return run.ended(RunSpan.Ending.COMPLETE, seconds * S).result();
    }

    @ParameterizedTest(name = "{1} of {0} s fail, {2}: {3}")
    @CsvSource({
        "19, 9, errors<1%, run too short to decide",
        "19, 9, rate>=99%, run too short to decide",
        "30, 12, errors<1%, 'the failures came together, so too few of them are independent'",
        "30, 12, rate>=99%, 'the failures came together, so too few of them are independent'",
        "30, 0, errors<0.01%, too few requests to decide"
    })
    void what_leaves_a_share_open_is_said(int seconds, int failing, String slo, String why) {
        JudgedObjective open = proven(failingAtTheEnd(seconds, failing), slo);
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).endsWith("): " + why);
    }

    /** That it is slow for two seconds at the end alone is one case, from which no share of the time follows. */
    @ParameterizedTest(name = "{0}/s, {1} slow seconds, {2}: {3}")
    @CsvSource({
        "100, 2, p90<100ms, ': slow requests came together, so too few of them are independent'",
        "1, 0, p99<100ms, ' (at least 2.00 ms): too few requests to decide'"
    })
    void what_leaves_a_percentile_open_is_said(int rate, int slow, String slo, String why) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= 30; i++) {
            run.answered(rate, i <= 30 - slow ? 2 * MS : 200 * MS).until(i * S);
        }
        JudgedObjective open = proven(run.ended(RunSpan.Ending.COMPLETE, 30 * S).result(), slo);
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).isEqualTo("measured 2.00 ms" + why);
    }

    /** Just enough for independent requests, but not with the allowance for a variance that is known from few batches. */
    @ParameterizedTest(name = "{0} s of 10/s, {1} failures, {2}")
    @CsvSource({"37, 0, errors<1%", "38, 0, rate>=99%", "56, 1, errors<1%", "73, 2, errors<1%"})
    void scattered_failures_or_none_did_not_come_together(int seconds, int failures, String slo) {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= seconds; i++) {
            boolean fails = failures > 0 && i % (seconds / (failures + 1)) == 0 && i < seconds - 2;
            run.answered(fails ? 9 : 10, 2 * MS).failed(fails ? 1 : 0, "x", MS).until(i * S);
        }
        JudgedObjective open =
                proven(run.ended(RunSpan.Ending.COMPLETE, seconds * S).result(), slo);
        assertThat(open.status()).isEqualTo(Status.UNDECIDED);
        assertThat(open.reason()).endsWith("): too few requests to decide");
    }

    /** Requests that may still be answered, and those that Downbeat kept until they timed out, prove nothing. */
    @Test
    void proof_of_a_share_does_not_go_beyond_what_was_seen() {
        RunFixture unfinished = new RunFixture();
        RunFixture kept = new RunFixture();
        for (int i = 1; i <= 20; i++) {
            unfinished.answered(970, 2 * MS).inFlight(30, S).until(i * S);
            kept.answered(950, 2 * MS).timedOutUnsent(50, 31 * S, 31 * S).until(i * S);
        }
        RunResult cut = unfinished.ended(RunSpan.Ending.INTERRUPTED, 20 * S).result();
        assertThat(proven(cut, "errors<1%").status()).isEqualTo(Status.UNDECIDED);
        assertThat(proven(cut, "errors<1%").reason()).isEqualTo("measured between 0 % and 3 % (0 to 600 of 20,000)");
        assertThat(proven(cut, "errors<5%").status()).isEqualTo(Status.MET);
        assertThat(proven(cut, "rate>=99%").status()).isEqualTo(Status.UNDECIDED);
        assertThat(proven(cut, "rate>=95%").status()).isEqualTo(Status.MET);
        assertThat(proven(kept.result(), "errors<1%").status()).isEqualTo(Status.UNDECIDED);
    }

    @Test
    void timeouts_are_errors_and_what_is_left_over_at_the_end_is_part_of_the_last_stretch() {
        RunFixture run = new RunFixture();
        for (int i = 1; i <= 41; i++) {
            run.answered(495, 2 * MS).timedOut(5, S).until(i * S / 2);
        }
        RunResult halves = run.result();
        assertThat(proven(halves, "errors<0.1%").status()).isEqualTo(Status.MISSED);
        List<Ledger> seconds = Evidence.stretches(halves.intervals(), ResponseIntervals.LEAST_STRETCH_NANOS).stream()
                .map(stretch -> stretch.recording().ledger())
                .toList();
        assertThat(seconds).hasSize(20);
        assertThat(seconds.get(0).timedOut()).isEqualTo(10);
        assertThat(seconds.get(19).timedOut()).isEqualTo(15);
        assertThat(seconds.get(19).accounted()).isEqualTo(1_500);
    }

    // ---- looking while a run goes on

    /** What lies around the limit is never decided; the looks are at 60, 120 and 240 s, and two in a row must agree. */
    @Test
    void looks_are_at_sixty_a_hundred_and_twenty_and_240_seconds() {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .duration(Duration.ofSeconds(250))
                .build();
        List<Long> decidedAt = new ArrayList<>();
        for (int slowUntil : new int[] {0, 60, 240}) {
            SequentialTest looks = new SequentialTest(
                    plan,
                    List.of(ServiceLevelObjective.parse("p50<10ms"), ServiceLevelObjective.parse("errors<50%")),
                    false);
            long at = 0;
            for (int second = 1; second <= 250 && at == 0; second++) {
                // as many above the limit as below it, until a time; then far below
                Recording recording = new RunFixture()
                        .answered(50, MS)
                        .answered(50, second <= slowUntil ? 20 * MS : MS)
                        .result()
                        .recording();
                boolean decided = looks.add(new Interval((second - 1) * S, second * S, recording));
                at = decided ? second : 0;
            }
            decidedAt.add(at);
        }
        assertThat(decidedAt).containsExactly(120L, 240L, 0L);
    }

    /** Two looks in a row see the limit exceeded, but only with Downbeat's own delay. */
    @Test
    void a_look_does_not_decide_what_the_verdict_would_leave_open() {
        ServiceLevelObjective slo = ServiceLevelObjective.parse("p50<10ms");
        RunFixture late =
                new RunFixture().workload(new RunFixture().result().plan().workload(), Duration.ofMinutes(10));
        for (int second = 1; second <= 130; second++) {
            late.answered(100, 18 * MS, 0, 2 * MS).until(second * S);
        }
        RunResult run = late.ended(RunSpan.Ending.DECIDED, 130 * S).result();
        SequentialTest looks = new SequentialTest(run.plan(), List.of(slo), false);
        assertThat(run.intervals()).noneMatch(looks::add);
        assertThat(RunVerdict.of(
                                Observations.of(run),
                                List.of(slo),
                                new RequiredCertainty(true, false),
                                looks.evidence(run))
                        .service())
                .isEqualTo(RunVerdict.Service.UNDECIDED);
    }

    // ---- bounds

    @Test
    void of_service_times_what_was_sent_and_not_seen_to_end_took_its_age_at_least() {
        Recording recording = new RunFixture()
                .answered(90, 2 * MS)
                .timedOut(4, S)
                .timedOutUnsent(7, S)
                .inFlight(6, S)
                .neverSent(9, S)
                .result()
                .recording();
        ResponseBounds bounds = ResponseBounds.ofService(recording);
        assertThat(bounds.count()).isEqualTo(100);
        assertThat(bounds.atLeastNanos(90) / 1e6).isCloseTo(2, within(0.01));
        assertThat(bounds.atLeastNanos(91) / 1e6).isCloseTo(1_000, within(1.0));
        assertThat(bounds.atMostNanos(90)).isPresent();
        assertThat(bounds.atMostNanos(91)).isEmpty();
        assertThat(bounds.isExact()).isFalse();
        assertThat(ResponseBounds.ofService(even(1, MS).recording()).isExact()).isTrue();
    }

    @Test
    void a_tenth_of_a_time_and_20_us_are_tolerated() {
        assertThat(ResponseBounds.hasNotableOwnDelay(20_000, 100_000)).isFalse();
        assertThat(ResponseBounds.hasNotableOwnDelay(20_001, 100_000)).isTrue();
        assertThat(ResponseBounds.hasNotableOwnDelay(2 * MS, 20 * MS)).isFalse();
        assertThat(ResponseBounds.hasNotableOwnDelay(2 * MS + 1, 20 * MS)).isTrue();
    }

    @Test
    void the_percentile_of_a_value_is_the_share_up_to_it() {
        ResponseBounds bounds = ResponseBounds.of(
                new RunFixture().answered(75, MS).answered(25, 5 * MS).result().recording());
        assertThat(bounds.percentileOf(2 * MS)).isEqualTo(75);
        assertThat(bounds.percentileOf(9 * MS)).isEqualTo(100);
        assertThat(ResponseBounds.of(Recording.empty()).percentileOf(MS)).isZero();
    }

    @Test
    void the_mean_without_own_delay_excludes_Downbeats_delays() {
        ResponseBounds bounds = ResponseBounds.of(
                new RunFixture().answered(100, 3 * MS, 0, 2 * MS).result().recording());
        assertThat(bounds.meanWithoutOwnDelayNanos() / 1e6).isCloseTo(2, within(0.01));
        assertThat(bounds.atLeast().meanNanos() / 1e6).isCloseTo(5, within(0.01));
        assertThat(bounds.ownDelayNanos(50) / 1e6).isCloseTo(3, within(0.01));
    }

    // ---- intervals

    @Test
    void a_missing_interval_has_a_reason() {
        ResponseIntervals few =
                Observations.of(new RunFixture().answered(9, MS).result()).intervals();
        assertThat(few.whyNot(50)).isEqualTo("p50 needs 10 requests, got 9");
        ResponseIntervals bound = Observations.of(
                        new RunFixture().answered(90, MS).inFlight(20, S).result())
                .intervals();
        assertThat(bound.whyNot(90)).isEqualTo("only a lower bound of p90 is known");
        ResponseIntervals tooShort = Observations.of(nineteen()).intervals();
        assertThat(tooShort.whyNot(50)).isEqualTo("an interval needs a run of at least 20 s");
        assertThat(tooShort.memoryNanos(50)).isEmpty();
        assertThat(tooShort.memoryText(50)).isEmpty();
        assertThat(tooShort.neededNanos(50)).isEmpty();
        assertThat(tooShort.rarestNanos()).isEmpty();
        ResponseIntervals known = Observations.of(even(20, MS)).intervals();
        assertThat(known.at(50)).isPresent();
        assertThat(known.memoryNanos(50)).hasValue(S);
        assertThat(known.memoryText(50)).isEmpty();
        assertThat(known.whyNot(50))
                .isEqualTo("slow requests came together: too few of them were independent of each other");
        assertThat(known.neededNanos(50).orElseThrow()).isPositive();
    }

    @Test
    void every_run_with_intervals_states_the_rarest_event_it_can_show() {
        assertThat(Observations.of(even(20, MS)).intervals().rarestNanos()).hasValue(20 * S / 3);
    }

    @ParameterizedTest(name = "{0} ms: {1}")
    @CsvSource({"1_234, 1.30 s", "1_200, 1.20 s", "99_100, 100 s", "12, 12.0 ms"})
    void a_length_that_is_advised_has_two_digits_upwards(String millis, String text) {
        assertThat(ResponseIntervals.about(Long.parseLong(millis.replace("_", "")) * 1e6))
                .isEqualTo(text);
    }

    @Test
    void intervals_are_grouped_by_second_and_the_rest_joins_the_last() {
        Recording ten = new RunFixture().answered(10, MS).result().recording();
        List<Interval> halves = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            halves.add(new Interval(i * 475 * MS, (i + 1) * 475 * MS, ten));
        }
        assertThat(ResponseIntervals.stretches(halves).stream().map(one -> one.count()))
                .containsExactly(20L, 30L);
        assertThat(ResponseIntervals.stretches(halves.subList(0, 1))).hasSize(1);
        assertThat(ResponseIntervals.stretches(halves.subList(0, 2))).hasSize(1);
    }

    @ParameterizedTest(name = "{0} ms late")
    @ValueSource(longs = {40, 76, 300, 499})
    void twenty_seconds_of_which_one_tick_comes_late_have_intervals(long lateMillis) {
        RunFixture run = new RunFixture();
        for (int second = 1; second <= 20; second++) {
            run.answered(300, 2 * MS + second * 7 % 11 * 10_000)
                    .until(second * S + (second == 9 ? lateMillis * MS : 0));
        }
        RunResult result = run.workload(new RunFixture().result().plan().workload(), Duration.ofSeconds(20))
                .ended(RunSpan.Ending.COMPLETE, 20 * S)
                .result();
        assertThat(Observations.of(result).intervals().at(50)).isPresent();
        assertThat(Steadiness.of(result, List.of())).isPresent();
        assertThat(Evidence.of(result, ResponseIntervals.LEAST_STRETCH_NANOS, 0.95)
                        .judge(ServiceLevelObjective.parse("p50<3ms"))
                        .status())
                .isEqualTo(JudgedObjective.Status.MET);
    }

    /** Ticks of a busy machine: the last second is not lost, or ten seconds would be too few to compare. */
    @ParameterizedTest(name = "{0} ms late")
    @ValueSource(longs = {40, 90, 180})
    void ten_seconds_with_late_ticks_are_ten_stretches(long lateMillis) {
        Recording one = new RunFixture().answered(10, MS).result().recording();
        List<Interval> ticks = new ArrayList<>();
        long fromNanos = 0;
        for (int tick = 1; tick <= 50; tick++) {
            long toNanos = tick == 50 ? 9_980 * MS : tick * 200 * MS + (tick % 5 == 4 ? lateMillis * MS : 0);
            ticks.add(new Interval(fromNanos, toNanos, one));
            fromNanos = toNanos;
        }
        assertThat(ResponseIntervals.stretches(ticks)).hasSize(10);
        assertThat(ComparedRun.stretches(ticks)).hasSize(10);
    }

    // ---- steadiness

    private static RunResult levels(int seconds, long before, long after, int at) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < seconds; i++) {
            run.answered(300, (i < at ? before : after) + i * 7 % 11 * 10_000).until((i + 1) * S);
        }
        return run.workload(new RunFixture().result().plan().workload(), Duration.ofSeconds(seconds))
                .ended(RunSpan.Ending.COMPLETE, seconds * S)
                .result();
    }

    @Test
    void an_unchanged_series_states_the_detectable_change() {
        Steadiness steady =
                Steadiness.of(levels(40, 2 * MS, 2 * MS, 0), List.of()).orElseThrow();
        assertThat(steady.text())
                .matches("no change detected; a median shift of 1\\d % or more would have been detected");
        assertThat(Steadiness.of(levels(19, 2 * MS, 2 * MS, 0), List.of())).isEmpty();
    }

    @Test
    void a_level_change_is_reported_with_its_second() {
        Steadiness jump =
                Steadiness.of(levels(40, 2 * MS, 4 * MS, 25), List.of()).orElseThrow();
        assertThat(jump.text()).matches("the median rose to [12]\\d\\d % at 25\\.0 s\\. .*");
        assertThat(Observations.of(levels(40, 2 * MS, 4 * MS, 25))
                        .change()
                        .orElseThrow()
                        .atNanos())
                .isEqualTo(25 * S);
        assertThat(Observations.of(levels(40, 2 * MS, 2 * MS, 25)).change()).isEmpty();
    }

    @Test
    void a_slow_begin_is_a_warm_up_with_its_length() {
        RunResult run = levels(60, 40 * MS, 2 * MS, 6);
        assertThat(Steadiness.of(run, List.of()).flatMap(Steadiness::caveat))
                .hasValueSatisfying(caveat -> assertThat(caveat)
                        .isInstanceOfSatisfying(
                                Unsteady.WarmUp.class,
                                warmUp -> assertThat(warmUp.nanos()).isBetween(5 * S, 15 * S)));
    }

    /** A few requests hang throughout: they time out from the half on, and say nothing of the others. */
    @ParameterizedTest(name = "{0} of 200")
    @ValueSource(ints = {3, 25})
    void a_level_change_is_found_however_late_some_requests_time_out(int hanging) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 60; i++) {
            run.answered(200 - hanging, (i < 30 ? 20 : 60) * MS + i * 7 % 11 * 100_000)
                    .timedOut(i < 30 ? 0 : hanging, 30 * S)
                    .until((i + 1) * S);
        }
        RunResult result = run.workload(new RunFixture().result().plan().workload(), Duration.ofSeconds(60))
                .ended(RunSpan.Ending.COMPLETE, 60 * S)
                .result();
        Unsteady.NotSteady change =
                Steadiness.of(result, List.of()).flatMap(Steadiness::change).orElseThrow();
        assertThat(change.found().percentile()).isEqualTo(50);
        assertThat(change.atNanos()).isEqualTo(30 * S);
    }

    /** Requests that hang throughout can only be seen to do so from the timeout on: that is no change. */
    @ParameterizedTest(name = "{0} of 200")
    @ValueSource(ints = {3, 10, 25})
    void percentiles_that_begin_with_the_first_timeouts_are_not_tested(int hanging) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 60; i++) {
            for (int k = 0; k < 200 - hanging; k++) {
                run.answered(1, Math.round(20 * MS * Math.pow(10, (k + i * 7 % 11 / 11.0) / (200 - hanging))));
            }
            run.timedOut(i < 30 ? 0 : hanging, 30 * S).until((i + 1) * S);
        }
        RunResult result = run.workload(new RunFixture().result().plan().workload(), Duration.ofSeconds(60))
                .ended(RunSpan.Ending.COMPLETE, 60 * S)
                .result();
        Steadiness steady = Steadiness.of(result, List.of()).orElseThrow();
        assertThat(steady.text()).startsWith("no change detected");
    }

    /** What comes after the plan, or without a plan, is the drain; there the last answers of all are slow ones. */
    @Test
    void the_drain_is_no_part_of_the_level() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 25; i++) {
            run.answered(300, 2 * MS + i * 7 % 11 * 10_000).until((i + 1) * S);
        }
        for (int i = 25; i < 45; i++) {
            run.answeredLater(300, 4 * MS).until((i + 1) * S);
        }
        RunFixture beyond = run.workload(new RunFixture().result().plan().workload(), Duration.ofSeconds(60));
        assertThat(Steadiness.of(beyond.ended(RunSpan.Ending.COMPLETE, 45 * S).result(), List.of())
                        .flatMap(Steadiness::caveat))
                .isEmpty();
        RunResult cut = levels(45, 2 * MS, 4 * MS, 25);
        assertThat(Steadiness.of(cut, List.of()).flatMap(Steadiness::caveat)).isPresent();
    }

    // ---- objectives

    @Test
    void an_objective_of_a_name_needs_the_name() {
        ServiceLevelObjective.Named named = (ServiceLevelObjective.Named) ServiceLevelObjective.parse("buy: p99<80ms");
        assertThatIllegalArgumentException().isThrownBy(() -> new ServiceLevelObjective.Named(" ", named.slo()));
        assertThatIllegalArgumentException().isThrownBy(() -> new ServiceLevelObjective.Named("x", named));
        assertThat(named.limit()).isEqualTo("< 80 ms");
    }

    @Test
    void errors_are_limited_unless_somebody_limits_them_or_the_rate() {
        assertThat(ServiceLevelObjective.withDefaults(List.of(ServiceLevelObjective.parse("p99<1s"))))
                .extracting(ServiceLevelObjective::text)
                .containsExactly("p99<1s", "errors<1%");
        assertThat(ServiceLevelObjective.withDefaults(
                        List.of(ServiceLevelObjective.parse("p99<1s"), ServiceLevelObjective.parse("errors<5%"))))
                .extracting(ServiceLevelObjective::text)
                .containsExactly("p99<1s", "errors<5%");
        assertThat(ServiceLevelObjective.withDefaults(List.of(ServiceLevelObjective.parse("rate>5%"))))
                .extracting(ServiceLevelObjective::text)
                .containsExactly("rate>5%");
    }

    @Test
    void an_objective_that_is_given_twice_is_judged_once() {
        List<ServiceLevelObjective> given = Stream.of("max<1s", "p99<1s", "p99 < 1000 ms", "p100<1s", "buy: p99<1s")
                .map(ServiceLevelObjective::parse)
                .toList();
        assertThat(ServiceLevelObjective.withDefaults(given))
                .extracting(ServiceLevelObjective::text)
                .containsExactly("max<1s", "p99<1s", "buy: p99<1s", "errors<1%");
        ServiceLevelObjective errors = ServiceLevelObjective.parse("errors<5%");
        assertThat(ServiceLevelObjective.withDefaults(List.of(errors, errors))).containsExactly(errors);
    }

    @Test
    void limits_may_be_as_large_as_all_and_as_small_as_nothing() {
        assertThat(new ServiceLevelObjective.Errors(new ServiceLevelObjective.Ceiling(true), BigDecimal.ZERO).limit())
                .isEqualTo("<= 0 %");
        assertThat(new ServiceLevelObjective.AchievedRate(true, BigDecimal.valueOf(100)).limit())
                .isEqualTo(">= 100 %");
        assertThat(new ServiceLevelObjective.Mean(new ServiceLevelObjective.Ceiling(false), 1).limit())
                .isEqualTo("< 1 ns");
        assertThat(new ServiceLevelObjective.Percentile(100, new ServiceLevelObjective.Ceiling(false), 1).subject())
                .isEqualTo("max");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServiceLevelObjective.Percentile(0, new ServiceLevelObjective.Ceiling(false), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServiceLevelObjective.Errors(
                        new ServiceLevelObjective.Ceiling(false), BigDecimal.valueOf(100.1)));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new ServiceLevelObjective.Percentile(50, new ServiceLevelObjective.Ceiling(false), 0));
        assertThat(new ServiceLevelObjective.Ceiling(false).keeps(5L, 5L)).isFalse();
        assertThat(new ServiceLevelObjective.Ceiling(true).keeps(5L, 5L)).isTrue();
        assertThat(new ServiceLevelObjective.Ceiling(true).keeps(6L, 5L)).isFalse();
    }

    // ---- serial runs

    private static SerialResult serial(GeneratorHealth health) {
        Exchange exchange = new Exchange(0);
        exchange.begin(0, 0, 0);
        exchange.completedAt = 900 * MS;
        return serial(health, List.of(List.of(exchange)), new TreeMap<>());
    }

    private static SerialResult serial(
            GeneratorHealth health, List<List<Exchange>> runs, SortedMap<String, Long> failures) {
        return new SerialResult(
                new SerialPlan(1, 1, 1, 1, false, Duration.ofSeconds(1), 1),
                "x",
                Instant.EPOCH,
                S,
                S,
                runs,
                ConnectionCounts.NONE,
                TargetCounts.NONE,
                failures,
                true,
                health,
                List.of());
    }

    @Test
    void serial_runs_without_an_answer_measured_nothing_and_say_why() {
        Exchange failed = new Exchange(0);
        failed.begin(0, 0, 0);
        failed.completedAt = MS;
        failed.outcome = Outcome.failed("refused");
        List<List<Exchange>> runs = List.of(List.of(failed), List.of(failed));
        GeneratorHealth calm = hiccups(0, 0);
        assertThat(SerialChecks.of(serial(calm, runs, new TreeMap<>(Map.of("reset", 1L, "refused", 1L)))))
                .extracting(Caveat::text)
                .containsExactly("nothing was measured: no request was answered: refused, reset");
        assertThat(SerialChecks.of(serial(calm, runs, new TreeMap<>())))
                .extracting(Caveat::text)
                .containsExactly("nothing was measured: no request was answered");
        assertThat(SerialChecks.of(serial(calm, List.of(), new TreeMap<>())))
                .extracting(Caveat::text)
                .containsExactly("nothing was measured: no run was completed");
    }

    private static GeneratorHealth hiccups(long longest, long all) {
        return new GeneratorHealth(20 * S, 3 * S, longest, 5 * S, all, 0, 0, 0, 0);
    }

    @Test
    void serial_runs_are_doubted_for_what_this_process_did_to_them() {
        assertThat(SerialChecks.of(serial(hiccups(20 * MS - 1, S)))).isEmpty();
        assertThat(SerialChecks.of(serial(hiccups(20 * MS, S + 1))))
                .containsExactly(
                        new OwnDelay.OftenLate(S + 1, 20 * S), new OwnDelay.HiccupDuringRun(20 * MS, 5 * S, 900 * MS));
    }

    // ---- variants

    private static Variants.MeasuredVariant measured(String name, int slices, long nanos) {
        List<RunResult> all = new ArrayList<>();
        for (int i = 0; i < slices; i++) {
            RunFixture slice = new RunFixture();
            for (int second = 1; second <= 20; second++) {
                slice.answered(50, 0, nanos / 4, nanos + (i + second) * 7 % 11 * 10_000)
                        .until(second * S);
            }
            all.add(slice.result());
        }
        return new Variants.MeasuredVariant(name, all.get(0).plan(), all);
    }

    @Test
    void variants_are_compared_over_the_turns_that_all_of_them_had() {
        List<ServiceLevelObjective> slos = List.of(ServiceLevelObjective.parse("p50<3ms"));
        Variants variants = Variants.of(
                List.of(measured("a", 6, 2 * MS), measured("b", 5, 4 * MS)), slos, RequiredCertainty.PLAIN, List.of());
        assertThat(variants.turns()).isEqualTo(5);
        assertThat(variants.againstFirst()).singleElement().satisfies(comparison -> {
            assertThat(comparison.outcome()).isEqualTo(Comparison.Difference.SLOWER);
            assertThat(comparison.inTurns()).isTrue();
            assertThat(comparison.base().runs()).hasSize(5);
            assertThat(comparison.doubts()).isEmpty();
        });
        assertThat(variants.variants())
                .extracting(variant -> variant.verdict().service())
                .containsExactly(RunVerdict.Service.MET, RunVerdict.Service.MISSED);
        Variants.Variant first = variants.variants().get(0);
        assertThat(first.total().ledger().answered()).isEqualTo(6_000);
        assertThat(first.quantiles())
                .extracting(Variants.Quantile::percentile)
                .containsExactly(50.0, 90.0, 95.0, 99.0, 99.9);
        assertThat(first.quantiles()).allSatisfy(quantile -> {
            assertThat(quantile.isLowerBound()).isFalse();
            assertThat(quantile.interval()).isPresent();
        });
        // a quarter of the time of an answer was waited before it: a fifth of all
        assertThat(first.poolWaitShare().orElseThrow()).isCloseTo(0.2, within(0.01));
    }

    @Test
    void four_turns_give_no_interval_and_an_unfinished_one_does_not_count() {
        Variants few = Variants.of(
                List.of(measured("a", 4, 2 * MS), measured("b", 4, 4 * MS)),
                List.of(),
                RequiredCertainty.PLAIN,
                List.of());
        assertThat(few.variants().get(0).quantiles())
                .allSatisfy(quantile -> assertThat(quantile.interval()).isEmpty());
        assertThat(few.againstFirst().get(0).doubts())
                .extracting(Incomparable::code)
                .containsExactly("too_short");
        RunResult broken = new RunFixture()
                .answered(500, 2 * MS)
                .timedOut(100, S)
                .ended(RunSpan.Ending.INTERRUPTED, 20 * S)
                .result();
        Variants.MeasuredVariant cut = new Variants.MeasuredVariant("b", broken.plan(), List.of(broken));
        Variants none =
                Variants.of(List.of(measured("a", 1, 2 * MS), cut), List.of(), RequiredCertainty.PLAIN, List.of());
        assertThat(none.turns()).isZero();
        assertThat(none.againstFirst()).isEmpty();
        assertThat(none.variants().get(1).quantiles())
                .extracting(Variants.Quantile::isLowerBound)
                .containsExactly(false, true, true, true);
        Variants.MeasuredVariant nothing = new Variants.MeasuredVariant(
                "c", broken.plan(), List.of(new RunFixture().failed(3, "x", MS).result()));
        Variants.Variant empty = Variants.of(List.of(nothing, nothing), List.of(), RequiredCertainty.PLAIN, List.of())
                .variants()
                .get(0);
        assertThat(empty.poolWaitShare()).isEqualTo(OptionalDouble.empty());
        assertThat(empty.quantiles()).isEmpty();
    }

    @Test
    void an_objective_for_requests_that_there_are_not_is_refused() {
        List<ServiceLevelObjective> asked =
                List.of(ServiceLevelObjective.parse("p99<1s"), ServiceLevelObjective.parse("buy: p99<1s"));
        ServiceLevelObjective.Named.refuseUnknown(asked, List.of("buy"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceLevelObjective.Named.refuseUnknown(asked, List.of("sell", "look")))
                .withMessage("objective 'buy: p99<1s': no request is called 'buy' (there are: sell, look)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceLevelObjective.Named.refuseUnknown(asked, List.of()))
                .withMessage("objective 'buy: p99<1s': no request is called 'buy': all are alike");
    }
}
