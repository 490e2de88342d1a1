package dev.downbeat.run.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
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
        backlog.turned(true, startAt);
        for (long turn = 1; turn <= 10_000; turn++) {
            long askedFor = startAt + turn * 4 * MILLI;
            backlog.turn(askedFor, askedFor + MILLI + turn * 10);
            backlog.turned(true, askedFor + MILLI + turn * 10);
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
        backlog.turned(true, startAt);
        backlog.turn(startAt + MILLI, startAt + 2_000 * MILLI);
        for (long turn = 1_000; turn <= 3_000; turn++) {
            backlog.turn(startAt + turn * 4 * MILLI, startAt + turn * 4 * MILLI + MILLI);
        }
        long now = startAt + 20_000 * MILLI;
        assertThat(backlog.dispatchedAt(startAt + 500 * MILLI, now)).isEqualTo(startAt + 2_000 * MILLI);
        assertThat(backlog.dispatchedAt(startAt + 2_500 * MILLI, now)).isEqualTo(startAt + 2_500 * MILLI);
    }
}
