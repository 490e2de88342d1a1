package dev.downbeat.event;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.VirtualService;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From where on unanswered requests are an overload: seconds of a run by hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OverloadLimitsTest {
    private static final Workload STEADY = new Workload.Open(new Constant(Rate.perSecond(100)));

    /** Times that grow by half a second each second. */
    private static final IntToLongFunction GROWING = second -> (second + 1) * S / 2;

    /** Each second plans as many requests, and answers some of them after a time; the others stay in flight. */
    private static List<Overload> overloads(
            Workload workload, int seconds, int planned, IntUnaryOperator answered, IntToLongFunction nanos) {
        RunFixture run = new RunFixture().workload(workload, Duration.ofSeconds(seconds));
        for (int i = 0; i < seconds; i++) {
            int count = answered.applyAsInt(i);
            run.answered(count, nanos.applyAsLong(i))
                    .inFlight(planned - count, S)
                    .until((i + 1) * S);
        }
        return RunEvents.overloads(
                run.ended(RunSpan.Ending.COMPLETE, seconds * S).result());
    }

    private static List<Overload> overloads(IntUnaryOperator answered) {
        return overloads(STEADY, 100, 100, answered, GROWING);
    }

    /** Half of them from one second on. */
    private static IntUnaryOperator halfFrom(int from) {
        return second -> second < from ? 100 : 50;
    }

    @Test
    void an_overload_of_a_steady_load_takes_three_tenths_of_it() {
        assertThat(overloads(halfFrom(70))).singleElement().satisfies(overload -> {
            assertThat(overload.startNanos()).isEqualTo(70 * S);
            assertThat(overload.endNanos()).isEqualTo(100 * S);
            assertThat(overload.isOpen()).isTrue();
            assertThat(overload.offeredPerSecond()).isEqualTo(100);
            assertThat(overload.answeredPerSecond()).isEqualTo(50);
            assertThat(overload.timedOutShare()).isZero();
            assertThat(overload.limit()).isEmpty();
            assertThat(overload.retries()).isEmpty();
        });
        assertThat(overloads(halfFrom(71))).isEmpty();
    }

    @Test
    void an_overload_of_a_changing_load_takes_a_tenth_of_it() {
        Workload ramp =
                new Workload.Open(new Ramp(Rate.perSecond(99), Rate.perSecond(101), 100 * S, new Spacing.Even()));
        assertThat(overloads(ramp, 100, 100, halfFrom(90), GROWING))
                .singleElement()
                .extracting(Overload::startNanos)
                .isEqualTo(90 * S);
        assertThat(overloads(ramp, 100, 100, halfFrom(91), GROWING)).isEmpty();
        assertThat(overloads(ramp, 100, 100, halfFrom(5), GROWING))
                .singleElement()
                .extracting(Overload::startNanos)
                .as("it was not there before")
                .isEqualTo(5 * S);
    }

    @Test
    void a_steady_overload_that_shows_in_the_first_tenth_was_there_from_the_start() {
        assertThat(overloads(halfFrom(9))).singleElement().satisfies(overload -> {
            assertThat(overload.startNanos()).isZero();
            assertThat(overload.offeredPerSecond()).isEqualTo(100);
        });
        assertThat(overloads(halfFrom(10)))
                .singleElement()
                .extracting(Overload::startNanos)
                .isEqualTo(10 * S);
    }

    @Test
    void an_overload_lasts_to_the_end_of_its_load_if_15_per_cent_of_it_are_left() {
        assertThat(overloads(second -> second >= 40 && second < 85 ? 50 : 100))
                .singleElement()
                .satisfies(overload -> {
                    assertThat(overload.startNanos()).isEqualTo(40 * S);
                    assertThat(overload.endNanos()).isEqualTo(100 * S);
                    assertThat(overload.answeredPerSecond()).isEqualTo((45 * 50 + 15 * 100) / 60.0);
                });
        assertThat(overloads(second -> second >= 40 && second < 84 ? 50 : 100))
                .as("one that the service overcame before")
                .singleElement()
                .satisfies(overload -> {
                    assertThat(overload.endNanos()).isEqualTo(84 * S);
                    assertThat(overload.isOpen()).isFalse();
                    assertThat(overload.answeredPerSecond()).isEqualTo(50);
                });
    }

    /** Half of its answers take longer than the timeout, whatever the load: only its first ones are all fast. */
    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {100, 300})
    void a_slow_service_without_a_queue_is_overloaded_at_no_rate(int perSecond) {
        SplittableRandom random = new SplittableRandom(1);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(Duration.ofSeconds(60))
                .timeout(Duration.ofSeconds(2))
                .build();
        assertThat(RunEvents.overloads(VirtualService.run(plan, 1_000, 1_000, index -> random.nextLong(4 * S))))
                .isEmpty();
        assertThat(RunEvents.overloads(VirtualService.run(plan, 1_000, perSecond, index -> random.nextLong(4 * S))))
                .hasSize(1);
    }

    /** Chance has made some answers of so many groups faster, and too few tell nothing. */
    @ParameterizedTest(name = "{0} a minute")
    @ValueSource(ints = {20, 300, 1_200, 6_000, 12_000, 24_000})
    void a_service_that_often_takes_longer_than_its_timeout_is_overloaded_at_no_rate(int perMinute) {
        for (int seed = 1; seed <= 10; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RunPlan plan = RunPlan.builder(
                            new Workload.Open(new Poisson(new Rate(perMinute, 60 * S), random.nextLong())))
                    .duration(Duration.ofSeconds(60))
                    .timeout(Duration.ofSeconds(1))
                    .build();
            RunResult twoKinds =
                    VirtualService.run(plan, 1_000, 1_000, index -> random.nextDouble() < 0.3 ? 5 * S : 600 * MS);
            assertThat(RunEvents.overloads(twoKinds))
                    .as("two kinds, seed %d", seed)
                    .isEmpty();
            RunResult exponential = VirtualService.run(
                    plan, 1_000, 1_000, index -> Math.round(-600 * MS * Math.log(1 - random.nextDouble())));
            assertThat(RunEvents.overloads(exponential))
                    .as("exponential, seed %d", seed)
                    .isEmpty();
        }
    }

    /** After a few answers, all of the others come too late, so only that they cease tells of the backlog. */
    @ParameterizedTest(name = "{0} a minute for {1} s, {2} ms each, timeout {3} ms, exponential: {4}")
    @CsvSource({
        "300, 20, 400, 1_000, false",
        "600, 10, 200, 500, true",
        "120, 60, 1_000, 3_000, false",
        "60, 60, 2_000, 5_000, false"
    })
    void a_service_that_can_do_half_of_a_low_rate_is_overloaded(
            int perMinute, int seconds, int serviceMillis, int timeoutMillis, boolean isExponential) {
        for (int seed = 1; seed <= 8; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            RunPlan plan = RunPlan.builder(
                            new Workload.Open(new Poisson(new Rate(perMinute, 60 * S), random.nextLong())))
                    .duration(Duration.ofSeconds(seconds))
                    .timeout(Duration.ofMillis(timeoutMillis))
                    .build();
            RunResult run = VirtualService.run(
                    plan,
                    1_000,
                    1,
                    index -> Math.round(serviceMillis * MS * (isExponential ? -Math.log(1 - random.nextDouble()) : 1)));
            assertThat(RunEvents.overloads(run)).as("seed %d", seed).hasSize(1);
        }
    }

    /** It is as slow as ever until it hangs, and has answered enough to show that. */
    @ParameterizedTest(name = "{0}/s, hangs after {1} of 60 s")
    @CsvSource({"100, 20", "100, 50", "300, 40"})
    void a_slow_service_that_hangs_for_good_is_not_overloaded(int perSecond, int hangs) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(Duration.ofSeconds(60))
                .timeout(Duration.ofSeconds(1))
                .build();
        SplittableRandom random = new SplittableRandom(1);
        assertThat(RunEvents.overloads(VirtualService.frozen(
                        plan, 1_000, index -> 500 * MS + random.nextLong(300 * MS), hangs * S, 70 * S)))
                .isEmpty();
        assertThat(RunEvents.overloads(VirtualService.frozen(
                        plan, 1_000, index -> 500 * MS + random.nextLong(600 * MS), hangs * S, 70 * S)))
                .as("slower than its timeout at times")
                .isEmpty();
    }

    @Test
    void more_than_one_in_twenty_is_not_answered() {
        assertThat(overloads(second -> 94)).hasSize(1);
        assertThat(overloads(second -> 95)).isEmpty();
    }

    /** Of 900 requests 90 are three standard deviations. */
    @Test
    void what_is_not_answered_exceeds_three_standard_deviations_of_what_was_planned() {
        assertThat(overloads(STEADY, 90, 10, second -> 9, GROWING)).isEmpty();
        assertThat(overloads(STEADY, 91, 10, second -> 9, GROWING)).hasSize(1);
    }

    /** The backlog of half of the load takes 50 s to drain, of which a fifth are 10 s. */
    @Test
    void a_backlog_makes_response_times_grow() {
        assertThat(overloads(STEADY, 100, 100, second -> 50, last(10_900))).isEmpty();
        assertThat(overloads(STEADY, 100, 100, second -> 50, last(11_100))).hasSize(1);
    }

    /** A second in the first half, and another time in the last quarter. */
    private static IntToLongFunction last(long millis) {
        return second -> second < 75 ? S : millis * MS;
    }

    @Test
    void a_service_that_answers_one_in_twenty_is_stalled() {
        assertThat(overloads(second -> 5)).isEmpty();
        assertThat(overloads(second -> 6)).hasSize(1);
    }

    /** Timeouts keep the backlog from growing: the answers then take a fifth of the timeout of 30 s at least. */
    @Test
    void requests_that_time_out_behind_slow_answers_are_an_overload() {
        assertThat(timingOut(10, 6_100)).singleElement().satisfies(overload -> {
            assertThat(overload.startNanos()).isZero();
            assertThat(overload.timedOutShare()).isEqualTo(0.1);
        });
        assertThat(timingOut(10, 5_900))
                .as("it answers promptly what it answers")
                .isEmpty();
        assertThat(timingOut(5, 6_100)).as("one in twenty").isEmpty();
    }

    @Test
    void a_service_that_was_never_prompter_is_not_overloaded_by_its_timeouts() {
        for (int quickSeconds : new int[] {0, 1}) {
            RunFixture run = new RunFixture().workload(STEADY, Duration.ofSeconds(100));
            for (int i = 0; i < 100; i++) {
                run.answered(90, i < quickSeconds ? 4_000 * MS : 6_100 * MS)
                        .timedOut(10, 30 * S)
                        .until((i + 1) * S);
            }
            assertThat(RunEvents.overloads(
                            run.ended(RunSpan.Ending.COMPLETE, 100 * S).result()))
                    .as("%d seconds with answers in two thirds of the time", quickSeconds)
                    .hasSize(quickSeconds);
        }
    }

    @Test
    void a_service_that_was_never_prompter_is_overloaded_if_requests_wait_for_a_connection() {
        RunFixture run = new RunFixture().workload(STEADY, Duration.ofSeconds(100));
        for (int i = 0; i < 100; i++) {
            run.answered(90, 0, 6_000 * MS, 100 * MS).timedOut(10, 30 * S).until((i + 1) * S);
        }
        assertThat(RunEvents.overloads(
                        run.ended(RunSpan.Ending.COMPLETE, 100 * S).result()))
                .hasSize(1);
    }

    private static List<Overload> timingOut(int count, long millis) {
        RunFixture run = new RunFixture().warmedUp().workload(STEADY, Duration.ofSeconds(100));
        for (int i = 0; i < 100; i++) {
            run.answered(100 - count, millis * MS).timedOut(count, 30 * S).until((i + 1) * S);
        }
        return RunEvents.overloads(run.ended(RunSpan.Ending.COMPLETE, 100 * S).result());
    }
}
