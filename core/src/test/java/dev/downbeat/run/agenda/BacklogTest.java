package dev.downbeat.run.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.run.LaneCounts.Saturation;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BacklogTest {
    private static final long MILLI = 1_000_000;

    /** A busy machine: the thread is late by a little, again and again, while the target stalls for long. */
    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {0, Long.MAX_VALUE - 1_000})
    void many_short_standstills_never_add_up_to_a_long_one(long startAt) {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, startAt);
        for (long turn = 1; turn <= 10_000; turn++) {
            long wakeAt = startAt + turn * 4 * MILLI;
            backlog.beginTurn(wakeAt, wakeAt + MILLI + turn * 10);
            backlog.endTurn(true, wakeAt + MILLI + turn * 10);
        }
        long now = startAt + 50_000 * MILLI;
        for (long intendedAt = startAt; intendedAt - startAt < 40_000 * MILLI; intendedAt += MILLI / 2) {
            long latenessNanos = backlog.dispatchedAt(intendedAt, now) - intendedAt;
            assertThat(latenessNanos).isBetween(0L, 2 * MILLI);
        }
    }

    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {0, Long.MAX_VALUE - 1_000})
    void a_long_standstill_outlives_many_short_ones(long startAt) {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, startAt);
        backlog.beginTurn(startAt + MILLI, startAt + 2_000 * MILLI);
        for (long turn = 1_000; turn <= 3_000; turn++) {
            backlog.beginTurn(startAt + turn * 4 * MILLI, startAt + turn * 4 * MILLI + MILLI);
        }
        long now = startAt + 20_000 * MILLI;
        assertThat(backlog.dispatchedAt(startAt + 500 * MILLI, now)).isEqualTo(startAt + 2_000 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 2_500 * MILLI, now)).isEqualTo(startAt + 2_500 * MILLI);
    }

    /** 256 are remembered. */
    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {7, Long.MAX_VALUE - 1_000})
    void of_too_many_pauses_the_shortest_is_forgotten(long startAt) {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, startAt);
        for (int pause = 0; pause < 256; pause++) {
            long from = startAt + pause * 10 * MILLI;
            backlog.beginTurn(from, from + (pause == 1 ? 4 : 5) * MILLI);
        }
        backlog.beginTurn(startAt + 2_560 * MILLI, startAt + 2_566 * MILLI); // in place of the shortest
        backlog.beginTurn(startAt + 2_570 * MILLI, startAt + 2_575 * MILLI); // no longer than the shortest
        long now = startAt + 9_000 * MILLI;
        assertThat(backlog.dispatchedAt(startAt + MILLI, now)).isEqualTo(startAt + 5 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 11 * MILLI, now))
                .as("of the shortest")
                .isEqualTo(startAt + 11 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 2_551 * MILLI, now)).isEqualTo(startAt + 2_555 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 2_561 * MILLI, now)).isEqualTo(startAt + 2_566 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 2_571 * MILLI, now)).isEqualTo(startAt + 2_571 * MILLI);
    }

    @Test
    void a_pause_covers_what_was_intended_from_its_begin_to_its_end() {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, 0);
        backlog.beginTurn(MILLI, 3 * MILLI);
        backlog.beginTurn(5 * MILLI, 7 * MILLI);
        long now = 6 * MILLI;
        assertThat(backlog.dispatchedAt(MILLI - 1, now)).isEqualTo(MILLI - 1);
        assertThat(backlog.dispatchedAt(MILLI, now)).isEqualTo(3 * MILLI);
        assertThat(backlog.dispatchedAt(3 * MILLI, now)).isEqualTo(3 * MILLI);
        assertThat(backlog.dispatchedAt(3 * MILLI + 1, now)).isEqualTo(3 * MILLI + 1);
        assertThat(backlog.dispatchedAt(5 * MILLI, now)).as("not after now").isEqualTo(now);
        assertThat(backlog.isSaturated()).isTrue();
        assertThat(backlog.fullNanos()).isZero();
        backlog.endTurn(true, 8 * MILLI);
        assertThat(backlog.fullNanos()).isEqualTo(8 * MILLI);
    }

    @Test
    void with_a_free_slot_all_pauses_are_over() {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, 0);
        backlog.beginTurn(MILLI, 3 * MILLI);
        backlog.endTurn(false, 4 * MILLI);
        assertThat(backlog.dispatchedAt(2 * MILLI, 5 * MILLI)).isEqualTo(5 * MILLI);
        backlog.endTurn(true, 5 * MILLI);
        assertThat(backlog.dispatchedAt(2 * MILLI, 6 * MILLI)).isEqualTo(5 * MILLI);
    }

    @Test
    void only_time_without_a_free_slot_is_full_and_what_is_not_idle_of_it_is_busy() {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, 0);
        backlog.endTurn(false, 10);
        backlog.endTurn(false, 15);
        assertThat(backlog.saturation(4)).isEqualTo(new Saturation(10, 6));
        assertThat(backlog.saturation(11)).isEqualTo(new Saturation(10, 0));
        assertThat(backlog.saturation(-1)).isEqualTo(new Saturation(10, -1));
    }

    @Test
    void what_was_intended_before_the_saturation_is_dispatched_when_it_begins() {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, 100);
        backlog.endTurn(true, 200);
        assertThat(backlog.dispatchedAt(50, 500)).isEqualTo(100);
        assertThat(backlog.dispatchedAt(50, 80)).isEqualTo(80);
        assertThat(backlog.dispatchedAt(150, 500)).isEqualTo(150);
        backlog.endTurn(false, 600);
        assertThat(backlog.dispatchedAt(150, 700)).isEqualTo(700);
    }

    @Test
    void a_turn_that_is_late_by_the_limit_is_no_pause() {
        Backlog backlog = new Backlog();
        backlog.endTurn(true, 0);
        backlog.beginTurn(0, Backlog.PAUSE_NANOS);
        assertThat(backlog.dispatchedAt(0, MILLI)).isZero();
        backlog.beginTurn(0, Backlog.PAUSE_NANOS + 1);
        assertThat(backlog.dispatchedAt(0, MILLI)).isEqualTo(Backlog.PAUSE_NANOS + 1);
    }
}
