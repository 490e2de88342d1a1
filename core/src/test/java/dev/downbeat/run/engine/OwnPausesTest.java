package dev.downbeat.run.engine;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.recorder.ResponseGapDetector;
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
            assertThat(seen.recording().responseWithoutOwnDelay().valueAtPercentile(percentile))
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
                .responseWithoutOwnDelay();
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
        assertThat(result.recording().responseWithoutOwnDelay().countAbove(SECOND - 40 * MILLI))
                .isGreaterThanOrEqualTo(hit);
    }

    /** One early pause must not take anything off what comes long after it. */
    @Test
    void the_wake_of_a_stop_ends() {
        VirtualRun run = run(1_000, 256, 256, FIVE_MILLIS)
                .trouble(lane -> lane.standStillOurselves(SECOND, SECOND + 200 * MILLI));
        Distribution least = run.result().recording().responseWithoutOwnDelay();
        assertThat(least.countAbove(4_900_000)).isGreaterThan(least.count() - 260);
    }

    private final ResponseGapDetector watch = new ResponseGapDetector();
    private final OwnPauses stops = new OwnPauses(watch, 0);

    /** From 0 on the loop does not run; usually no other request is in flight, and one takes 800 ns. */
    private void pausedUntil(long nanos) {
        stops.sending(served(0, 800), 0, false);
        stops.answered(served(0, 800));
        stops.sleeps(0);
        stops.runs(nanos);
        stops.sleeps(nanos);
    }

    private static Exchange served(long intendedAt, long serviceNanos) {
        Exchange exchange = new Exchange(0);
        exchange.begin(intendedAt, intendedAt, intendedAt);
        exchange.completedAt = intendedAt + serviceNanos;
        return exchange;
    }

    /** How much of a request that is sent now may be due to pauses. */
    private long owed(int othersInFlight) {
        Exchange exchange = served(0, 0);
        stops.sending(exchange, othersInFlight, false);
        stops.ended(exchange);
        return exchange.catchUpNanos;
    }

    @Test
    void a_bunch_delays_for_twenty_times_the_pause_at_most() {
        pausedUntil(10 * MILLI);
        stops.endTurn(false, 1, 210 * MILLI);
        assertThat(owed(1)).isEqualTo(10 * MILLI);
        stops.endTurn(false, 1, 210 * MILLI + 1);
        assertThat(owed(1)).isZero();
    }

    @ParameterizedTest(name = "{0} in flight, requests are unsent: {1}")
    @CsvSource({"0, false, 0", "1, false, 10", "0, true, 10"})
    void a_bunch_has_cleared_when_no_more_than_usual_are_in_flight_and_none_waits(
            int inFlight, boolean pilesUp, long owedMillis) {
        pausedUntil(10 * MILLI);
        stops.endTurn(pilesUp, inFlight, 11 * MILLI);
        assertThat(owed(1)).isEqualTo(owedMillis * MILLI);
    }

    @Test
    void what_is_usual_is_the_mean_of_the_requests_in_flight_before() {
        for (int i = 0; i < 100; i++) {
            stops.sending(served(0, 0), 3, false);
        }
        stops.sleeps(0);
        stops.runs(10 * MILLI);
        stops.endTurn(false, 4, 11 * MILLI);
        assertThat(owed(3)).as("as many as usual").isZero();
        assertThat(owed(4)).isEqualTo(10 * MILLI);
        stops.endTurn(false, 3, 12 * MILLI);
        assertThat(owed(4)).isZero();
    }

    /** Of an excess of eight over the slow ones: prompt is an eighth longer than usual. */
    @ParameterizedTest(name = "{0} of {1} ns, then {2} of 900 ns after a slow one, intended {3} ns after the pause")
    @CsvSource({
        "8, 900, 0, 1, true",
        "7, 900, 0, 1, false",
        "8, 901, 0, 1, false",
        "8, 900, 0, 0, false",
        "7, 900, 1, 1, false",
        "7, 900, 2, 1, true",
        "0, 900, 7, 1, false",
        "0, 900, 8, 1, true"
    })
    void a_bunch_has_cleared_when_the_service_is_prompt_again(
            int first, long nanos, int more, long afterNanos, boolean isOver) {
        pausedUntil(10 * MILLI);
        long intendedAt = 10 * MILLI + afterNanos;
        for (int i = 0; i < first; i++) {
            stops.answered(served(intendedAt, nanos));
        }
        if (more > 0) {
            stops.answered(served(intendedAt, 2_000));
        }
        for (int i = 0; i < more; i++) {
            stops.answered(served(intendedAt, 900));
        }
        stops.endTurn(false, 1, 11 * MILLI);
        assertThat(owed(1)).isEqualTo(isOver ? 0 : 10 * MILLI);
    }

    @ParameterizedTest(name = "{0} ns")
    @CsvSource({"8100, true", "8101, false"})
    void one_response_moves_the_usual_time_by_a_64th_of_the_difference(long nanos, boolean isPrompt) {
        stops.sending(served(0, 0), 0, false);
        for (int i = 0; i < 200; i++) {
            stops.answered(served(0, 6_400));
        }
        stops.answered(served(0, 6_400 + 64 * 800)); // 7,200 ns from now on
        stops.sleeps(0);
        stops.runs(10 * MILLI);
        for (int i = 0; i < 8; i++) {
            stops.answered(served(11 * MILLI, nanos));
        }
        stops.endTurn(false, 1, 12 * MILLI);
        assertThat(owed(1)).isEqualTo(isPrompt ? 0 : 10 * MILLI);
    }

    @ParameterizedTest(name = "late by {0} ns, {1} ns longer than usual")
    @CsvSource({
        "8_000_000, 3_000_000, 11_000_000",
        "8_000_000, 30_000_000, 18_000_000",
        "8_000_000, 0, 0",
        "200_000, 1, 0",
        "200_001, 1, 200_002"
    })
    void one_of_a_bunch_may_have_waited_for_all_of_it(String late, String longer, String owed) {
        pausedUntil(10 * MILLI);
        long lateNanos = Long.parseLong(late.replace("_", ""));
        Exchange exchange = new Exchange(0);
        exchange.begin(10 * MILLI - lateNanos, 10 * MILLI, 10 * MILLI);
        stops.sending(exchange, 0, false);
        exchange.completedAt = exchange.startedAt + 800 + Long.parseLong(longer.replace("_", ""));
        stops.ended(exchange);
        assertThat(exchange.catchUpNanos).isEqualTo(Long.parseLong(owed.replace("_", "")));
    }

    @Test
    void a_response_lay_unread_during_the_pause_just_over_but_no_longer_than_it_took() {
        stops.sleeps(0);
        stops.runs(10 * MILLI);
        for (long millis : new long[] {4, 10, 15}) {
            Exchange exchange = served(0, millis * MILLI);
            stops.ended(exchange);
            assertThat(exchange.readLateNanos).isEqualTo(Math.min(10, millis) * MILLI);
        }
        stops.sleeps(20 * MILLI);
        Exchange later = served(0, 15 * MILLI);
        stops.ended(later);
        assertThat(later.readLateNanos).isZero();
    }

    @Test
    void a_loop_is_late_from_when_it_meant_to_wake_if_by_more_than_a_fifth_of_a_millisecond() {
        stops.sleeps(MILLI);
        stops.runs(MILLI + 200_000);
        assertThat(stops.lateNanos()).isZero();
        stops.sleeps(3 * MILLI);
        stops.runs(3 * MILLI + 200_001);
        assertThat(stops.lateNanos()).isEqualTo(200_001);
        stops.runs(MILLI); // a time stamp of another thread
        stops.runs(4 * MILLI);
        assertThat(stops.lateNanos()).as("at work for 0.8 ms").isEqualTo(200_001 + 799_999);
    }

    private long owedToUnsent() {
        Exchange exchange = served(0, 0);
        stops.unsent(exchange);
        return exchange.catchUpNanos;
    }

    @ParameterizedTest(name = "{0}: {2} ms")
    @CsvSource({"true, true, 16", "true, false, 10", "false, true, 10"})
    void pauses_add_up_only_while_requests_wait_for_slots_that_responses_would_have_freed(
            boolean pilesUp, boolean isAnswered, long millis) {
        watch.startsAt(0);
        pausedUntil(10 * MILLI);
        stops.sending(served(0, 0), 0, true);
        stops.endTurn(pilesUp, 5, 10 * MILLI);
        if (isAnswered) {
            watch.answered(11 * MILLI, MILLI, true);
        }
        stops.runs(10 * MILLI);
        stops.sleeps(10 * MILLI);
        stops.runs(16 * MILLI);
        assertThat(owedToUnsent()).isEqualTo(millis * MILLI);
        stops.endTurn(false, 5, 16 * MILLI);
        stops.sleeps(16 * MILLI);
        stops.runs(30 * MILLI); // four longer than the longest
        assertThat(owedToUnsent()).isEqualTo((millis + 4) * MILLI);
    }

    @Test
    void a_stopped_generator_is_starved_although_it_waits_for_no_processor() {
        RunResult result =
                stopped(run(600, 64, 64, FIVE_MILLIS), 10 * MILLI, 100 * MILLI).result();
        assertThat(result.intervals().get(3).strain().isStarved()).isTrue();
        assertThat(result.intervals().get(3).strain().runDelayNanos()).isBetween(80 * MILLI, 110 * MILLI);
    }
}
