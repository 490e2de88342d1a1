package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class ParkThenSpinTest {
    @ParameterizedTest(name = "spin {0} ns")
    @ValueSource(longs = {0, 1, 100_000, Long.MAX_VALUE})
    void it_never_returns_before_the_instant(long spinNanos) {
        NanoClock clock = NanoClock.system();
        Waiter waiter = new ParkThenSpin(clock, spinNanos);
        SplittableRandom random = new SplittableRandom(spinNanos);
        for (int i = 0; i < 20; i++) {
            long instantAt = clock.nanoTime() + random.nextLong(300_000);

            long returnedAt = waiter.awaitUntil(instantAt);

            assertThat(returnedAt - instantAt).isNotNegative();
            assertThat(clock.nanoTime() - returnedAt).isNotNegative();
        }
    }

    @ParameterizedTest(name = "start at {0}")
    @ValueSource(longs = {0, -50, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 50})
    void it_returns_the_first_reading_at_or_after_the_instant_wherever_the_range_of_a_long_ends(long startAt) {
        AtomicLong reading = new AtomicLong(startAt);
        Waiter waiter = new ParkThenSpin(() -> reading.getAndAdd(30), Long.MAX_VALUE);

        assertThat(waiter.awaitUntil(startAt + 100)).isEqualTo(startAt + 120);
    }

    /** Each turn of a spin reads the clock. */
    @Test
    void a_wait_without_spinning_parks() {
        NanoClock clock = NanoClock.system();
        AtomicLong readings = new AtomicLong();
        Waiter waiter = new ParkThenSpin(
                () -> {
                    readings.incrementAndGet();
                    return clock.nanoTime();
                },
                0);

        waiter.awaitUntil(clock.nanoTime() + 20_000_000);

        assertThat(readings).hasValueLessThan(100);
    }

    @Test
    void an_instant_that_has_passed_costs_one_reading() {
        AtomicLong reading = new AtomicLong(1_000);
        Waiter waiter = new ParkThenSpin(() -> reading.getAndAdd(30), 0);

        assertThat(waiter.awaitUntil(1_000)).isEqualTo(1_000);
        assertThat(waiter.awaitUntil(-5)).isEqualTo(1_030);
    }

    @ParameterizedTest(name = "spin {0} ns")
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void an_interrupt_ends_the_wait_early_and_stays_set(long spinNanos) {
        NanoClock clock = NanoClock.system();
        long instantAt = clock.nanoTime() + 3_600_000_000_000L;
        Thread.currentThread().interrupt();

        long returnedAt = new ParkThenSpin(clock, spinNanos).awaitUntil(instantAt);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(returnedAt - instantAt).isNegative();
    }

    @Test
    void a_negative_spin_is_refused() {
        assertThatThrownBy(() -> new ParkThenSpin(NanoClock.system(), -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spinNanos must be at least 0, but was -1");
    }
}
