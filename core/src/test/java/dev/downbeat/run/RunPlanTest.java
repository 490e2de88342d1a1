package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunPlanTest {
    private static final Workload LOAD = new Workload.Open(new Constant(Rate.perSecond(100)));

    private static RunPlan.Builder lasting(Duration duration) {
        return RunPlan.builder(LOAD).duration(duration);
    }

    @Test
    void slices_share_the_requests_evenly_and_the_first_have_one_more() {
        RunPlan ten = RunPlan.builder(LOAD).maxRequests(10).build();
        assertThat(IntStream.range(0, 3).mapToLong(i -> ten.slice(LOAD, i, 3).maxRequests()))
                .containsExactly(4L, 3L, 3L);
        assertThat(IntStream.range(0, 5).mapToLong(i -> ten.slice(LOAD, i, 5).maxRequests()))
                .containsExactly(2L, 2L, 2L, 2L, 2L);
        assertThat(ten.slice(LOAD, 29, 30).maxRequests())
                .as("a plan needs a request")
                .isOne();
        assertThat(ten.slice(LOAD, 0, 3).durationNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void slices_share_the_duration() {
        RunPlan plan = lasting(Duration.ofNanos(10)).build();
        assertThat(plan.slice(LOAD, 2, 3).durationNanos()).isEqualTo(3);
        assertThat(plan.slice(LOAD, 2, 30).durationNanos()).isOne();
        assertThat(plan.slice(LOAD, 0, 3).maxRequests()).isEqualTo(Long.MAX_VALUE);
        Workload other = new Workload.Open(new Constant(Rate.perSecond(1)));
        assertThat(plan.slice(other, 0, 3).workload()).isEqualTo(other);
    }

    /** It looks at the median twenty times at least, or each second. */
    @ParameterizedTest(name = "a run of {0} s: {1} s in intervals of {2} ms")
    @CsvSource({"1, 3, 150", "2, 6, 300", "10, 30, 1000", "19, 57, 1000", "20, 60, 1000", "21, 60, 1000"})
    void a_warm_up_until_steady_lasts_three_runs_and_a_minute_at_most(int seconds, int longest, int intervalMillis) {
        RunPlan warmUp = lasting(Duration.ofSeconds(seconds))
                .maxRequests(7)
                .warmUpUntilSteady()
                .build()
                .warmUp();
        assertThat(warmUp.durationNanos()).isEqualTo(Duration.ofSeconds(longest).toNanos());
        assertThat(warmUp.intervalNanos())
                .isEqualTo(Duration.ofMillis(intervalMillis).toNanos());
        assertThat(warmUp.maxRequests()).isEqualTo(Long.MAX_VALUE);
        assertThat(warmUp.warmUpNanos()).isZero();
        assertThat(warmUp.workload()).isEqualTo(LOAD);
    }

    @Test
    void a_warm_up_of_a_given_length_keeps_the_interval_and_does_not_wait_for_the_start() {
        RunPlan warmUp = lasting(Duration.ofSeconds(5))
                .warmUp(Duration.ofSeconds(2))
                .start(Instant.EPOCH)
                .build()
                .warmUp();
        assertThat(warmUp.durationNanos()).isEqualTo(2_000_000_000L);
        assertThat(warmUp.intervalNanos()).isEqualTo(1_000_000_000L);
        assertThat(warmUp.start()).isEmpty();
        assertThat(warmUp.warmsUpUntilSteady()).isFalse();
    }

    @Test
    void generators_are_numbered_over_all_shards() {
        RunPlan plan = lasting(Duration.ofSeconds(1))
                .generators(3)
                .shard(new Shard(2, 5))
                .build();
        assertThat(plan.shares()).isEqualTo(15);
        assertThat(IntStream.range(0, 3).map(plan::globalIndex)).containsExactly(6, 7, 8);
    }

    @Test
    void a_run_waits_for_outstanding_requests_as_long_as_for_each_unless_told_otherwise() {
        assertThat(lasting(Duration.ofSeconds(1)).build().drainNanos())
                .isEqualTo(Duration.ofSeconds(30).toNanos());
        assertThat(lasting(Duration.ofSeconds(1))
                        .timeout(Duration.ofMillis(7))
                        .build()
                        .drainNanos())
                .isEqualTo(7_000_000);
        assertThat(lasting(Duration.ofSeconds(1)).drain(Duration.ZERO).build().drainNanos())
                .isZero();
    }

    @Test
    void a_copy_differs_only_in_what_was_asked_for() {
        RunPlan plan = lasting(Duration.ofSeconds(3))
                .maxRequests(11)
                .timeout(Duration.ofSeconds(2))
                .timeoutFrom(RunPlan.TimeoutFrom.SENT)
                .drain(Duration.ofSeconds(4))
                .generators(2)
                .interval(Duration.ofMillis(50))
                .shard(new Shard(1, 2))
                .warmUp(Duration.ofMillis(5))
                .build();
        RunPlan later = plan.startingAt(Instant.EPOCH);
        assertThat(later.start()).contains(Instant.EPOCH);
        assertThat(later).usingRecursiveComparison().ignoringFields("start").isEqualTo(plan);
        RunPlan coarser = plan.inIntervals(Duration.ofSeconds(9));
        assertThat(coarser.intervalNanos()).isEqualTo(9_000_000_000L);
        assertThat(coarser)
                .usingRecursiveComparison()
                .ignoringFields("intervalNanos")
                .isEqualTo(plan);
    }

    @Test
    void a_plan_that_would_never_end_or_cannot_be_shared_out_is_refused() {
        assertThatThrownBy(() -> RunPlan.builder(LOAD).build())
                .hasMessage("a plan needs a duration or a number of requests");
        assertThatThrownBy(() -> lasting(Duration.ofSeconds(1))
                        .generators(100_000)
                        .shard(new Shard(0, 100_000))
                        .build())
                .hasMessage("generators over all shards must be at most 2147483647, but were 10000000000");
        RunPlan.Builder clients =
                RunPlan.builder(new Workload.Closed(4, ThinkTime.none())).maxRequests(9);
        assertThat(clients.generators(4).build().generators()).isEqualTo(4);
        assertThatThrownBy(() -> clients.generators(5).build())
                .hasMessage("generators must be at most the number of clients, 4, but was 5");
    }

    @Test
    void values_out_of_range_are_refused_with_the_value() {
        RunPlan.Builder plan = RunPlan.builder(LOAD);
        assertThatThrownBy(() -> plan.duration(Duration.ZERO)).hasMessage("duration must be above zero, but was 0s");
        assertThatThrownBy(() -> plan.timeout(Duration.ofNanos(-1)))
                .hasMessage("timeout must be above zero, but was PT-0.000000001S");
        assertThatThrownBy(() -> plan.interval(Duration.ZERO)).hasMessageStartingWith("interval must be above zero");
        assertThatThrownBy(() -> plan.maxRequests(0)).hasMessage("maxRequests must be at least 1, but was 0");
        assertThatThrownBy(() -> plan.generators(0)).hasMessage("generators must be at least 1, but was 0");
        assertThatThrownBy(() -> plan.drain(Duration.ofNanos(-1))).hasMessageStartingWith("drain must not be negative");
        assertThat(plan.maxRequests(1)
                        .duration(Duration.ofNanos(1))
                        .timeout(Duration.ofNanos(1))
                        .build()
                        .timeoutNanos())
                .isOne();
    }

    private static SerialPlan serial(int runs, int requests, int concurrency, int warmUpRuns, Duration timeout) {
        return new SerialPlan(runs, requests, concurrency, warmUpRuns, false, timeout, 1);
    }

    @Test
    void serial_runs_make_ten_million_requests_at_most() {
        Duration second = Duration.ofSeconds(1);
        assertThat(serial(9, 1_000_000, 1, 1, second).shares()).isEqualTo(10);
        assertThatThrownBy(() -> serial(10, 1_000_000, 1, 1, second))
                .hasMessage("(runs + warm-up runs) x requests must be at most 10000000, but was 11000000");
        assertThat(serial(50_000, 1, 1_000, 1_000, second).shares()).isEqualTo(51_000);
        assertThatThrownBy(() -> serial(50_001, 1, 1, 1, second))
                .hasMessage("runs must be from 1 to 50000, but was 50001");
        assertThatThrownBy(() -> serial(1, 0, 1, 1, second))
                .hasMessage("requests must be from 1 to 1000000, but was 0");
        assertThatThrownBy(() -> serial(1, 1_000_001, 1, 1, second)).hasMessageStartingWith("requests must be");
        assertThatThrownBy(() -> serial(1, 1, 1_001, 1, second)).hasMessageStartingWith("concurrency must be");
        assertThatThrownBy(() -> serial(1, 1, 1, 1_001, second)).hasMessageStartingWith("warm-up runs must be");
        assertThatThrownBy(() -> serial(1, 1, 1, 1, Duration.ZERO))
                .hasMessage("timeout must be above zero, but was PT0S");
        assertThatThrownBy(() -> serial(1, 1, 1, 1, Duration.ofNanos(-1))).hasMessageStartingWith("timeout must be");
    }

    @Test
    void a_load_is_steady_if_its_rate_is() {
        Constant even = new Constant(Rate.perSecond(5));
        ThinkTime none = ThinkTime.none();
        assertThat(List.of(
                        new Workload.Open(even).isSteady(),
                        new Workload.PartlyOpen(even, 1, none).isSteady(),
                        new Workload.Closed(1, none).isSteady()))
                .containsOnly(true);
        assertThat(List.of(
                        new Workload.Open(Replay.of(1)).isSteady(),
                        new Workload.PartlyOpen(Replay.of(1), 2, none).isSteady(),
                        Workload.External.ofCallers().isSteady()))
                .containsOnly(false);
        assertThat(List.of(
                        new Workload.Open(even).kind(),
                        new Workload.PartlyOpen(even, 1, none).kind(),
                        new Workload.Closed(1, none).kind()))
                .containsExactly("open", "partly-open", "closed");
        assertThat(List.of(
                        new Workload.Open(even).ratePerSecond(),
                        new Workload.Open(new Poisson(Rate.perSecond(7), 1)).ratePerSecond(),
                        new Workload.PartlyOpen(even, 3, none).ratePerSecond()))
                .containsExactly(OptionalDouble.of(5), OptionalDouble.of(7), OptionalDouble.of(15));
        assertThat(List.of(
                        new Workload.PartlyOpen(Replay.of(1), 2, none).ratePerSecond(),
                        new Workload.Closed(1, none).ratePerSecond()))
                .containsOnly(OptionalDouble.empty());
        assertThat(new Workload.Open(even).waitingClients()).isZero();
        assertThatThrownBy(() -> new Workload.Closed(0, none)).hasMessage("clients must be at least 1, but was 0");
        assertThatThrownBy(() -> new Workload.PartlyOpen(even, 0, none))
                .hasMessage("requests must be at least 1, but was 0");
    }

    @Test
    void pauses_are_constant_random_about_their_mean_or_those_of_a_script() {
        assertThat(new ThinkTime.Constant(7).pauseNanos(3, 9)).isEqualTo(7);
        assertThat(ThinkTime.none().meanNanos()).isZero();
        ThinkTime random = new ThinkTime.Exponential(1_000_000, 5);
        assertThat(random.pauseNanos(1, 2))
                .isEqualTo(random.pauseNanos(1, 2))
                .isNotEqualTo(random.pauseNanos(1, 3))
                .isNotEqualTo(random.pauseNanos(2, 2))
                .isNotEqualTo(new ThinkTime.Exponential(1_000_000, 6).pauseNanos(1, 2));
        double mean = IntStream.range(0, 10_000)
                .mapToLong(n -> random.pauseNanos(n % 7, n))
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(950_000.0, 1_050_000.0); // five standard errors
        ThinkTime script =
                new ThinkTime.ByStep(List.of(new ThinkTime.Constant(10), new ThinkTime.Constant(21), random));
        assertThat(script.steps()).isEqualTo(3);
        assertThat(IntStream.range(0, 5).filter(n -> n != 2).mapToLong(n -> script.pauseNanos(0, n)))
                .containsExactly(10L, 21L, 10L, 21L);
        assertThat(script.pauseNanos(4, 2)).isEqualTo(random.pauseNanos(4, 2));
        assertThat(script.meanNanos()).isEqualTo(Math.round((10 + 21 + 1_000_000) / 3.0));
        assertThat(List.of(script.kind(), random.kind(), ThinkTime.none().kind()))
                .containsExactly("scripted", "exponential", "constant");
        assertThat(random.steps()).isOne();
        assertThatThrownBy(() -> new ThinkTime.ByStep(List.of()))
                .hasMessage("before must have at least 1 pause, but was empty");
        assertThatThrownBy(() -> new ThinkTime.Constant(-1)).hasMessage("meanNanos must be at least 0, but was -1");
        assertThatThrownBy(() -> new ThinkTime.Exponential(-1, 0)).hasMessageStartingWith("meanNanos must be");
    }
}
