package dev.downbeat.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.testing.Simulated;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Two services of known speed, in virtual time. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SearchInTurnsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final SearchPlan PLAN = new SearchPlan(
            20,
            500,
            20 * SECOND,
            900 * SECOND,
            List.of(ServiceLevelObjective.parse("p90<500ms")),
            0.05,
            OptionalLong.empty());

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    private SearchInTurns.Side side(String name, double perSecond) {
        long[] seeds = {Math.round(perSecond) * 1_000};
        SimulatedService service = SimulatedService.of(new ServiceLaw.Exponential(Math.round(SECOND / perSecond)));
        return new SearchInTurns.Side(
                (rate, nanos) -> {
                    order.add(name);
                    RunPlan plan = RunPlan.builder(new Workload.Open(
                                    new Poisson(new Rate(Math.round(rate * 1_000), 1_000 * SECOND), seeds[0]++)))
                            .duration(Duration.ofNanos(nanos))
                            .interval(Duration.ofNanos(PLAN.stretchNanos()))
                            .drain(Duration.ofSeconds(2))
                            .build();
                    return new Simulation(plan, service, RetryPolicy.none(), seeds[0])
                            .run(Progress.none())
                            .result();
                },
                step -> {});
    }

    @Test
    void one_that_is_four_times_as_quick_keeps_the_objective_at_four_times_the_load() throws IOException {
        CapacityComparison found = new SearchInTurns(PLAN, side("a", 50), side("b", 200)).run();
        // p90 of M/M/1 is ln 10 / (mu - lambda): 500 ms at 45.4/s and at 195.4/s
        double truth = (200 - Math.log(10) / 0.5) / (50 - Math.log(10) / 0.5);
        assertThat(found.outcome()).isEqualTo(CapacityComparison.Outcome.MORE);
        assertThat(found.lowFactor().orElseThrow()).isLessThan(truth * 1.05);
        assertThat(found.highFactor().orElseThrow()).isGreaterThan(truth * 0.95);
        assertThat(found.factor().orElseThrow()).isBetween(3.0, 6.0);
        assertThat(found.bothPerSecond()).isEqualTo(found.base().sustainablePerSecond());
        CapacityComparison turned = new CapacityComparison(found.other(), found.base());
        assertThat(turned.outcome()).isEqualTo(CapacityComparison.Outcome.LESS);
        assertThat(order.subList(0, 6)).isSubsetOf("a", "b").contains("a", "b");
    }

    @Test
    void no_difference_is_found_between_equally_quick_ones() throws IOException {
        CapacityComparison found = new SearchInTurns(PLAN, side("a", 60), side("b", 60)).run();
        assertThat(found.outcome()).isEqualTo(CapacityComparison.Outcome.CANNOT_TELL);
        assertThat(found.lowFactor().orElseThrow()).isLessThanOrEqualTo(1);
        assertThat(found.highFactor().orElseThrow()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void where_one_cannot_be_measured_there_is_no_answer() {
        SearchInTurns.Side nobody = new SearchInTurns.Side(
                (rate, nanos) -> {
                    throw new IOException("nobody there");
                },
                step -> {});
        assertThatThrownBy(() -> new SearchInTurns(PLAN, side("a", 50), nobody).run())
                .isInstanceOf(IOException.class)
                .hasMessage("nobody there");
        assertThatThrownBy(() -> new SearchInTurns(PLAN, nobody, side("b", 50)).run())
                .isInstanceOf(IOException.class)
                .hasMessage("nobody there");
    }

    @Test
    void where_one_is_gone_both_end_and_what_was_measured_of_both_is_kept() throws IOException {
        SearchInTurns.Side a = side("a", 50);
        SearchInTurns.Side b = side("b", 200);
        int[] runs = {0};
        SearchInTurns.Side mortal = new SearchInTurns.Side(
                (rate, nanos) -> {
                    if (runs[0]++ == 2) {
                        throw new IOException("nobody there");
                    }
                    return b.measurement().measure(rate, nanos);
                },
                step -> {});
        CapacityComparison found = new SearchInTurns(PLAN, a, mortal).run();
        assertThat(found.other().steps()).hasSizeBetween(1, 2);
        assertThat(found.other().unmeasured().orElseThrow().reason()).isEqualTo("nobody there");
        assertThat(found.base().steps()).isNotEmpty();
        assertThat(found.base().unmeasured().orElseThrow().reason()).startsWith("the other target could no longer");
    }
}
