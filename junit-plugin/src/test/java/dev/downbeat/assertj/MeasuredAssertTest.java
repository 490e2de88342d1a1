package dev.downbeat.assertj;

import static dev.downbeat.assertj.MeasuredAssert.assertThat;
import static dev.downbeat.load.Objective.p;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.load.Measured;
import dev.downbeat.load.MeasuredFixture;
import dev.downbeat.load.ServiceRecorder;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.verdict.RunVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasuredAssertTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** Recorded from afar, so that this machine has no part in it. */
    private static Measured orders() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int millis = 1; millis <= 1_000; millis++) {
                long cameAt = orders.arrived(System.nanoTime());
                orders.answered(cameAt, cameAt, cameAt + millis * MILLI);
            }
            return orders.take();
        }
    }

    @Test
    void met_objectives_pass_and_missed_ones_fail_with_the_sentence() {
        Measured orders = orders();
        assertThat(orders).isSound().meets("p50<1s", "errors<1%");
        assertThat(orders).percentile(99).isBetween(Duration.ofMillis(980), Duration.ofMillis(1_000));
        assertThatThrownBy(() -> assertThat(orders).meets("p50<20ms"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("orders: p50 < 20 ms MISSED: measured 50");
        assertThatThrownBy(() -> assertThat(orders).percentile(50).isLessThan(Duration.ofMillis(20)))
                .hasMessageContaining("p50 of orders");
    }

    @Test
    void an_objective_on_times_is_not_met_by_the_half_that_did_not_fail() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int i = 0; i < 1_000; i++) {
                long cameAt = orders.arrived(System.nanoTime());
                if (i % 2 == 0) {
                    orders.answered(cameAt, cameAt, cameAt + MILLI);
                } else {
                    orders.failed(cameAt, "IOException");
                }
            }
            Measured measured = orders.take();
            assertThatThrownBy(() -> assertThat(measured).meets("p90<50ms"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("errors < 1 % MISSED");
            assertThatThrownBy(() -> assertThat(measured).meets(p(90).below(Duration.ofMillis(50))))
                    .hasMessageContaining("errors < 1 % MISSED");
            assertThat(measured).meets("p90<50ms", "errors<=100%");
        }
    }

    @Test
    void the_default_limit_of_errors_must_not_be_missed_but_only_what_is_asked_must_be_decided() {
        try (ServiceRecorder orders = ServiceRecorder.of("orders")) {
            for (int i = 0; i < 100; i++) {
                long cameAt = orders.arrived(System.nanoTime());
                if (i >= 2) { // two are in flight
                    orders.answered(cameAt, cameAt, cameAt + MILLI);
                }
            }
            Measured measured = orders.take();
            measured.judgedBy("p50<50ms").throwUnlessMet();
            assertThat(measured).meets("p50<50ms");
            assertThatThrownBy(() -> assertThat(measured).meets("p50<50ms", "errors<1%"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("errors < 1 % undecided");
        }
    }

    @Test
    void a_run_that_cannot_be_set_against_another_is_not_called_no_slower(@TempDir Path folder) {
        Measured orders = orders();
        Path saved = folder.resolve("orders.hlog");
        orders.save(saved);
        assertThatThrownBy(() -> assertThat(orders).isNotSlowerThan(saved, 0.1)).hasMessageContaining("too short");
    }

    @Test
    void a_request_by_name_that_has_an_objective_must_not_be_slower_though_the_whole_is_not(@TempDir Path folder) {
        Path saved = folder.resolve("shop.hlog");
        shop(Map.of("list", 1.0, "place order", 1.0), 1).save(saved);
        Measured slower = shop(Map.of("list", 1.0, "place order", 1.8), 2);
        assertThat(slower).isNotSlowerThan(saved, 0.2);
        assertThat(slower.judgedBy("list: p50<1s")).isNotSlowerThan(saved, 0.2);
        assertThatThrownBy(
                        () -> assertThat(slower.judgedBy("place order: p50<1s")).isNotSlowerThan(saved, 0.2))
                .hasMessageContaining("'place order' is worse than in " + saved);
        Measured more = shop(Map.of("list", 1.0, "place order", 1.0, "refund", 1.0), 3);
        assertThatThrownBy(() -> assertThat(more.judgedBy("refund: p50<1s")).isNotSlowerThan(saved, 0.2))
                .hasMessage("'refund' cannot be compared: " + saved + " has no request of this name");
    }

    @Test
    void an_objective_that_cannot_fail_is_refused(@TempDir Path folder) {
        Measured orders = orders();
        Path saved = folder.resolve("orders.hlog");
        orders.save(saved);
        for (double tolerance : new double[] {-0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> assertThat(orders).isNotSlowerThan(saved, tolerance))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("tolerance must be at least 0, but was " + tolerance);
        }
        assertThatThrownBy(() -> assertThat(orders).meets())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("p99<50ms");
    }

    @Test
    void a_run_of_another_machine_is_compared_with_nothing_in_silence(@TempDir Path folder) {
        Path saved = folder.resolve("shop.hlog");
        shop(Map.of("list", 1.0), 1).save(saved);
        MachineProfile other =
                new MachineProfile(128, -1, "Linux", "6", "amd64", "a VM 17", List.of("G1"), 20, 25, 60_000, "");
        assertThatThrownBy(() -> assertThat(shop(Map.of("list", 1.0), 2, other)).isNotSlowerThan(saved, 0.1))
                .hasMessageContaining("ran in different environments")
                .hasMessageContaining("cores 128, not ");
    }

    @Test
    void a_load_that_was_cut_short_meets_nothing_whatever_was_met_by_then() {
        MachineProfile here = ReportAccess.of(orders()).machine();
        for (RunSpan.Ending ending : List.of(RunSpan.Ending.COMPLETE, RunSpan.Ending.DECIDED)) {
            assertThat(shop(Map.of("list", 1.0), 1, here, ending)).meets("p50<1s");
        }
        for (RunSpan.Ending ending :
                List.of(RunSpan.Ending.INTERRUPTED, RunSpan.Ending.BROKEN, RunSpan.Ending.CUT_OFF)) {
            Measured cut = shop(Map.of("list", 1.0), 1, here, ending);
            assertThatThrownBy(() -> assertThat(cut).meets("p50<1s"))
                    .as("%s", ending)
                    .isInstanceOf(AssertionError.class);
        }
    }

    /** Twelve seconds; of 200 requests a second as many as there are have another name than "list". */
    private static Measured shop(Map<String, Double> factors, long seed) {
        return shop(factors, seed, ReportAccess.of(orders()).machine());
    }

    private static Measured shop(Map<String, Double> factors, long seed, MachineProfile machine) {
        return shop(factors, seed, machine, RunSpan.Ending.COMPLETE);
    }

    private static Measured shop(
            Map<String, Double> factors, long seed, MachineProfile machine, RunSpan.Ending ending) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> names = factors.keySet().stream().sorted().toList();
        List<Interval> seconds = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder(names);
            recorder.planned(200);
            for (int i = 0; i < 200; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.name = i % 10 < names.size() ? i % 10 : 0;
                exchange.completedAt = (long) (Objects.requireNonNull(factors.get(names.get(exchange.name)))
                        * MILLI
                        * (1 + random.nextExponential()));
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            seconds.add(new Interval(second * SECOND, (second + 1) * SECOND, recorder.drain()));
        }
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(200), 1)))
                .duration(Duration.ofSeconds(20))
                .build();
        RunResult result = new RunResult(
                plan,
                "shop",
                RunSpan.of(Instant.EPOCH, 0, 20 * SECOND, ending),
                seconds.stream().map(Interval::recording).reduce(Recording.empty(), Recording::plus),
                seconds,
                LaneCounts.NONE,
                GeneratorHealth.IDEAL);
        RunReport report = new RunReport(
                result,
                RunVerdict.of(result, List.of()),
                List.of("shop"),
                Optional.empty(),
                "0.1.0",
                machine,
                Map.of());
        return MeasuredFixture.of(report);
    }
}
