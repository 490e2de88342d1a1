package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurationsTest {
    @Test
    void a_refused_duration_is_named() {
        assertThatThrownBy(() -> Durations.check("delay", 25 * Durations.LONGEST_NANOS, 1))
                .hasMessageStartingWith("delay must be from 1ns to 24h, but was ");
    }
}
