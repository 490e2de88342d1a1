package dev.downbeat.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Gil Tene, "How NOT to Measure Latency": 100 requests a second of 1 ms, 100 s good, then 100 s frozen. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TeneTest {
    private static final SimulatedService MANY =
            SimulatedService.of(ServiceLaw.parse("1ms")).servers(20_000);

    private static RunPlan.Builder plan() {
        return Cases.plan(new Workload.Open(new Constant(Rate.perSecond(100)))).duration(Duration.ofSeconds(200));
    }

    private static Simulation.Simulated run(RunPlan.Builder plan, SimulatedService service, String stall) {
        return Cases.run(plan.build(), service.stall(Stall.parse(stall)), RetryPolicy.none(), 1);
    }

    private static void assertSeconds(long nanos, double seconds, double tolerance) {
        assertThat(nanos / 1e9).isCloseTo(seconds, within(tolerance));
    }

    @Test
    void requests_in_a_freeze_are_answered_together() {
        Simulation.Simulated simulated = run(plan(), MANY, "100s@100s");
        Distribution response = simulated.result().recording().response();
        assertThat(simulated.result().ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
        assertSeconds(response.meanNanos(), 25.0035, 0.02);
        assertSeconds(response.valueAtPercentile(50), 0.001, 0.000_002);
        assertSeconds(response.valueAtPercentile(75), 50.001, 0.06);
        assertSeconds(response.valueAtPercentile(90), 80.001, 0.09);
        assertSeconds(response.valueAtPercentile(99), 98.001, 0.11);
        assertSeconds(response.valueAtPercentile(99.9), 99.801, 0.11);
        assertSeconds(response.valueAtPercentile(99.99), 99.981, 0.11);
        assertSeconds(response.maxNanos(), 100.001, 0.11);
        assertThat(simulated.queue().most()).isZero();
    }

    @Test
    void a_single_server_must_also_drain_the_queue() {
        Simulation.Simulated simulated = run(plan(), MANY.servers(1), "100s@100s");
        Distribution response = simulated.result().recording().response();
        assertSeconds(response.meanNanos(), 27.503, 0.02);
        assertSeconds(response.valueAtPercentile(75), 55.001, 0.06);
        assertSeconds(response.valueAtPercentile(90), 82.001, 0.09);
        assertSeconds(response.valueAtPercentile(99), 98.201, 0.11);
        assertSeconds(response.maxNanos(), 100.001, 0.11);
        assertThat(simulated.queue().most()).isEqualTo(9_999); // and one is being worked on
    }

    @Test
    void a_run_that_ends_in_the_freeze_has_lower_bounds_and_loses_no_request() {
        Simulation.Simulated simulated = run(plan().drain(Duration.ZERO), MANY, "1h@100s");
        assertThat(simulated.result().ledger()).isEqualTo(new Ledger(20_000, 10_000, 0, 0, 0, 10_000, 0));
        assertSeconds(simulated.result().recording().response().meanNanos(), 0.001, 0.000_001);
        assertThat(simulated.result().recording().isKnownAt(75)).isFalse();
        assertSeconds(simulated.result().recording().responseAtLeast().valueAtPercentile(75), 50, 0.06);
    }
}
