package dev.downbeat.run.engine;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.VirtualRun;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A generator that is stopped as a whole waits for no processor: its own loop notices, and the lower bound holds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnPausesTest {
    private static final double[] PERCENTILES = {25, 50, 75, 90, 95, 99};

    /** A service of 5 ms, of which every hundredth request takes 9 ms. */
    private static final LongUnaryOperator FIVE_MILLIS = index -> index % 100 == 99 ? 9 * MILLI : 5 * MILLI;

    private static VirtualRun run(int perSecond, int slots, int servers, LongUnaryOperator service) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(Duration.ofSeconds(10))
                .build();
        return new VirtualRun(plan).slots(slots).servers(servers).service(service);
    }

    private static VirtualRun stopped(VirtualRun run, long stopNanos, long everyNanos) {
        return run.trouble(lane -> {
            for (long at = everyNanos / 3; at < 10 * SECOND; at += everyNanos) {
                lane.standStillOurselves(at, at + stopNanos);
            }
            return lane;
        });
    }

    @ParameterizedTest(name = "{0} of each 100 ms at {1}/s over {2} connections, {3} servers")
    @CsvSource({
        "10, 600, 64, 64",
        "50, 600, 64, 64",
        "10, 1500, 256, 256",
        "50, 1500, 256, 256",
        "50, 1000, 64, 64",
        "10, 150, 64, 1",
        "25, 100, 64, 1",
        "10, 300, 16, 2",
        "80, 100, 256, 1"
    })
    void a_process_that_is_stopped_for_a_part_of_the_time_bounds_the_truth(
            int stopMillis, int perSecond, int slots, int servers) {
        Distribution truth =
                run(perSecond, slots, servers, FIVE_MILLIS).result().recording().response();
        RunResult seen = stopped(run(perSecond, slots, servers, FIVE_MILLIS), stopMillis * MILLI, 100 * MILLI)
                .result();
        for (double percentile : PERCENTILES) {
            long known = truth.valueAtPercentile(percentile);
            assertThat(seen.recording().responseWithoutOurs().valueAtPercentile(percentile))
                    .as("p" + percentile + " at least")
                    .isLessThanOrEqualTo(known + known / 500);
            assertThat(seen.recording().responseAtLeast().valueAtPercentile(percentile))
                    .as("p" + percentile + " at most")
                    .isGreaterThanOrEqualTo(known - known / 500);
        }
    }

    /** Nine tenths of the requests never meet a stop of 10 of 100 ms, nor what it piled up. */
    @Test
    void what_no_stop_touches_keeps_its_lower_bound() {
        Distribution least = stopped(run(600, 64, 64, FIVE_MILLIS), 10 * MILLI, 100 * MILLI)
                .result()
                .recording()
                .responseWithoutOurs();
        assertThat(least.valueAtPercentile(50)).isGreaterThan(4_900_000);
        assertThat(least.valueAtPercentile(99)).isGreaterThan(4_900_000);
    }

    /** Of a stall of 3 s of the service stops of 10 ms are no part, however many fell into it: one may hide its end. */
    @Test
    void pauses_of_Downbeat_are_not_part_of_a_stall() {
        VirtualRun run = stopped(run(600, 4_096, 4_096, FIVE_MILLIS), 10 * MILLI, 100 * MILLI);
        VirtualRun stalled = run(600, 4_096, 4_096, FIVE_MILLIS).trouble(lane -> {
            for (long at = 33 * MILLI; at < 10 * SECOND; at += 100 * MILLI) {
                lane.standStillOurselves(at, at + 10 * MILLI);
            }
            return lane.freeze(4 * SECOND, 7 * SECOND);
        });
        assertThat(run.result().recording().response().maxNanos()).isLessThan(30 * MILLI);
        RunResult result = stalled.result();
        long hit = result.recording().responseAtLeast().countAbove(SECOND);
        assertThat(hit).isBetween(1_190L, 1_230L);
        assertThat(result.recording().responseWithoutOurs().countAbove(SECOND - 40 * MILLI))
                .isGreaterThanOrEqualTo(hit);
    }

    /** One early pause must not take anything off what comes long after it. */
    @Test
    void the_wake_of_a_stop_ends() {
        VirtualRun run = run(1_000, 256, 256, FIVE_MILLIS)
                .trouble(lane -> lane.standStillOurselves(SECOND, SECOND + 200 * MILLI));
        Distribution least = run.result().recording().responseWithoutOurs();
        assertThat(least.countAbove(4_900_000)).isGreaterThan(least.count() - 260);
    }

    @Test
    void a_stopped_generator_is_starved_although_it_waits_for_no_processor() {
        RunResult result =
                stopped(run(600, 64, 64, FIVE_MILLIS), 10 * MILLI, 100 * MILLI).result();
        assertThat(result.intervals().get(3).strain().isStarved()).isTrue();
        assertThat(result.intervals().get(3).strain().runDelayNanos()).isBetween(80 * MILLI, 110 * MILLI);
    }
}
