package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OfferedRateTest {
    @ParameterizedTest
    @CsvSource({
        "500, 500/s",
        "1.5k/s, 1500/s",
        "30/m, 30/m",
        "0.05/s, 0.05/s",
        "1.0001/s, 1.0001/s",
        "0.25/h, 0.25/h",
        "1.55/h, 1.55/h",
        "0/s, 0/s",
        "50/10s, 50/10s",
        "5/10s, 0.5/s",
        "1.5/1d, 15/10d",
        "0.0001/1d, 1/10000d",
        "5/100ms, 5/100ms",
        "1.5..3/s, 1.5/s..3/s",
    })
    void a_rate_is_read_back_from_its_text(String given, String text) {
        OfferedRate rate = OfferedRate.parse(given);

        assertThat(rate.text()).isEqualTo(text);
        assertThat(OfferedRate.parse(text)).isEqualTo(rate);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5/2d", "0.0001/106751d"})
    void decimals_of_a_period_of_more_than_a_day_are_refused(String text) {
        assertThatThrownBy(() -> OfferedRate.parse(text))
                .hasMessage("the period of a rate with decimals must be at most 1d, but was '" + text + "'");
    }
}
