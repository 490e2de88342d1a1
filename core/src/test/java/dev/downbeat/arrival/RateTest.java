package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2000 | 1000000000 | 2,000/s",
                "30 | 60000000000 | 30/m",
                "1000000 | 3600000000000 | 1,000,000/h",
                "50 | 100000000 | 500/s",
                "727934 | 100000000000 | 7,279.34/s",
                "100000 | 137373000 | 727,945.08/s",
                "500000 | 1000000000000 | 500/s",
                "5 | 90000000000 | 5/90s",
                "5 | 10000000000 | 0.5/s",
                "10001 | 10000000000000 | 1.0001/s",
                "25 | 360000000000000 | 0.25/h",
                "1 | 1500000000 | 1/1.5s"
            })
    void a_reader_sees_a_decimal_number_per_unit(long count, long periodNanos, String text) {
        assertThat(new Rate(count, periodNanos)).hasToString(text);
    }

    @Test
    void the_factories_say_the_period() {
        assertThat(Rate.perSecond(3)).isEqualTo(new Rate(3, 1_000_000_000L));
        assertThat(new Rate(3, 60_000_000_000L)).isEqualTo(new Rate(3, 60_000_000_000L));
        assertThat(new Rate(3, 3_600_000_000_000L)).isEqualTo(new Rate(3, 3_600_000_000_000L));
        assertThat(new Rate(3, 60_000_000_000L).perSecond()).isEqualTo(0.05);
    }

    @Test
    void values_out_of_range_are_rejected() {
        assertThatThrownBy(() -> Rate.perSecond(-1)).hasMessage("count must be at least 0, but was -1");
        assertThatThrownBy(() -> new Rate(1, 0)).hasMessage("periodNanos must be at least 1, but was 0");
    }
}
