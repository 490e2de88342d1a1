package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class DurationTextTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "300ms, 300000000",
        "30s, 30000000000",
        "5m, 300000000000",
        "1h30m, 5400000000000",
        "2d, 172800000000000",
        "1.5s, 1500000000",
        "200us, 200000",
        "200µs, 200000",
        "200μs, 200000",
        "50ns, 50",
        "0s, 0",
        "1m 30 s, 90000000000",
        "PT30S, 30000000000",
        "PT0.001S, 1000000",
        "P1DT1H, 90000000000000",
        "106751d, 9223286400000000000",
    })
    void durations_are_read(String text, long nanos) {
        assertThat(DurationText.parseNanos(text)).isEqualTo(nanos);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                " ",
                "s",
                "ms",
                "-5s",
                "+5s",
                "5 parsecs",
                "5S",
                "30m1h",
                "5s5s",
                "1e3s",
                "1.s",
                ".5s",
                "1,5s",
                "PT",
                "PT-3S",
                "P1Y",
                "5sx",
                "x5s",
                "٣s"
            })
    void an_invalid_duration_is_refused_with_examples(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parseNanos(text))
                .withMessage("duration must look like 300ms, 30s, 5m, 1h30m, 2d or PT30S, but was \"" + text + "\"");
    }

    @Test
    void a_number_without_a_unit_is_refused_with_advice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parseNanos("500"))
                .withMessage("duration needs a unit: write 500ms or 500s, but was \"500\"");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"106752d", "99999999999999999999s", "0.5ns", "PT99999999999999S"})
    void numbers_beyond_a_long_are_refused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parseNanos(text))
                .withMessageContaining("at most 106751d")
                .withMessageContaining(text);
    }

    @ParameterizedTest(name = "{0} ns")
    @CsvSource({
        "0, 0 s",
        "7, 7 ns",
        "1500, 1.5 us",
        "300000000, 300 ms",
        "1500000000, 1.5 s",
        "60000000000, 60 s",
        "90000000000, 90 s",
        "120000000000, 2m",
        "5400000000000, 1h30m",
        "3600500000000, 1h0.5s",
        "172800000000000, 2d",
    })
    void durations_are_written_exactly(long nanos, String text) {
        assertThat(DurationText.format(nanos)).isEqualTo(text);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void values_survive_a_round_trip(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            long nanos = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
            assertThat(DurationText.parseNanos(DurationText.format(nanos))).isEqualTo(nanos);
        }
    }

    @ParameterizedTest(name = "{0} ns")
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1000, 1.00 us",
        "40000, 40.0 us",
        "999499, 999 us",
        "999500, 1.00 ms",
        "2142000, 2.14 ms",
        "45000000, 45.0 ms",
        "1040000000, 1.04 s",
        "59960000000, 60.0 s",
        "119999000000, 120 s",
        "120000000000, 2m 00s",
        "1200400000000, 20m 00s",
        "3599600000000, 1h 00m",
        "7199000000000, 2h 00m",
        "9223372036854775807, 2562047h 47m",
    })
    void durations_are_shown_to_three_digits(long nanos, String text) {
        assertThat(DurationText.rounded(nanos)).isEqualTo(text);
    }

    @ParameterizedTest(name = "{0} ns")
    @CsvSource({
        "0, 1",
        "999, 1",
        "1000, 1000",
        "999499, 1000",
        "999500, 1000000",
        "999499999, 1000000",
        "999500000, 1000000000",
        "7200000000000, 1000000000"
    })
    void the_unit_is_that_in_which_a_duration_is_shown(long nanos, long unitNanos) {
        assertThat(DurationText.unitNanos(nanos)).isEqualTo(unitNanos);
    }

    @Test
    void two_durations_that_would_look_alike_are_shown_exactly() {
        assertThat(DurationText.rounded(1_000_400, 1_000_300)).isEqualTo("1.0004 ms");
        assertThat(DurationText.rounded(1_000_400, 1_000_400)).isEqualTo("1.00 ms");
        assertThat(DurationText.rounded(1_000_400, 1_020_000)).isEqualTo("1.00 ms");
        assertThat(DurationText.word(1_500_000_000L)).isEqualTo("1.5s");
        assertThat(DurationText.word(0)).isEqualTo("0s");
    }

    @Test
    void the_locale_does_not_matter() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(DurationText.rounded(1_234_567_000_000L)).isEqualTo("20m 35s");
            assertThat(DurationText.format(1_500_000_000L)).isEqualTo("1.5 s");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void negative_durations_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.format(-1))
                .withMessage("nanos must be at least 0, but was -1");
    }
}
