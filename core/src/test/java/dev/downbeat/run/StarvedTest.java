package dev.downbeat.run;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Interval;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.selfcheck.DelayTotals;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A generator that is kept from its work: what may be ours is known, interval by interval. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StarvedTest {
    private static final Duration LENGTH = Duration.ofSeconds(20);

    /** In virtual time, by the time since the start of the run. */
    private static DelayTotals own(VirtualRun run, LongUnaryOperator runDelayAt, LongUnaryOperator gcAt) {
        return new DelayTotals() {
            @Override
            public long runDelayNanos() {
                return runDelayAt.applyAsLong(Math.max(0, run.nanos()));
            }

            @Override
            public long hiccupNanos() {
                return 0;
            }

            @Override
            public long gcNanos() {
                return gcAt.applyAsLong(Math.max(0, run.nanos()));
            }
        };
    }

    /** Second by second. */
    private static List<Boolean> starved(RunResult result) {
        return result.intervals().stream()
                .filter(interval -> interval.lengthNanos() > 0)
                .map(interval -> interval.strain().isStarved())
                .toList();
    }

    private static VirtualRun busy(int slots) {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1_000))))
                .duration(LENGTH)
                .build();
        return new VirtualRun(plan).slots(slots).servers(slots);
    }

    @Test
    void a_calm_run_has_no_starved_interval_and_its_bounds_lie_together() {
        RunResult result = busy(64).result();
        assertThat(result.intervals()).noneMatch(interval -> interval.strain().isStarved());
        assertThat(result.recording().responseWithoutOwnDelay())
                .isEqualTo(result.recording().responseAtLeast());
    }

    @Test
    void waits_while_threads_lacked_a_processor_are_possibly_own_delay() {
        VirtualRun run = busy(64).service(index -> 5 * MILLI);
        run.ownTime(own(run, at -> at < 10 * SECOND ? at / 20 + at / 100 : 10 * SECOND * 6 / 100, at -> 0));
        RunResult result = run.result();
        assertThat(starved(result).subList(0, 10)).containsOnly(true);
        assertThat(starved(result).subList(10, 20)).containsOnly(false);
        assertThat(result.intervals().get(3).strain().runDelayNanos())
                .isCloseTo(60 * MILLI, org.assertj.core.data.Offset.offset(MILLI));
    }

    @Test
    void nine_percent_of_garbage_collection_starve_too() {
        VirtualRun run = busy(64);
        run.ownTime(own(run, at -> 0, at -> at * 9 / 100));
        assertThat(starved(run.result())).hasSize(20).containsOnly(true);
    }

    /** 4 % of the whole second is far more of the tenth of it in which answers came. */
    @Test
    void a_stall_of_the_service_does_not_dilute_the_share() {
        VirtualRun run = busy(64).trouble(lane -> lane.freeze(5_050 * MILLI, 5_950 * MILLI));
        run.ownTime(own(run, at -> at < 5 * SECOND ? 0 : Math.min(40 * MILLI, at - 5 * SECOND), at -> 0));
        RunResult result = run.result();
        assertThat(result.intervals().get(5).strain().isStarved()).isTrue();
        assertThat(result.intervals().get(4).strain().isStarved()).isFalse();
    }

    /** 64 wait on connections and all others for one of them: the stall is the service's, also if its end is starved. */
    @Test
    void the_wait_through_a_stall_stays_the_services_also_in_a_starved_interval() {
        VirtualRun run = busy(64).trouble(lane -> lane.freeze(5_100 * MILLI, 8_100 * MILLI));
        run.ownTime(own(run, at -> at / 5, at -> 0));
        RunResult result = run.result();
        assertThat(starved(result).subList(0, 5)).containsOnly(true);
        assertThat(starved(result).subList(9, 20)).containsOnly(true);
        long hit = result.recording().responseAtLeast().countAbove(SECOND);
        assertThat(hit).isBetween(1_900L, 2_100L);
        assertThat(result.recording().responseWithoutOwnDelay().countAbove(SECOND))
                .isBetween(hit * 9 / 10, hit);
    }

    /** 40 ms away from work cannot make anybody wait for longer than that, although the backlog lasts for half a second. */
    @Test
    void no_wait_is_attributed_to_Downbeat_for_longer_than_it_was_delayed() {
        VirtualRun run =
                busy(64).service(index -> 50 * MILLI).trouble(lane -> lane.freeze(5_050 * MILLI, 5_550 * MILLI));
        run.ownTime(own(run, at -> Math.max(0, Math.min(40 * MILLI, at - 5_600 * MILLI)), at -> 0));
        RunResult result = run.result();
        assertThat(starved(result)).contains(true);
        assertThat(result.recording().backlogWait().countAbove(300 * MILLI)).isGreaterThan(200);
        for (double percentile : new double[] {90, 97, 98, 99, 99.9}) {
            long seen = result.recording().responseAtLeast().valueAtPercentile(percentile);
            assertThat(result.recording().responseWithoutOwnDelay().valueAtPercentile(percentile))
                    .as("p" + percentile)
                    .isGreaterThan(seen - 45 * MILLI);
        }
    }

    /** Whose threads get a fifth of a processor may be what everybody waits for. */
    @Test
    void in_a_starved_generators_backlog_waits_are_its_own_for_the_time_it_was_starved() {
        VirtualRun run = busy(64).service(index -> 70 * MILLI);
        run.ownTime(own(run, at -> at * 4 / 5, at -> 0));
        RunResult result = run.result();
        assertThat(result.recording().responseAtLeast().valueAtPercentile(90)).isGreaterThan(SECOND);
        assertThat(result.recording().responseWithoutOwnDelay().valueAtPercentile(90))
                .isLessThan(result.recording().responseAtLeast().valueAtPercentile(90) / 2);
    }

    /** 1,000/s, of which a thread can send 975, as each send takes a millisecond. */
    @Test
    void what_waits_for_a_loop_that_is_always_at_work_may_wait_for_Downbeat() {
        RunResult result = busy(2).service(index -> MILLI + MILLI / 20)
                .trouble(lane -> lane.sendingTakes(MILLI).reportIdle())
                .result();
        assertThat(starved(result).subList(1, 20)).containsOnly(true);
        assertThat(result.recording().responseAtLeast().valueAtPercentile(90)).isGreaterThan(400 * MILLI);
        assertThat(result.recording().responseWithoutOwnDelay().valueAtPercentile(90))
                .isLessThan(50 * MILLI);
    }

    @Test
    void what_waits_for_a_service_that_a_loop_waits_for_is_not_Downbeats() {
        RunResult result = busy(2).service(index -> 2 * MILLI + MILLI / 5)
                .trouble(lane -> lane.sendingTakes(MILLI / 10).reportIdle())
                .result();
        assertThat(starved(result)).containsOnly(false);
        assertThat(result.recording().responseAtLeast().valueAtPercentile(90)).isGreaterThan(500 * MILLI);
        assertThat(result.recording().responseWithoutOwnDelay().valueAtPercentile(90))
                .isGreaterThan(result.recording().responseAtLeast().valueAtPercentile(90) * 9 / 10);
    }

    @ParameterizedTest(name = "{0} ns without a slot, {1} ns of it at work: {2}")
    @CsvSource({
        "900000000, 890000000, true",
        "900000000, 500000000, false",
        "10000000, 10000000, false",
        "900000000, -1, false"
    })
    void a_loop_that_is_never_idle_while_no_slot_is_free_is_starved(long full, long busy, boolean starved) {
        ProcessDelays seen = new ProcessDelays(0, 0, 0, full, busy, 0).judged(SECOND, SECOND);
        assertThat(seen.isStarved()).isEqualTo(starved);
        assertThat(new ProcessDelays(0, 0, 0, full, busy, 0).judged(SECOND, 0).isStarved())
                .isFalse();
    }

    @Test
    void where_the_system_does_not_say_hiccups_take_the_place_of_the_run_delay() {
        assertThat(new ProcessDelays(-1, 60 * MILLI, 0, 0, 0, 0)
                        .judged(SECOND, SECOND)
                        .isStarved())
                .isTrue();
        assertThat(new ProcessDelays(0, 60 * MILLI, 0, 0, 0, 0)
                        .judged(SECOND, SECOND)
                        .isStarved())
                .isFalse();
    }

    @Test
    void intervals_that_are_joined_keep_how_much_of_them_was_starved() {
        ProcessDelays starved = new ProcessDelays(60 * MILLI, 0, 0, 0, 0, 0).judged(SECOND, SECOND);
        Interval calm = new Interval(SECOND, 2 * SECOND, dev.downbeat.record.Recording.empty());
        Interval one = new Interval(0, SECOND, calm.recording(), calm.connections(), starved);
        assertThat(one.then(calm).strain().starvedNanos()).isEqualTo(SECOND);
        assertThat(one.then(calm).strain().runDelayNanos()).isEqualTo(60 * MILLI);
    }
}
