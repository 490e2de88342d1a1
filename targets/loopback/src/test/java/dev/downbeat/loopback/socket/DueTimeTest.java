package dev.downbeat.loopback.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DueTimeTest {
    @Test
    void it_never_returns_before_the_instant() throws Exception {
        DueTime dueTime = new DueTime();
        for (long wait : new long[] {-1_000_000, 0, 1, 20_000, 200_000, 2_000_000}) {
            long dueAt = System.nanoTime() + wait;
            dueTime.await(dueAt);

            assertThat(System.nanoTime() - dueAt).isNotNegative();
        }
    }

    @Test
    void an_interrupt_ends_the_wait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> new DueTime().await(System.nanoTime() + 3_600_000_000_000L))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
