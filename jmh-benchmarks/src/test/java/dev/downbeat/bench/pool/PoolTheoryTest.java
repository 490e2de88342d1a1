package dev.downbeat.bench.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Recording;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares simulated pools with queueing theory. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoolTheoryTest {
    private static final long SERVICE_NANOS = 10_000_000;
    private static final int SERVERS = 8;

    private static Recording simulated(int connections) throws IOException {
        ManualClock clock = new ManualClock(0);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(500), 7)))
                .duration(Duration.ofSeconds(400))
                .build();
        return new LoadRun(plan, new VirtualService(clock, connections, SERVERS, SERVICE_NANOS, 11), clock)
                .run(Progress.none())
                .recording();
    }

    @Test
    void the_formula_gives_the_values_of_the_tables() {
        assertThat(new MmcQueue(0.5, 1_000_000_000, 1).waitProbability()).isCloseTo(0.5, within(1e-12));
        assertThat(new MmcQueue(1, 1_000_000_000, 2).waitProbability()).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(new MmcQueue(5, 1_000_000_000, 8).waitProbability()).isCloseTo(0.1673, within(1e-4));
        assertThat(new MmcQueue(500, SERVICE_NANOS, 5).isStable()).isFalse();
    }

    @ParameterizedTest(name = "{0} connections")
    @ValueSource(ints = {6, 7})
    void the_wait_for_a_connection_matches_the_theory(int connections) throws IOException {
        MmcQueue theory = new MmcQueue(500, SERVICE_NANOS, connections);
        Recording run = simulated(connections);
        assertThat((double) run.backlogWait().meanNanos())
                .isCloseTo(theory.meanWaitNanos(), within(0.1 * theory.meanWaitNanos()));
        assertThat((double) run.backlogWait().valueAtPercentile(99))
                .isCloseTo(theory.waitNanos(99), within(0.1 * theory.waitNanos(99)));
    }

    @ParameterizedTest(name = "{0} busy")
    @ValueSource(ints = {5, 20, 25, 30, 50, 100})
    void with_the_rule_few_requests_wait_and_a_slower_service_stays_stable(int busy) {
        long serviceNanos = busy * 1_000_000_000L / 500;
        int enough = MmcQueue.enoughFor(busy);
        MmcQueue theory = new MmcQueue(500, serviceNanos, enough);
        assertThat(theory.waitProbability()).isLessThan(0.25);
        assertThat(theory.meanWaitNanos()).isLessThan(0.06 * serviceNanos);
        MmcQueue slower = new MmcQueue(500, serviceNanos * 11 / 10, enough);
        assertThat(slower.isStable()).isTrue();
        assertThat(slower.meanWaitNanos()).isLessThan(0.2 * serviceNanos);
    }

    /** With more busy connections, waits are too rare for a precise mean in a run of minutes. */
    @ParameterizedTest(name = "{0} busy")
    @ValueSource(ints = {5, 20, 25, 30})
    void with_the_rule_the_mean_wait_matches_the_theory(int busy) throws IOException {
        long serviceNanos = busy * 1_000_000_000L / 500;
        int enough = MmcQueue.enoughFor(busy);
        MmcQueue theory = new MmcQueue(500, serviceNanos, enough);
        ManualClock clock = new ManualClock(0);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(500), 7)))
                .duration(Duration.ofSeconds(400))
                .build();
        Recording run = new LoadRun(plan, new VirtualService(clock, enough, 100 * busy, serviceNanos, 11), clock)
                .run(Progress.none())
                .recording();
        assertThat((double) run.backlogWait().meanNanos())
                .isCloseTo(theory.meanWaitNanos(), within(0.25 * theory.meanWaitNanos()));
    }

    @Test
    void two_connections_more_than_busy_ones_do_not_suffice_in_general() {
        assertThat(new MmcQueue(500, 10_000_000, 7).waitProbability()).isLessThan(0.33);
        assertThat(new MmcQueue(500, 200_000_000, 102).waitProbability()).isGreaterThan(0.75);
    }

    @Test
    void more_connections_than_servers_move_the_queue_and_shorten_nothing() throws IOException {
        Recording enough = simulated(SERVERS);
        Recording tooMany = simulated(8 * SERVERS);
        double mean = enough.response().meanNanos();
        assertThat((double) tooMany.response().meanNanos()).isCloseTo(mean, within(0.01 * mean));
        assertThat(tooMany.backlogWait().meanNanos()).isZero();
        assertThat(enough.backlogWait().meanNanos()).isPositive();
    }
}
