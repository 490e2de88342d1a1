package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.selfcheck.LeftWork.ClientTime;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeftWorkTest {
    private static final long MILLI = 1_000_000;

    private final ClientTime time = new ClientTime();
    private long cpuNanos;

    /** A call beside which no other runs. */
    private void call(long insideMillis) {
        time.started(cpuNanos);
        cpuNanos += insideMillis * MILLI;
        time.returned(cpuNanos);
    }

    /** The last of several calls returned, and it was not the first: nothing is reported. */
    private void overlappingCalls(long insideMillis) {
        time.started(cpuNanos);
        cpuNanos += insideMillis * MILLI;
    }

    @Test
    void a_client_that_works_during_overlapping_calls_leaves_nothing() {
        for (int i = 0; i < 100; i++) {
            overlappingCalls(9);
            call(1);
        }
        assertThat(time.isMostlyOutside()).isFalse();
    }

    @Test
    void a_client_that_works_after_calls_is_seen_among_overlapping_ones() {
        for (int i = 0; i < 100; i++) {
            overlappingCalls(9);
            call(1);
            cpuNanos += 9 * MILLI;
        }
        assertThat(time.isMostlyOutside()).isTrue();
    }

    @Test
    void the_time_of_other_threads_and_a_little_time_prove_nothing() {
        call(0);
        cpuNanos += MILLI;
        call(0);
        assertThat(time.isMostlyOutside()).as("1 ms").isFalse();
        time.restart();
        cpuNanos += 900 * MILLI;
        call(0);
        assertThat(time.isMostlyOutside()).as("of other threads").isFalse();
    }
}
