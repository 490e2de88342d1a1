package dev.downbeat.event;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailurePeriodsTest {
    /** Seconds of 100 requests of which so many fail. */
    private static List<Incident> spells(int... failed) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < failed.length; i++) {
            run.answered(100 - failed[i], 2 * MS)
                    .failed(failed[i], "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        return FailurePeriods.of(run.result());
    }

    @Test
    void a_burst_of_errors_has_a_begin_and_a_length() {
        assertThat(spells(0, 0, 0, 100, 100, 100, 0, 0, 0)).singleElement().satisfies(spell -> {
            assertThat(spell.cause()).isEqualTo(Incident.Cause.ERRORS);
            assertThat(spell.startNanos()).isEqualTo(3 * S);
            assertThat(spell.lengthNanos()).isEqualTo(3 * S);
            assertThat(spell.requestsHit()).isEqualTo(300);
            assertThat(spell.isOpen()).isFalse();
            // of the times of answers nothing is known
            assertThat(spell.tailShare()).isZero();
            assertThat(spell.slowestNanos()).isZero();
            assertThat(spell.catchUpNanos()).isZero();
            assertThat(spell.text()).isEqualTo("at 3.0 s for 3.00 s: 300 requests failed");
        });
    }

    @Test
    void it_may_begin_and_end_within_an_interval() {
        assertThat(spells(0, 0, 0, 60, 100, 100, 30, 0, 0)).singleElement().satisfies(spell -> {
            assertThat(spell.startNanos()).isEqualTo(3_400 * MS);
            assertThat(spell.lengthNanos()).isEqualTo(2_900 * MS);
        });
    }

    @Test
    void one_that_lasts_to_the_end_is_open() {
        assertThat(spells(0, 0, 0, 100, 100, 100)).singleElement().satisfies(spell -> {
            assertThat(spell.isOpen()).isTrue();
            assertThat(spell.text()).isEqualTo("from 3.0 s to the end, at least 3.00 s: 300 requests failed");
        });
    }

    @Test
    void half_a_service_may_fail() {
        assertThat(spells(0, 1, 0, 0, 52, 48, 47, 53, 50)).singleElement().satisfies(spell -> {
            assertThat(spell.isOpen()).isTrue();
            assertThat(spell.startNanos()).isEqualTo(4 * S);
        });
    }

    @Test
    void several_bursts_are_several() {
        assertThat(spells(0, 100, 0, 0, 100, 100, 0, 100, 0)).hasSize(3);
    }

    @Test
    void errors_throughout_are_no_event() {
        assertThat(spells(12, 9, 18, 10, 8, 15, 11, 9, 13)).isEmpty();
        assertThat(spells(100, 100, 100)).isEmpty();
        assertThat(spells(0, 0, 1, 0, 3, 0)).isEmpty();
    }

    /** Seconds, each with the requests that ended and how many of them failed. */
    private static List<Incident> spells(int[]... seconds) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < seconds.length; i++) {
            run.answered(seconds[i][0] - seconds[i][1], 2 * MS)
                    .failed(seconds[i][1], "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        return FailurePeriods.of(run.result());
    }

    /** Its place within the interval is not known: the middle. */
    @Test
    void a_burst_within_one_interval_failed_all_requests_for_a_part_of_it() {
        assertThat(spells(0, 0, 0, 50, 0, 0)).singleElement().satisfies(spell -> {
            assertThat(spell.startNanos()).isEqualTo(3_250 * MS);
            assertThat(spell.lengthNanos()).isEqualTo(500 * MS);
            assertThat(spell.requestsHit()).isEqualTo(50);
            assertThat(spell.tailShare()).isZero();
            assertThat(spell.slowestNanos()).isZero();
            assertThat(spell.catchUpNanos()).isZero();
        });
    }

    /** A connection that is lost ends all its streams at one instant. */
    @Test
    void failures_at_one_instant_are_a_spell_too() {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 8; i++) {
            int failed = i == 3 ? 50 : 0;
            run.answered(100 - failed, 2 * MS).failed(failed, "reset", MS).until((i + 1) * S);
        }
        List<KeptRequest> kept = IntStream.range(0, 50)
                .mapToObj(i -> new KeptRequest(i, 0, 3 * S, 0, 0, 0, 3_500 * MS, 0, 1, false))
                .toList();
        assertThat(RunEvents.incidents(run.result().with(KeptRequests.of(kept, List.of()))))
                .filteredOn(incident -> incident.cause() == Incident.Cause.ERRORS)
                .singleElement()
                .satisfies(spell -> assertThat(spell.startNanos()).isEqualTo(3_500 * MS));
    }

    /** Two seconds in which half of the requests fail, one each 20 ms. */
    private static Incident halfFail(List<KeptRequest> slowest, List<KeptRequest> controls) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 8; i++) {
            int failed = i == 3 || i == 4 ? 50 : 0;
            run.answered(100 - failed, 2 * MS).failed(failed, "HTTP 503", MS).until((i + 1) * S);
        }
        List<Incident> spells = FailurePeriods.of(run.result().with(KeptRequests.of(slowest, controls)));
        assertThat(spells).hasSize(1);
        return spells.get(0);
    }

    private static List<KeptRequest> failed(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(
                        i -> new KeptRequest(i, 0, 3 * S + i * 20 * MS, 0, 0, 0, 3 * S + i * 20 * MS + MS, 0, 1, false))
                .toList();
    }

    /** Intervals alone cannot tell it from all requests failing for half as long. */
    @Test
    void a_burst_of_half_of_the_requests_lasts_from_its_first_to_its_last_failure() {
        Incident spell = halfFail(failed(0, 100), List.of());
        assertThat(spell.startNanos()).isEqualTo(3_001 * MS);
        assertThat(spell.lengthNanos()).isEqualTo(1_980 * MS);
        assertThat(spell.requestsHit()).isEqualTo(100);
        assertThat(halfFail(failed(0, 60), failed(40, 100))).isEqualTo(spell);
    }

    /** A sample has neither the first nor the last of them. */
    @Test
    void a_burst_of_which_only_some_failures_were_kept_is_told_by_its_intervals() {
        Incident spell = halfFail(List.of(), List.of());
        assertThat(spell.startNanos()).isEqualTo(3_500 * MS);
        assertThat(spell.lengthNanos()).isEqualTo(S);
        assertThat(halfFail(List.of(), failed(20, 80))).isEqualTo(spell);
        assertThat(halfFail(failed(20, 80), failed(20, 80))).as("the same ones").isEqualTo(spell);
    }

    @Test
    void a_spell_fails_a_tenth_of_its_requests_and_three_times_as_many_as_usual() {
        assertThat(spells(0, 0, 0, 10, 0, 0)).hasSize(1);
        assertThat(spells(0, 0, 0, 9, 0, 0)).isEmpty();
        assertThat(spells(10, 10, 10, 31, 10, 10)).hasSize(1);
        assertThat(spells(10, 10, 10, 29, 10, 10)).isEmpty();
    }

    /** Of 100 requests of which usually 4 fail, 15.76 are six standard deviations more. */
    @Test
    void a_spell_fails_more_requests_than_chance_does() {
        assertThat(spells(4, 4, 4, 16, 4, 4)).hasSize(1);
        assertThat(spells(4, 4, 4, 15, 4, 4)).isEmpty();
    }

    @Test
    void five_failures_are_a_spell() {
        int[] calm = {10, 0};
        assertThat(spells(calm, calm, new int[] {10, 5}, calm)).hasSize(1);
        assertThat(spells(calm, calm, new int[] {10, 4}, calm)).isEmpty();
        assertThat(spells(calm, calm, new int[] {10, 4}, calm, calm, new int[] {10, 1}))
                .as("not five in one")
                .isEmpty();
    }

    /** Half of the requests fail, so that six answers in a row are no end of it, and seven are: 1/2^7 is below 1 %. */
    @Test
    void a_spell_is_over_when_as_many_answers_would_be_chance_within_it() {
        int[] calm = {100, 0};
        int[] bad = {100, 50};
        assertThat(spells(calm, calm, bad, bad, new int[] {6, 0}))
                .singleElement()
                .satisfies(spell -> {
                    assertThat(spell.isOpen()).isTrue();
                    assertThat(spell.startNanos()).isEqualTo(2_500 * MS);
                    assertThat(spell.lengthNanos()).isEqualTo(2_500 * MS);
                });
        assertThat(spells(calm, calm, bad, bad, new int[] {7, 0}))
                .singleElement()
                .satisfies(spell -> {
                    assertThat(spell.isOpen()).isFalse();
                    assertThat(spell.startNanos()).isEqualTo(2_500 * MS);
                    assertThat(spell.lengthNanos()).isEqualTo(S);
                });
    }

    @Test
    void seconds_without_an_end_are_part_of_a_spell_that_goes_on_after_them() {
        int[] calm = {100, 0};
        int[] bad = {100, 100};
        int[] nothing = {0, 0};
        assertThat(spells(calm, calm, bad, nothing, nothing, bad, calm))
                .singleElement()
                .satisfies(spell -> {
                    assertThat(spell.startNanos()).isEqualTo(2 * S);
                    assertThat(spell.lengthNanos()).isEqualTo(4 * S);
                });
        assertThat(spells(calm, calm, bad, nothing, calm, bad, calm)).hasSize(2);
    }

    private static List<Incident> besideAStall(long fromNanos, long toNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            boolean isDown = i >= 5 && i < 10;
            run.answered(isDown ? 0 : 100, 2 * MS)
                    .failed(isDown ? 100 : 0, "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        Silence silence = new Silence(fromNanos, fromNanos, toNanos, toNanos);
        return RunEvents.incidents(
                run.result().with(new Interruptions(true, List.of(silence), List.of(), List.of(), MS, 0)));
    }

    @Test
    void errors_of_a_stall_are_reported_as_that_stall() {
        assertThat(besideAStall(5 * S, 10 * S))
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.SERVICE_STALL);
        assertThat(besideAStall(6 * S, 6_500 * MS))
                .as("a short one among many errors explains them not")
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.ERRORS, Incident.Cause.SERVICE_STALL);
    }
}
