package dev.downbeat.run.engine;

import static dev.downbeat.run.VirtualRun.MILLI;
import static dev.downbeat.run.VirtualRun.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.VirtualRun;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WholeSessionsTest {
    private static VirtualRun of(Workload workload) {
        return new VirtualRun(RunPlan.builder(workload)
                        .duration(Duration.ofSeconds(10))
                        .timeout(Duration.ofSeconds(4))
                        .build())
                .names("login", "search", "order");
    }

    private static Workload sessions(int perSecond) {
        return new Workload.PartlyOpen(new Constant(Rate.perSecond(perSecond)), 3, new ThinkTime.Constant(100 * MILLI));
    }

    @Test
    void a_session_lasts_from_its_first_intended_time_to_its_last_answer_with_its_pauses() {
        Recording whole = of(sessions(10)).result().recording().named(Recording.SESSION);
        // 100 begin; the third request of the last two is meant to start when the run is over, and they are cut off
        assertThat(whole.ledger().answered()).isEqualTo(98);
        assertThat(whole.ledger().inFlight()).isEqualTo(2);
        assertThat(whole.ledger().addsUp()).isTrue();
        assertThat(whole.response().minNanos()).isBetween(202 * MILLI, 204 * MILLI);
        assertThat(whole.response().maxNanos()).isBetween(203 * MILLI, 205 * MILLI);
    }

    @Test
    void a_freeze_is_in_the_time_of_every_session_that_it_held() {
        RunResult result = of(sessions(10))
                .trouble(lane -> lane.freeze(5 * SECOND, 8 * SECOND))
                .result();
        Recording whole = result.recording().named(Recording.SESSION);
        // who begins from 4.8 s to 7.9 s has a request in the freeze
        assertThat(whole.responseAtLeast().countAbove(210 * MILLI)).isBetween(31L, 33L);
        assertThat(whole.responseAtLeast().maxNanos()).isBetween(3_150 * MILLI, 3_250 * MILLI);
        assertThat(whole.ledger().addsUp()).isTrue();
    }

    @Test
    void a_session_of_which_one_request_timed_out_has_failed() {
        RunResult result = of(sessions(10))
                .trouble(lane -> lane.freeze(2 * SECOND, 8 * SECOND))
                .result();
        Recording whole = result.recording().named(Recording.SESSION);
        // who begins from 1.8 s on has a request in the freeze, and who begins after 4.0 s has an answer within 4 s
        assertThat(whole.ledger()).isEqualTo(new Ledger(100, 75, 23, 0, 0, 2, 0));
        assertThat(whole.failures()).containsOnlyKeys("a request of the session was not answered");
    }

    /** One connection: each time, one of the two times out in flight and the other one unsent, each after 4 s. */
    @Test
    void a_session_whose_requests_were_never_sent_lasts_until_the_last_has_timed_out() {
        Workload two = new Workload.PartlyOpen(Replay.of(0, 0), 3, new ThinkTime.Constant(100 * MILLI));
        RunPlan plan = RunPlan.builder(two)
                .maxRequests(6)
                .timeout(Duration.ofSeconds(4))
                .build();
        RunResult result = new VirtualRun(plan)
                .names("login", "search", "order")
                .slots(1)
                .trouble(lane -> lane.freeze(0, 90 * SECOND))
                .result();
        Recording whole = result.recording().named(Recording.SESSION);
        assertThat(result.ledger()).isEqualTo(new Ledger(6, 0, 0, 6, 3, 0, 0));
        assertThat(whole.ledger().failed()).isEqualTo(2);
        assertThat(whole.failed().minNanos()).isBetween(12_190 * MILLI, 12_250 * MILLI);
    }

    /** The first answer of the session that began at 5.0 s is read at 5.5 s, and its other requests follow it. */
    @Test
    void the_lower_bound_of_a_session_excludes_the_pauses_that_its_requests_met() {
        Recording whole = of(sessions(10))
                .service(index -> 50 * MILLI)
                .trouble(lane -> lane.standStillOurselves(5 * SECOND + 20 * MILLI, 5 * SECOND + 500 * MILLI))
                .result()
                .recording()
                .named(Recording.SESSION);
        assertThat(whole.response().countAbove(500 * MILLI)).isPositive();
        assertThat(whole.responseWithoutOwnDelay().countAbove(360 * MILLI)).isZero();
    }

    private static Workload slowSessions() {
        return new Workload.PartlyOpen(new Constant(Rate.perSecond(10)), 3, new ThinkTime.Constant(900 * MILLI));
    }

    /** Who has begun from 8.2 s on has a request after the end; the last first request is answered at 12.9 s. */
    @Test
    void a_session_that_waited_for_nothing_lasted_until_its_last_answer_however_long_the_drain() {
        Recording whole = of(slowSessions())
                .service(index -> index == 99 * 3 ? 3 * SECOND : MILLI)
                .result()
                .recording()
                .named(Recording.SESSION);
        assertThat(whole.ledger().inFlight()).isEqualTo(18);
        assertThat(whole.censored().countAbove(902 * MILLI)).isOne();
        assertThat(whole.censored().maxNanos()).isBetween(3_000 * MILLI, 3_010 * MILLI);
    }

    /** Of the sessions from 8.2 s on, 9 have had two answers; others take the places of those with one. */
    @Test
    void a_session_lasts_no_longer_because_another_takes_its_place() {
        Recording whole = of(slowSessions()).result().recording().named(Recording.SESSION);
        assertThat(whole.ledger().inFlight()).isEqualTo(18);
        assertThat(whole.censored().countAbove(2 * MILLI)).isEqualTo(9);
    }

    /** Those of 8.8, 8.9 and 9.0 s: of the first two a request is due, of the last one it is in flight. */
    @Test
    void a_session_that_waits_at_the_end_lasts_until_then() {
        RunPlan plan = RunPlan.builder(sessions(10))
                .duration(Duration.ofSeconds(10))
                .drain(Duration.ofSeconds(1))
                .build();
        Recording whole = new VirtualRun(plan)
                .names("login", "search", "order")
                .slots(1)
                .trouble(lane -> lane.freeze(8_950 * MILLI, 90 * SECOND))
                .result()
                .recording()
                .named(Recording.SESSION);
        assertThat(whole.ledger().inFlight()).isEqualTo(3);
        assertThat(whole.ledger().neverSent()).isEqualTo(9);
        assertThat(whole.censored().countAbove(2_050 * MILLI)).isEqualTo(2);
        assertThat(whole.censored().maxNanos()).isBetween(2_200 * MILLI, 2_210 * MILLI);
    }

    @Test
    void a_client_of_a_closed_loop_has_one_session_after_the_other() {
        RunResult result = of(new Workload.Closed(
                        4, new ThinkTime.ByStep(Collections.nCopies(3, new ThinkTime.Constant(99 * MILLI)))))
                .result();
        Recording whole = result.recording().named(Recording.SESSION);
        assertThat(whole.ledger().answered())
                .isEqualTo(result.recording().named("order").ledger().answered());
        assertThat(whole.response().maxNanos()).isBetween(200 * MILLI, 202 * MILLI);
    }

    @Test
    void requests_without_names_and_open_loads_have_none() {
        assertThat(new VirtualRun(RunPlan.builder(sessions(10))
                                .duration(Duration.ofSeconds(1))
                                .build())
                        .result()
                        .recording()
                        .byName())
                .isEmpty();
        assertThat(of(new Workload.Open(new Constant(Rate.perSecond(10))))
                        .result()
                        .recording()
                        .byName())
                .containsOnlyKeys("login", "search", "order");
    }
}
