package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntendedTimeSchedulerTest {
    private static final long MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 2 * MILLI);
    private final IntendedTimeScheduler scheduler =
            new IntendedTimeScheduler(new Constant(Rate.perSecond(1_000)).times(), clock, clock);

    @Test
    void a_slow_callback_delays_the_next_calls_but_skips_and_moves_none() {
        long startAt = clock.nanoTime();
        List<Long> intended = new ArrayList<>();
        List<Long> late = new ArrayList<>();
        long called = scheduler.run(Duration.ofMillis(10), (index, intendedAt) -> {
            intended.add(intendedAt - startAt);
            late.add((clock.nanoTime() - intendedAt) / MILLI);
            clock.advanceNanos(index == 3 ? 4 * MILLI : 0);
        });

        assertThat(called).isEqualTo(10);
        assertThat(intended)
                .containsExactly(
                        0L, MILLI, 2 * MILLI, 3 * MILLI, 4 * MILLI, 5 * MILLI, 6 * MILLI, 7 * MILLI, 8 * MILLI,
                        9 * MILLI);
        assertThat(late).containsExactly(0L, 0L, 0L, 0L, 3L, 2L, 1L, 0L, 0L, 0L);
    }

    @Test
    void times_of_the_system_clock_are_those_of_the_arrivals() {
        List<Long> calls = new ArrayList<>();
        IntendedTimeScheduler system = IntendedTimeScheduler.of(Arrivals.at(Duration.ZERO, Duration.ofMillis(1)), 1);
        long beginAt = System.nanoTime();
        assertThat(system.run(Duration.ofSeconds(1), (index, intendedAt) -> calls.add(intendedAt)))
                .isEqualTo(2);
        assertThat(calls.get(1) - calls.get(0)).isEqualTo(MILLI);
        assertThat(System.nanoTime() - beginAt).as("it waits").isGreaterThanOrEqualTo(MILLI);
    }

    @Test
    void a_stop_ends_it_before_the_next_call() {
        long called = scheduler.run(Duration.ofDays(1), (index, intendedAt) -> {
            if (index == 4) {
                scheduler.stop();
            }
        });
        assertThat(called).isEqualTo(5);
    }

    @Test
    void a_stop_ends_a_wait() {
        AtomicReference<IntendedTimeScheduler> stopped = new AtomicReference<>();
        long startAt = clock.nanoTime();
        Waiter stopping = instantAt -> {
            if (instantAt - startAt > 0) {
                stopped.get().stop();
            }
            return clock.awaitUntil(instantAt);
        };
        stopped.set(new IntendedTimeScheduler(
                new Constant(new Rate(1, Duration.ofHours(1).toNanos())).times(), clock, stopping));
        assertThat(stopped.get().run(Duration.ofDays(1), (index, intendedAt) -> {}))
                .isOne();
        assertThat(clock.nanoTime() - startAt).isLessThan(1_000 * MILLI);
    }

    @Test
    void a_second_run_is_refused_for_its_times_are_used_up() {
        scheduler.run(Duration.ofMillis(10), (index, intendedAt) -> {});
        assertThatThrownBy(() -> scheduler.run(Duration.ofMillis(20), (index, intendedAt) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a scheduler runs once: make another by IntendedTimeScheduler.of");
    }
}
