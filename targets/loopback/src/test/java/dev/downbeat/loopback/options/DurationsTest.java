package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0ms, 0",
        "7ns, 7",
        "50us, 50000",
        "50µs, 50000",
        "1.5ms, 1500000",
        "2s, 2000000000",
        "1m, 60000000000",
        "24h, 86400000000000"
    })
    void a_number_with_its_unit_is_a_duration(String text, long nanos) {
        assertThat(Durations.parse("delay", text)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "", "ms", "-2ms", "2 ms", "2MS", "1e3ms", "2days", "2ms ", "."})
    void anything_else_is_refused_with_what_to_write(String text) {
        assertThatThrownBy(() -> Durations.parse("delay", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay must be a number with a unit (ns, us, ms, s, m, h) such as 2ms, but was \"" + text
                        + "\"");
    }

    @Test
    void parts_of_a_nanosecond_and_more_than_a_day_are_refused() {
        assertThatThrownBy(() -> Durations.parse("delay", "0.5ns"))
                .hasMessage("delay must be a whole number of nanoseconds, but was \"0.5ns\"");
        assertThatThrownBy(() -> Durations.parse("delay", "999999999999999h"))
                .hasMessage("delay must be at most 24h, but was \"999999999999999h\"");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_written_duration_is_read_back_unchanged(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 1000; i++) {
            long unit = (long) Math.pow(10, random.nextInt(14));
            long nanos = Math.min(Durations.LONGEST_NANOS, random.nextInt(1000) * unit);
            assertThat(Durations.parse("delay", Durations.format(nanos))).isEqualTo(nanos);
        }
    }
}
