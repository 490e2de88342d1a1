package dev.downbeat.assertj;

import static dev.downbeat.assertj.MeasuredAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MeasuredAssertTest {
    private static final long MILLI = 1_000_000;

    /** Recorded from afar, so that this machine has no part in it. */
    private static Measured orders() {
        try (LiveRecorder orders = LiveRecorder.ofService("orders")) {
            for (int millis = 1; millis <= 1_000; millis++) {
                long cameAt = orders.arrived(System.nanoTime());
                orders.answered(cameAt, cameAt, cameAt + millis * MILLI);
            }
            return orders.take();
        }
    }

    @Test
    void what_holds_passes_and_what_does_not_fails_with_the_sentence() {
        Measured orders = orders();
        assertThat(orders).isSound().meets("p50<1s", "errors<1%");
        assertThat(orders).percentile(99).isBetween(Duration.ofMillis(980), Duration.ofMillis(1_000));
        assertThatThrownBy(() -> assertThat(orders).meets("p50<20ms"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("orders: p50 < 20 ms MISSED: was 50");
        assertThatThrownBy(() -> assertThat(orders).percentile(50).isLessThan(Duration.ofMillis(20)))
                .hasMessageContaining("p50 of orders");
    }

    @Test
    void a_run_that_cannot_be_set_against_another_is_not_called_no_slower(@TempDir Path folder) {
        Measured orders = orders();
        Path saved = folder.resolve("orders.hlog");
        orders.save(saved);
        assertThatThrownBy(() -> assertThat(orders).isNotSlowerThan(saved, 0.1)).hasMessageContaining("too short");
    }
}
