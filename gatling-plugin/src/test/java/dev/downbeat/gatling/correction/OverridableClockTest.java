package dev.downbeat.gatling.correction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OverridableClockTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final OverridableClock clock = new OverridableClock(() -> 5 * HOUR_MILLIS);

    @Test
    void it_pretends_for_the_question_and_for_its_thread_only() {
        long inAnHour = System.nanoTime() + HOUR_MILLIS * 1_000_000;
        assertThat(clock.<Long>callAt(inAnHour, () -> {
                    assertThat(CompletableFuture.supplyAsync(clock::nowMillis).join())
                            .isEqualTo(5 * HOUR_MILLIS);
                    return clock.nowMillis();
                }))
                .isGreaterThan(5 * HOUR_MILLIS)
                .isLessThanOrEqualTo(6 * HOUR_MILLIS);
        assertThat(clock.nowMillis()).isEqualTo(5 * HOUR_MILLIS);
        assertThatThrownBy(() -> clock.callAt(inAnHour, () -> {
                    throw new IllegalStateException("unknown");
                }))
                .hasMessage("unknown");
        assertThat(clock.nowMillis()).isEqualTo(5 * HOUR_MILLIS);
    }

    /** System.nanoTime goes on between the readings, so the bounds are as wide as the test took. */
    @Test
    void instants_and_milliseconds_are_the_same_line() {
        long before = System.nanoTime();
        long instant = clock.instantOf(7 * HOUR_MILLIS);
        long after = System.nanoTime();
        assertThat(instant - 2 * HOUR_MILLIS * 1_000_000).isBetween(before, after);
        long millis = clock.millisAt(instant);
        assertThat(millis).isLessThanOrEqualTo(7 * HOUR_MILLIS);
        assertThat((7 * HOUR_MILLIS - millis - 1) * 1_000_000).isLessThanOrEqualTo(System.nanoTime() - before);
    }
}
