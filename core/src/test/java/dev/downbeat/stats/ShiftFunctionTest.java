package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShiftFunctionTest {
    private static final double[] PERCENTILES = {50, 90, 99};

    @Test
    void two_identical_systems_are_seldom_told_apart() {
        int[] excluded = new int[PERCENTILES.length];
        int answers = 0;
        int pairs = 200;
        for (int seed = 0; seed < pairs; seed++) {
            List<ShiftFunction.Shift> shifts =
                    ShiftFunction.of(side(1, seed, 1), side(1, seed + 10_000, 1), PERCENTILES, seed);
            boolean any = false;
            for (int i = 0; i < PERCENTILES.length; i++) {
                ShiftFunction.Shift shift = shifts.get(i);
                excluded[i] += shift.lowChange() > 0 || shift.highChange() < 0 ? 1 : 0;
                any |= shift.answer() != ShiftFunction.Answer.CANNOT_TELL;
            }
            answers += any ? 1 : 0;
        }
        for (int i = 0; i < PERCENTILES.length; i++) {
            assertThat(100.0 * excluded[i] / pairs).as("p" + PERCENTILES[i]).isBetween(2.5, 7.5);
        }
        assertThat(100.0 * answers / pairs).as("any answer").isLessThanOrEqualTo(7);
    }

    @Test
    void a_tenth_slower_is_found() {
        int found = 0;
        for (int seed = 0; seed < 20; seed++) {
            List<ShiftFunction.Shift> shifts =
                    ShiftFunction.of(side(1, seed, 5), side(1.1, seed + 500, 5), PERCENTILES, seed);
            found += shifts.get(0).answer() == ShiftFunction.Answer.SLOWER ? 1 : 0;
            assertThat(shifts.get(0).change()).isCloseTo(0.1, within(0.06));
        }
        assertThat(found).isGreaterThanOrEqualTo(19);
    }

    @Test
    void a_tenth_faster_is_found_over_several_runs() {
        List<ShiftFunction.Shift> shifts = ShiftFunction.of(side(1.1, 1, 5), side(1, 2, 5), PERCENTILES, 3);
        assertThat(shifts.get(0).answer()).isEqualTo(ShiftFunction.Answer.FASTER);
        assertThat(shifts.get(0).highChange()).isNegative();
        assertThat(shifts).extracting(ShiftFunction.Shift::percentile).containsExactly(50.0, 90.0, 99.0);
    }

    @Test
    void runs_that_differ_among_themselves_widen_the_interval() {
        List<List<Distribution>> mixed = new ArrayList<>();
        for (int run = 0; run < 6; run++) {
            mixed.addAll(side(run % 2 == 0 ? 1 : 1.4, run, 1).runs());
        }
        List<ShiftFunction.Shift> shifts =
                ShiftFunction.of(new ShiftFunction.Side(mixed), side(1.2, 77, 6), PERCENTILES, 1);
        assertThat(shifts.get(0).answer()).isEqualTo(ShiftFunction.Answer.CANNOT_TELL);
        assertThat(shifts.get(0).highChange() - shifts.get(0).lowChange()).isGreaterThan(0.15);
    }

    @Test
    void the_same_seed_gives_the_same_answer() {
        ShiftFunction.Side base = side(1, 1, 1);
        ShiftFunction.Side other = side(1, 2, 1);
        assertThat(ShiftFunction.of(base, other, PERCENTILES, 5))
                .isEqualTo(ShiftFunction.of(base, other, PERCENTILES, 5));
    }

    @Test
    void too_short_runs_are_refused() {
        assertThatThrownBy(() -> new ShiftFunction.Side(List.of(List.of(Distribution.empty()))))
                .hasMessage("there must be at least one run, and each must have at least 20 intervals");
    }

    @Test
    void the_effect_size_counts_pairs() {
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(4, 5, 6))).isEqualTo(1);
        assertThat(Effect.cliffsDelta(of(4, 5, 6), of(1, 2, 3))).isEqualTo(-1);
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(1, 2, 3))).isEqualTo(0);
        assertThat(Effect.cliffsDelta(of(1, 2), of(2, 3))).isEqualTo(0.75);
        assertThat(Effect.cliffsDelta(of(), of(2, 3))).isEqualTo(0);
    }

    /** Runs of 30 s with 60 requests a second; the level wanders from second to second. */
    private static ShiftFunction.Side side(double factor, long seed, int runs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Distribution>> all = new ArrayList<>();
        Histogram histogram = Distribution.newHistogram();
        for (int run = 0; run < runs; run++) {
            List<Distribution> seconds = new ArrayList<>();
            for (int second = 0; second < 30; second++) {
                histogram.reset();
                double level = 1e6 * factor * Math.exp(0.05 * random.nextGaussian());
                for (int i = 0; i < 60; i++) {
                    histogram.recordValue((long) (level * (1 + random.nextExponential())));
                }
                seconds.add(Distribution.of(histogram));
            }
            all.add(seconds);
        }
        return new ShiftFunction.Side(all);
    }

    private static Distribution of(long... values) {
        Histogram histogram = Distribution.newHistogram();
        for (long value : values) {
            histogram.recordValue(value);
        }
        return Distribution.of(histogram);
    }
}
