package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManualClockTest {
    @ParameterizedTest(name = "start at {0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 5})
    void waiting_moves_it_to_the_instant_wherever_the_range_of_a_long_ends(long startAt) {
        ManualClock clock = new ManualClock(startAt);

        assertThat(clock.awaitUntil(startAt + 1)).isEqualTo(startAt + 1);
        assertThat(clock.awaitUntil(startAt + 10)).isEqualTo(startAt + 10);
        assertThat(clock.nanoTime()).isEqualTo(startAt + 10);
    }

    @ParameterizedTest(name = "start at {0}")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE + 5})
    void waiting_for_the_past_returns_at_once(long startAt) {
        ManualClock clock = new ManualClock(startAt);

        assertThat(clock.awaitUntil(startAt - 10)).isEqualTo(startAt);
        assertThat(clock.nanoTime()).isEqualTo(startAt);
    }

    @ParameterizedTest(name = "start at {0}")
    @ValueSource(longs = {0, Long.MIN_VALUE, Long.MAX_VALUE})
    void it_never_moves_back(long startAt) {
        ManualClock clock = new ManualClock(startAt);
        clock.moveTo(startAt);
        clock.moveTo(startAt + 2);

        assertThatThrownBy(() -> clock.moveTo(startAt + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at must not be before " + (startAt + 2) + ", but was " + (startAt + 1));
        assertThatThrownBy(() -> clock.advanceNanos(-1)).hasMessage("nanos must be at least 0, but was -1");
        assertThat(clock.nanoTime()).isEqualTo(startAt + 2);
    }

    @Test
    void the_clock_stands_still_until_advanced() {
        ManualClock clock = new ManualClock(7);
        assertThat(clock.nanoTime()).isEqualTo(7);
        assertThat(clock.nanoTime()).isEqualTo(7);

        clock.advanceNanos(3);
        assertThat(clock.nanoTime()).isEqualTo(10);
    }
}
