package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A wall clock and a run's clock at the same moment. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClockPairTest {
    private static final long MILLI = 1_000_000;

    private long now;

    /** The clocks run together; what a reading takes is given. */
    private ClockPair read(List<Long> taken) {
        Deque<Long> left = new ArrayDeque<>(taken);
        return ClockPair.read(() -> Instant.EPOCH.plusNanos(now), () -> {
            now += left.isEmpty() ? MILLI : left.poll();
            return now;
        });
    }

    @Test
    void a_thread_that_waits_for_a_processor_between_the_readings_does_not_part_them() {
        ClockPair read = read(List.of(0L, 14 * MILLI, 3 * MILLI, 2_000L));
        assertThat(Instant.EPOCH.plusNanos(read.nanoTime()).minusNanos(1_000)).isEqualTo(read.wall());
    }

    @Test
    void readings_20_us_apart_are_close_enough() {
        assertThat(read(List.of(0L, 20_000L, 3 * MILLI, 2_000L)).nanoTime()).isEqualTo(10_000);
        now = 0;
        assertThat(read(List.of(0L, 20_001L, 3 * MILLI, 2_000L)).nanoTime()).isEqualTo(20_001 + 3 * MILLI + 1_000);
    }

    @Test
    void where_they_never_lie_close_together_the_closest_are_taken() {
        ClockPair read = read(List.of(0L, 14 * MILLI, 0L, MILLI / 2));
        assertThat(Instant.EPOCH.plusNanos(read.nanoTime()).minusNanos(MILLI / 4))
                .isEqualTo(read.wall());
    }
}
