package dev.downbeat.run;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a standstill, theirs or ours, does to the numbers. All in virtual time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StandstillTest {

    private static RunPlan.Builder constant(long perSecond, long seconds) {
        return RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .duration(Duration.ofSeconds(seconds));
    }

    /** Gil Tene, "How NOT to Measure Latency": 100/s, 1 ms each, 100 s good, then 100 s frozen. */
    @Test
    void tenes_freeze_shows_in_full() {
        RunResult result = new VirtualRun(
                        constant(100, 200).timeout(Duration.ofMinutes(5)).build())
                .slots(20_000)
                .servers(20_000)
                .trouble(lane -> lane.freeze(100 * SECOND, 200 * SECOND))
                .result();

        Distribution response = result.recording().response();
        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
        assertThat(response.meanNanos()).isCloseTo(25_003_500_000L, within(20 * MILLI));
        assertThat(response.valueAtPercentile(50)).isCloseTo(MILLI, within(MILLI / 1000));
        assertThat(response.valueAtPercentile(75)).isCloseTo(50_001 * MILLI, within(60 * MILLI));
        assertThat(response.valueAtPercentile(90)).isCloseTo(80_001 * MILLI, within(100 * MILLI));
        assertThat(response.valueAtPercentile(99)).isCloseTo(98_001 * MILLI, within(110 * MILLI));
        assertThat(response.valueAtPercentile(99.9)).isCloseTo(99_801 * MILLI, within(110 * MILLI));
        assertThat(response.valueAtPercentile(99.99)).isCloseTo(99_981 * MILLI, within(110 * MILLI));
        assertThat(response.maxNanos()).isCloseTo(100_001 * MILLI, within(110 * MILLI));
    }

    /** A client's thread stamps the first end at 10 ms; the generator, which would send the second, runs at 100 ms. */
    @Test
    void a_request_that_is_sent_when_an_old_end_is_handled_was_not_sent_at_that_end() {
        RunPlan plan = RunPlan.builder(new Workload.Open(Replay.of(0, 9_900_000)))
                .maxRequests(2)
                .build();
        RunResult result = new VirtualRun(plan)
                .service(index -> index == 0 ? 10 * MILLI : MILLI)
                .trouble(lane -> lane.stampEnds().standStillOurselves(5 * MILLI, 100 * MILLI))
                .result();

        assertThat(result.recording().service().maxNanos()).isCloseTo(10 * MILLI, within(MILLI / 10));
        assertThat(result.recording().lateness().maxNanos()).isCloseTo(90 * MILLI, within(MILLI));
        assertThat(result.recording().response().maxNanos()).isCloseTo(91 * MILLI, within(MILLI));
    }

    /** The same service seen by one client that waits for each answer before it asks again. */
    @Test
    void tenes_freeze_hides_from_a_client_that_waits() {
        Workload.Closed waiting = new Workload.Closed(1, new ThinkTime.Constant(9 * MILLI));
        RunResult result = new VirtualRun(RunPlan.builder(waiting)
                        .duration(Duration.ofSeconds(200))
                        .timeout(Duration.ofMinutes(5))
                        .build())
                .trouble(lane -> lane.freeze(100 * SECOND, 200 * SECOND))
                .result();

        Distribution response = result.recording().response();
        assertThat(response.count()).isEqualTo(10_001);
        assertThat(response.meanNanos()).isCloseTo(10_998_900L, within(20_000L));
        assertThat(response.valueAtPercentile(99.99)).isCloseTo(MILLI, within(MILLI / 1000));
        assertThat(response.maxNanos()).isCloseTo(100_001 * MILLI, within(110 * MILLI));
    }

    /** What a real Ctrl-Z shows: one server that has to work off the queue. */
    @Test
    void a_single_server_must_drain_its_queue() {
        RunResult result = new VirtualRun(
                        constant(100, 200).timeout(Duration.ofMinutes(5)).build())
                .servers(1)
                .trouble(lane -> lane.freeze(100 * SECOND, 200 * SECOND))
                .result();

        Distribution response = result.recording().response();
        assertThat(result.ledger().answered()).isEqualTo(20_000);
        assertThat(response.meanNanos()).isCloseTo(27_503 * MILLI, within(30 * MILLI));
        assertThat(response.valueAtPercentile(75)).isCloseTo(55_001 * MILLI, within(60 * MILLI));
        assertThat(response.valueAtPercentile(90)).isCloseTo(82_001 * MILLI, within(90 * MILLI));
        assertThat(response.valueAtPercentile(99)).isCloseTo(98_201 * MILLI, within(110 * MILLI));
        assertThat(result.recording().lateness().maxNanos()).isZero();
        assertThat(result.lanes().peakBacklog()).isBetween(9_930L, 9_940L);
    }

    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE - 3_000_000_000L, Long.MAX_VALUE})
    void the_clock_may_start_anywhere(long clockStartsAt) {
        RunResult result = new VirtualRun(constant(1_000, 10).build(), clockStartsAt)
                .trouble(lane -> lane.freeze(2 * SECOND, 4 * SECOND))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(10_000, 10_000, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().maxNanos()).isCloseTo(2_001 * MILLI, within(3 * MILLI));
        assertThat(result.recording().response().valueAtPercentile(90)).isCloseTo(SECOND, within(70 * MILLI));
        RunResult usual = new VirtualRun(result.plan())
                .trouble(lane -> lane.freeze(2 * SECOND, 4 * SECOND))
                .result();
        assertThat(result.kept()).isEqualTo(usual.kept());
    }

    @Test
    void requests_time_out_at_their_deadline_and_are_censored_there() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .trouble(lane -> lane.freeze(8 * SECOND, 13 * SECOND))
                .result();

        Distribution censored = result.recording().censored();
        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().timedOut())
                .isBetween(4_000L, 4_000L + 5 * 64); // the service still works on what timed out
        assertThat(censored.count()).isEqualTo(result.ledger().timedOut());
        assertThat(censored.minNanos()).isLessThanOrEqualTo(SECOND);
        assertThat(censored.maxNanos()).isCloseTo(SECOND, within(2 * MILLI));
        assertThat(result.recording().response().maxNanos()).isLessThanOrEqualTo(1_001 * MILLI);
        assertThat(result.recording().isKnownAt(75)).isTrue();
        assertThat(result.recording().isKnownAt(90)).isFalse();
    }

    @Test
    void a_timeout_counted_from_the_send_lets_everybody_be_sent() {
        RunResult result = new VirtualRun(constant(1_000, 20)
                        .timeout(Duration.ofSeconds(1))
                        .timeoutFrom(RunPlan.TimeoutFrom.SENT)
                        .drain(Duration.ofMinutes(1))
                        .build())
                .trouble(lane -> lane.freeze(8 * SECOND, 13 * SECOND))
                .result();

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().timedOutUnsent()).isZero();
        assertThat(result.ledger().timedOut()).isBetween(4 * 64L, 5 * 64L);
        assertThat(result.recording().response().maxNanos()).isGreaterThan(4_500 * MILLI);
        assertThat(result.recording().censored().maxNanos()).isGreaterThan(4 * SECOND);
    }

    @Test
    void a_freeze_beyond_the_end_leaves_requests_in_flight_and_never_sent() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).drain(Duration.ofSeconds(2)).build())
                .trouble(lane -> lane.freeze(15 * SECOND, 3_600 * SECOND))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 15_000, 0, 0, 0, 64, 4_936));
        assertThat(result.recording().censored().maxNanos()).isCloseTo(7_001 * MILLI, within(8 * MILLI));
        assertThat(result.recording().responseAtLeast().valueAtPercentile(90)).isCloseTo(5 * SECOND, within(8 * MILLI));
        assertThat(result.recording().isKnownAt(50)).isTrue();
        assertThat(result.recording().isKnownAt(99)).isFalse();
        assertThat(result.ending()).isEqualTo(RunSpan.Ending.COMPLETE);
    }

    /** Shown values are a twentieth of a second old at most. */
    @Test
    void a_stall_that_goes_on_is_shown_with_those_who_wait() {
        VirtualRun[] run = new VirtualRun[1];
        List<RunSnapshot> seen = new ArrayList<>();
        run[0] = new VirtualRun(constant(1_000, 20).build())
                .trouble(lane -> lane.freeze(2 * SECOND, 3_600 * SECOND).callAt(3 * SECOND, () -> {
                    seen.add(run[0].live());
                    run[0].stop();
                }));
        assertThat(run[0].live()).isEqualTo(RunSnapshot.NONE);
        RunResult result = run[0].result();

        RunSnapshot stalled = seen.get(0);
        assertThat(stalled.taken()).isEqualTo(2_064);
        assertThat(stalled.inFlight()).isEqualTo(64);
        assertThat(stalled.backlog()).isBetween(886L, 937L);
        assertThat(stalled.silentNanos()).isBetween(950 * MILLI, 1_000 * MILLI);
        assertThat(stalled.behindNanos()).as("slots are not free").isZero();
        assertThat(run[0].live().taken()).isEqualTo(result.ledger().planned());
        assertThat(run[0].live().inFlight()).isZero();
    }

    @Test
    void our_own_standstill_counts_as_lateness_also_for_those_that_had_to_queue_after_it() {
        RunResult result = new VirtualRun(constant(1_000, 20).build())
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 10 * SECOND))
                .result();

        Distribution lateness = result.recording().lateness();
        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
        assertThat(lateness.countAbove(10 * MILLI)).isBetween(1_985L, 1_995L);
        assertThat(lateness.maxNanos()).isCloseTo(2 * SECOND, within(4 * MILLI));
        assertThat(result.recording().response().maxNanos()).isCloseTo(2_001 * MILLI, within(4 * MILLI));
        assertThat(result.recording().times().withoutLateness().countAbove(60 * MILLI))
                .isLessThanOrEqualTo(1); // the one in flight, whose answer we read too late
        assertThat(result.recording().backlogWait().maxNanos()).isLessThan(60 * MILLI);
    }

    @Test
    void a_pause_of_Downbeat_within_a_stall_is_distinguished() {
        RunResult result = new VirtualRun(constant(1_000, 20).build())
                .trouble(lane -> lane.freeze(6 * SECOND, 12 * SECOND).standStillOurselves(8 * SECOND, 10 * SECOND))
                .result();

        assertThat(result.ledger().answered()).isEqualTo(20_000);
        assertThat(result.recording().lateness().countAbove(10 * MILLI)).isBetween(1_975L, 1_995L);
        assertThat(result.recording().response().maxNanos()).isCloseTo(6_001 * MILLI, within(10 * MILLI));
        assertThat(result.recording().backlogWait().maxNanos()).isGreaterThan(5_500 * MILLI);
    }

    @Test
    void requests_whose_deadline_passes_while_we_are_paused_time_out_unsent_and_blamed_on_us() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 10 * SECOND))
                .result();

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().timedOutUnsent()).isBetween(990L, 1_002L);
        assertThat(result.recording().lateness().countAbove(10 * MILLI)).isBetween(1_985L, 1_995L);
        assertThat(result.recording().censored().minNanos()).isGreaterThan(999 * MILLI);
    }

    @Test
    void a_request_that_we_send_late_has_the_whole_timeout_from_then() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .slots(5_000)
                .servers(5_000)
                .service(index -> 150 * MILLI)
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 8_900 * MILLI))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().maxNanos()).isCloseTo(1_050 * MILLI, within(4 * MILLI));
    }

    @Test
    void one_of_them_that_is_not_answered_is_known_to_have_waited_for_the_whole_timeout() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .service(index -> index == 8_100 ? 3 * SECOND : MILLI)
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 8_900 * MILLI))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 19_999, 0, 1, 0, 0, 0));
        assertThat(result.recording().censored().maxNanos()).isCloseTo(1_800 * MILLI, within(4 * MILLI));
        assertThat(result.recording().times().censoredWithoutLateness().maxNanos())
                .as("less the longest that it may have waited for us")
                .isCloseTo(900 * MILLI, within(4 * MILLI));
    }

    @Test
    void the_last_requests_have_their_timeout_too_if_we_send_them_late() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .service(index -> index == 19_950 ? 3_600 * SECOND : MILLI)
                .trouble(lane -> lane.standStillOurselves(19_900 * MILLI, 20_500 * MILLI))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 19_999, 0, 1, 0, 0, 0));
        assertThat(result.durationNanos()).isCloseTo(21_500 * MILLI, within(20 * MILLI));
    }

    /** Each waits for us for up to 0.9 s, and then for 0.3 s for a slot. */
    @Test
    void a_wait_for_a_slot_after_our_pause_has_the_whole_timeout_too() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .trouble(lane ->
                        lane.standStillOurselves(8 * SECOND, 8_900 * MILLI).freeze(8_850 * MILLI, 9_200 * MILLI))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(20_000, 20_000, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().maxNanos()).isGreaterThan(1_150 * MILLI);
    }

    @Test
    void answers_that_came_in_time_and_were_read_after_our_pause_did_not_time_out() {
        RunPlan plan = RunPlan.builder(new Workload.Open(Replay.of(0, 100 * MILLI)))
                .maxRequests(2)
                .timeout(Duration.ofSeconds(1))
                .build();
        RunResult result = new VirtualRun(plan)
                .service(index -> 500 * MILLI)
                .trouble(lane -> lane.standStillOurselves(200 * MILLI, 1_700 * MILLI))
                .result();

        assertThat(result.ledger()).isEqualTo(new Ledger(2, 2, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().maxNanos()).isCloseTo(1_700 * MILLI, within(MILLI));
        assertThat(result.recording().times().withoutLateness().maxNanos()).isLessThan(500 * MILLI);
    }

    @Test
    void an_answer_after_the_deadline_times_out_although_we_were_paused_before_it() {
        RunResult result = new VirtualRun(
                        constant(1_000, 20).timeout(Duration.ofSeconds(1)).build())
                .service(index -> index == 7_990 ? 2 * SECOND : MILLI)
                .trouble(lane -> lane.standStillOurselves(8 * SECOND, 8_500 * MILLI))
                .result();

        assertThat(result.ledger().timedOut()).isOne();
    }

    @Test
    void a_backlog_that_takes_long_to_send_is_still_not_our_lateness() {
        RunResult result = new VirtualRun(constant(1_000, 20).build())
                .trouble(lane -> lane.freeze(8 * SECOND, 13 * SECOND).sendingTakes(MILLI / 10))
                .result();

        assertThat(result.ledger().answered()).isEqualTo(20_000);
        assertThat(result.recording().response().maxNanos()).isGreaterThan(4_990 * MILLI);
        assertThat(result.recording().backlogWait().maxNanos()).isGreaterThan(4_900 * MILLI);
        assertThat(result.recording().lateness().maxNanos()).isLessThan(20 * MILLI);
    }
}
