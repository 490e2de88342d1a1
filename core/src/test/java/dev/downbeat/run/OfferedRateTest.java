package dev.downbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
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
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "fast | 'fast' is not a rate such as 500, 500/s, 1.5k/s, 30/m or 50/1s",
                "5G/s | '5G/s' is not a rate such as 500, 500/s, 1.5k/s, 30/m or 50/1s",
                "5/x | '5/x' is not a rate such as 500, 500/s, 1.5k/s, 30/m or 50/1s",
                "5/0s | the period of a rate must be above 0, but was '5/0s'",
                "100000001/s | a rate must be at most 100M/s, but was '100000001/s'",
                "..5/s | '..5/s' is not a ramp: it needs a rate at each end, such as 100..900/s",
                "5.. | '5..' is not a ramp: it needs a rate at each end, such as 100..900/s",
                "5..5/s | a ramp goes from one rate to another, but was '5..5/s'"
            })
    void what_is_no_rate_is_refused_with_the_reason(String text, String reason) {
        assertThatThrownBy(() -> OfferedRate.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }

    @Test
    void a_rate_has_four_decimals_at_most() {
        assertThat(OfferedRate.parse("0.0001").from()).isEqualTo(new Rate(1, 10_000_000_000_000L));
        assertThatThrownBy(() -> OfferedRate.parse("0.00001"))
                .hasMessageStartingWith("a rate has at most 4 decimals, but was '0.00001'");
        assertThat(OfferedRate.parse("100M").from()).isEqualTo(Rate.perSecond(100_000_000));
        assertThat(OfferedRate.parse("2K/m").from()).isEqualTo(new Rate(2_000, 60_000_000_000L));
        assertThat(OfferedRate.parse("3/h").from()).isEqualTo(new Rate(3, 3_600_000_000_000L));
    }

    @Test
    void the_ends_of_a_ramp_share_a_period_unless_both_have_one() {
        OfferedRate shared = OfferedRate.parse("1..3/m");
        assertThat(shared.from()).isEqualTo(new Rate(1, 60_000_000_000L));
        assertThat(shared.to()).isEqualTo(new Rate(3, 60_000_000_000L));
        assertThat(OfferedRate.parse("1/h..3/m").from()).isEqualTo(new Rate(1, 3_600_000_000_000L));
        assertThat(OfferedRate.parse("1..3").to()).isEqualTo(Rate.perSecond(3));
        assertThat(shared.isRamp()).isTrue();
        assertThat(shared.isZero()).isFalse();
        assertThat(OfferedRate.parse("0..3").isZero()).isFalse();
        assertThat(OfferedRate.parse("3..0").isZero()).isFalse();
        assertThat(OfferedRate.parse("0").isZero()).isTrue();
        assertThat(OfferedRate.parse("0").isRamp()).isFalse();
    }

    @Test
    void arrivals_have_the_spacing_asked_for() {
        Duration second = Duration.ofSeconds(1);
        Rate three = Rate.perSecond(3);
        OfferedRate steady = OfferedRate.steady(three);
        assertThat(steady.over(second, new Spacing.Even())).isEqualTo(new Constant(three));
        assertThat(steady.over(second, new Spacing.Poisson(7))).isEqualTo(new Poisson(three, 7));
        assertThat(OfferedRate.parse("3..5").over(second, new Spacing.Poisson(7)))
                .isEqualTo(new Ramp(three, Rate.perSecond(5), 1_000_000_000L, new Spacing.Poisson(7)));
    }

    @Test
    void a_stage_is_a_duration_and_a_rate() {
        Stage stage = Stage.parse("90s:1..3/s");
        assertThat(stage).isEqualTo(new Stage(Duration.ofSeconds(90), OfferedRate.parse("1..3/s")));
        assertThat(stage.text()).isEqualTo("90s:1/s..3/s");
        assertThat(Stage.parse("3650d:0").rate().isZero()).isTrue();
        assertThatThrownBy(() -> Stage.parse("5/s"))
                .hasMessage("'5/s' is not a stage such as 30s:1k/s (how long : rate)");
        assertThatThrownBy(() -> Stage.parse("0s:5/s"))
                .hasMessage("a stage must last longer than 0 and at most 3650d, but was '0s:5/s'");
        assertThatThrownBy(() -> Stage.parse("3651d:5/s")).hasMessageStartingWith("a stage must last longer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5/2d", "0.0001/106751d"})
    void decimals_of_a_period_of_more_than_a_day_are_refused(String text) {
        assertThatThrownBy(() -> OfferedRate.parse(text))
                .hasMessage("the period of a rate with decimals must be at most 1d, but was '" + text + "'");
    }
}
