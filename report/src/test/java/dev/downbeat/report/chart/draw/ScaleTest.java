package dev.downbeat.report.chart.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScaleTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    @Test
    void each_nine_takes_as_much_room() {
        Scale.Nines nines = new Scale.Nines(5);
        assertThat(nines.share(Scale.Nines.of(90))).isCloseTo(0.2, CLOSE);
        assertThat(nines.share(Scale.Nines.of(99))).isCloseTo(0.4, CLOSE);
        assertThat(nines.share(Scale.Nines.of(99.9))).isCloseTo(0.6, CLOSE);
        assertThat(nines.ticks())
                .extracting(Scale.Tick::label)
                .containsExactly("0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %");
    }

    @Test
    void each_decade_takes_as_much_room() {
        Scale.Log log = new Scale.Log(1e6, 1e9);
        assertThat(log.share(1e7)).isCloseTo(1 / 3.0, CLOSE);
        assertThat(log.valueAt(2 / 3.0)).isCloseTo(1e8, Offset.offset(1.0));
        assertThat(log.ticks()).extracting(Scale.Tick::label).containsExactly("1 ms", "10 ms", "100 ms", "1 s");
    }

    @Test
    void a_narrow_range_has_ticks_within_a_decade() {
        assertThat(Scale.Log.durations(2_000_000, 2_000_000).ticks())
                .extracting(Scale.Tick::label)
                .containsExactly("2 ms", "5 ms");
    }

    @ParameterizedTest(name = "{0} s: every {1}")
    @CsvSource({"0, 0 s", "0.5, 0.05 s", "10, 1 s", "60, 5 s", "3600, 5 min", "86400, 2 h", "864000, 24 h"})
    void a_run_of_any_length_has_a_few_round_moments(double seconds, String second) {
        var ticks = Scale.time(Math.round(seconds * 1e9)).ticks();
        assertThat(ticks.size()).isBetween(2, 14);
        if (seconds > 0) {
            assertThat(ticks.get(1).label()).isEqualTo(second);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0, 1", "3, 1", "40, 20", "2736, 1000", "1000000, 500000"})
    void counts_have_whole_steps(long most, long step) {
        Scale.Linear counts = Scale.Linear.counts(most);
        assertThat(Math.round(counts.step())).isEqualTo(step);
        assertThat(counts.share((double) most)).isLessThanOrEqualTo(1);
    }

    @Test
    void values_outside_the_range_stay_on_the_axis() {
        assertThat(new Scale.Log(10, 100).share(0)).isZero();
        assertThat(new Scale.Log(10, 100).share(1e9)).isEqualTo(1);
    }

    @Test
    void a_narrow_logarithmic_axis_has_two_names_at_least() {
        for (long least = 1_000_000; least < 100_000_000; least += 333_333) {
            assertThat(Scale.Log.durations(least, least + least / 50).ticks())
                    .as("from %d", least)
                    .hasSizeBetween(2, 4);
            assertThat(Scale.Log.durations(least, 25 * least).ticks()).hasSizeGreaterThan(1);
        }
    }
}
