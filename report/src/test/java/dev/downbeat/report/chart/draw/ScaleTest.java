package dev.downbeat.report.chart.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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

    /** Twelve and a half steps fit, in milliseconds. */
    @Test
    void a_longer_run_has_the_next_round_step() {
        long[] steps = {
            1,
            2,
            5,
            10,
            20,
            50,
            100,
            200,
            500,
            1_000,
            2_000,
            5_000,
            10_000,
            20_000,
            30_000,
            60_000,
            120_000,
            300_000,
            600_000,
            1_200_000,
            1_800_000,
            3_600_000,
            7_200_000,
            10_800_000,
            21_600_000,
            43_200_000,
            86_400_000
        };
        for (int i = 0; i < steps.length; i++) {
            assertThat(stepMillis(12.4 * steps[i])).isEqualTo(steps[i]);
            if (i + 1 < steps.length) {
                assertThat(stepMillis(12.6 * steps[i])).isEqualTo(steps[i + 1]);
            }
        }
        assertThat(stepMillis(200.0 * 86_400_000)).as("200 days").isEqualTo(17L * 86_400_000);
    }

    private static long stepMillis(double lengthMillis) {
        return Math.round(((Scale.Linear) Scale.time(Math.round(lengthMillis * 1e6))).step() / 1e6);
    }

    @Test
    void counts_leave_some_room_above() {
        assertThat(Scale.Linear.counts(100).high()).isCloseTo(108, CLOSE);
        assertThat(Scale.Linear.counts(100).step()).as("a fourth is 27").isEqualTo(50);
        assertThat(Scale.Linear.longCounts(100).step()).as("a tenth is 10.8").isEqualTo(20);
        assertThat(Scale.Linear.shares().ticks())
                .extracting(Scale.Tick::label)
                .containsExactly("0 %", "25 %", "50 %", "75 %", "100 %");
    }

    @Test
    void a_long_name_is_shown_by_its_end_and_the_last_is_always_named() {
        assertThat(Scale.Names.shown("a".repeat(18))).isEqualTo("a".repeat(18));
        assertThat(Scale.Names.shown("b" + "a".repeat(18))).isEqualTo("…" + "a".repeat(17));
        Scale.Names two = new Scale.Names(List.of("one", "two"), 1_000);
        assertThat(two.share(0)).isEqualTo(0.25);
        assertThat(two.share(1)).isEqualTo(0.75);
        assertThat(two.ticks()).extracting(Scale.Tick::label).containsExactly("one", "two");
        double each = Svg.widthOf("onexx");
        List<String> four = List.of("one", "one", "one", "one");
        assertThat(new Scale.Names(four, 4.01 * each).ticks())
                .extracting(Scale.Tick::value)
                .containsExactly(0.0, 1.0, 2.0, 3.0);
        assertThat(new Scale.Names(four, 3.9 * each).ticks())
                .extracting(Scale.Tick::value)
                .containsExactly(1.0, 3.0);
    }

    @Test
    void an_axis_of_durations_reaches_beyond_them_and_is_not_too_narrow() {
        assertThat(Scale.Log.durations(1_000, 10_000).low()).isCloseTo(800, CLOSE);
        assertThat(Scale.Log.durations(1_000, 10_000).high()).isCloseTo(16_000, CLOSE);
        assertThat(Scale.Log.durations(1_000, 1_000).high()).isCloseTo(3_200, CLOSE);
        assertThat(Scale.Log.durations(0, 0).low()).isCloseTo(0.8, CLOSE);
    }

    /** Halving is as far from no change as doubling; names have a fourteenth of a half between them. */
    @ParameterizedTest(name = "up to {0} times: {1}")
    @CsvSource({
        "1.11, -5 %/-2 %/0 %/+2 %/+5 %/+10 %",
        "2, -50 %/-20 %/-10 %/0 %/+20 %/+50 %/x2",
        "20, -90 %/-80 %/-50 %/0 %/x2/x5/x10"
    })
    void changes_are_symmetric(double factor, String labels) {
        Scale.Change change = new Scale.Change(Math.log(factor));
        assertThat(change.ticks()).extracting(Scale.Tick::label).containsExactly(labels.split("/"));
        assertThat(change.share(0)).isEqualTo(0.5);
        assertThat(change.share(factor - 1)).isCloseTo(1, CLOSE);
        assertThat(change.share(1 / factor - 1)).isCloseTo(0, CLOSE);
        assertThat(change.share(Math.sqrt(factor) - 1)).isCloseTo(0.75, CLOSE);
    }
}
