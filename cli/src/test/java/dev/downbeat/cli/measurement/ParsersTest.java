package dev.downbeat.cli.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Rate;
import dev.downbeat.cli.measurement.option.CountParser;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Seed;
import dev.downbeat.cli.measurement.option.Size;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.OfferedRate.RateText;
import dev.downbeat.run.Stage;
import dev.downbeat.run.ThinkTime;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ParsersTest {
    static java.util.stream.IntStream seeds() {
        return java.util.stream.IntStream.range(0, 50);
    }

    @ParameterizedTest
    @CsvSource({
        "500, 500, 1000000000",
        "500/s, 500, 1000000000",
        "1.5k/s, 1500, 1000000000",
        "30/m, 30, 60000000000",
        "1M/s, 1000000, 1000000000",
        "50/1s, 50, 1000000000",
        "7/h, 7, 3600000000000",
        "5/100ms, 5, 100000000",
        "0.5/s, 5, 10000000000",
        "0, 0, 1000000000",
    })
    void a_rate_is_read_as_two_whole_numbers(String text, long count, long periodNanos) {
        assertThat(RateText.parse(text)).isEqualTo(new Rate(count, periodNanos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "x", "-5", "5/", "/s", "5/x", "1e9", "5/5", "1..2", "101M/s", "1.23456/s", "5/0s", "٣"})
    void an_invalid_rate_is_refused_in_one_line(String text) {
        assertThatThrownBy(() -> RateText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rate")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void any_whole_rate_is_read_back_from_its_text(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long count = random.nextLong(1, 100_000_000);
        assertThat(RateText.parse(count + "/s")).isEqualTo(Rate.perSecond(count));
    }

    @Test
    void a_ramp_has_two_ends_and_one_period() {
        OfferedRate ramp = OfferedRate.parse("100..5k/m");
        assertThat(ramp.isRamp()).isTrue();
        assertThat(ramp.from()).isEqualTo(new Rate(100, 60_000_000_000L));
        assertThat(ramp.to()).isEqualTo(new Rate(5_000, 60_000_000_000L));
        assertThat(OfferedRate.parse("100").isRamp()).isFalse();
    }

    @Test
    void a_ramp_to_where_it_begins_is_refused() {
        assertThatThrownBy(() -> OfferedRate.parse("5..5")).hasMessageContaining("from one rate to another");
    }

    @Test
    void a_stage_has_a_length_and_a_rate() {
        Stage stage = Stage.parse("30s:1k/s");
        assertThat(stage).isEqualTo(new Stage(Duration.ofSeconds(30), OfferedRate.steady(Rate.perSecond(1_000))));
        assertThatThrownBy(() -> Stage.parse("30s")).hasMessageContaining("30s:1k/s");
        assertThatThrownBy(() -> Stage.parse("0s:5")).hasMessageContaining("longer than 0");
    }

    @Test
    void a_bare_number_is_no_duration() {
        assertThatThrownBy(() -> DurationParser.parse("30"))
                .hasMessageContaining("30s")
                .hasMessageContaining("30ms");
        assertThat(DurationParser.parse("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThatThrownBy(() -> DurationParser.parse("4000d")).hasMessageContaining("at most 3650d");
    }

    @Test
    void pauses_are_constant_or_at_random() {
        assertThat(LoadOptions.Think.parse("100ms").toThinkTime(7)).isEqualTo(new ThinkTime.Constant(100_000_000));
        assertThat(LoadOptions.Think.parse("exp:100ms").toThinkTime(7))
                .isEqualTo(new ThinkTime.Exponential(100_000_000, 7));
    }

    @Test
    void a_speed_is_an_exact_fraction() {
        assertThat(LoadOptions.Speed.parse("2x")).isEqualTo(new LoadOptions.Speed(2, 1));
        assertThat(LoadOptions.Speed.parse("0.25x")).isEqualTo(new LoadOptions.Speed(25, 100));
        assertThatThrownBy(() -> LoadOptions.Speed.parse("0x")).hasMessageContaining("above 0");
        assertThatThrownBy(() -> LoadOptions.Speed.parse("fast")).hasMessageContaining("2x");
    }

    @Test
    void a_shown_seed_can_be_typed() {
        Seed seed = Seed.random();
        assertThat(Seed.parse(seed.toString())).isEqualTo(seed);
        assertThat(Seed.parse("ffffffffffffffff")).isEqualTo(new Seed(-1));
        assertThatThrownBy(() -> Seed.parse("xyz")).hasMessageContaining("7f3a");
        assertThatThrownBy(() -> Seed.parse("11112222333344445")).hasMessageContaining("hexadecimal");
    }

    @ParameterizedTest
    @CsvSource({"512, 512", "16k, 16000", "16Ki, 16384", "1.5M, 1500000", "0, 0", "2B, 2"})
    void a_size_is_decimal_or_binary(String text, int bytes) {
        assertThat(Size.parse(text)).isEqualTo(new Size(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1.5", "1x", "3G"})
    void an_invalid_size_is_refused(String text) {
        assertThatThrownBy(() -> Size.parse(text)).hasMessageContaining("size");
    }

    @ParameterizedTest
    @CsvSource({"500, 500", "10k, 10000", "10K, 10000", "1.5M, 1500000", "2G, 2000000000", "1000000G, 1000000000000000"
    })
    void a_count_may_be_short(String text, long count) {
        assertThat(CountParser.parse(text)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5", "k", "1e3", "999999999G", "1000000000000001", "1.2345k"})
    void an_invalid_count_is_refused(String text) {
        assertThatThrownBy(() -> CountParser.parse(text)).hasMessageContaining("count");
    }

    @Test
    void a_message_is_one_line_of_bounded_length() {
        String word = "x".repeat(300);
        assertThat(Messages.line("  a\n b\t\tc ")).isEqualTo("a b c");
        assertThat(Messages.line(word + " b")).isEqualTo(word + " b");
        assertThat(Messages.line(word + "yz b")).isEqualTo(word + "... b");
        assertThat(Messages.line("ab ".repeat(666) + "c")).isEqualTo("ab ".repeat(666) + "c");
        assertThat(Messages.line("ab ".repeat(700))).isEqualTo("ab ".repeat(666) + "ab...");
        assertThat(Messages.of(new IOException(" "))).isEqualTo("IOException");
    }
}
