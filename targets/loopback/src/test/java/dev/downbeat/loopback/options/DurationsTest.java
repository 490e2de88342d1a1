package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurationsTest {
    @Test
    void a_refused_duration_is_named() {
        assertThat(Durations.parse("delay", "1.5ms")).isEqualTo(1_500_000);
        assertThatThrownBy(() -> Durations.parse("delay", "2"))
                .hasMessage("delay: duration needs a unit: write 2ms or 2s, but was \"2\"");
        assertThatThrownBy(() -> Durations.check("delay", 25 * Durations.LONGEST_NANOS, 1))
                .hasMessageStartingWith("delay must be from 1ns to 24h, but was ");
    }
}
