package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.RunIntervals.Recurring;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecurringTest {
    private static final int SECONDS = 60;

    @ParameterizedTest(name = "each {0} s")
    @ValueSource(doubles = {5, 5.3, 7.7, 11.9})
    void regular_events_do_not_widen_intervals(double each) {
        int found = 0;
        for (int seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] excess = new double[SECONDS];
            for (double at = each * random.nextDouble(); at < SECONDS; at += each) {
                excess[(int) at] += 10 + 2 * random.nextGaussian();
            }
            double[] left = Recurring.without(centred(excess));
            found += squares(left) < 0.8 * squares(centred(excess)) ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(17);
    }

    @ParameterizedTest(name = "{0} in a minute")
    @ValueSource(ints = {1, 2, 3, 6, 12, 60})
    void irregular_events_keep_their_intervals(int events) {
        int taken = 0;
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 7_919L + events);
            double[] excess = new double[SECONDS];
            for (int i = 0; i < events; i++) {
                excess[random.nextInt(SECONDS)] += 10 + 2 * random.nextGaussian();
            }
            double[] centred = centred(excess);
            taken += Recurring.without(centred) == centred ? 0 : 1;
        }
        assertThat(taken).isLessThanOrEqualTo(3);
    }

    @Test
    void nothing_recurs_in_nothing() {
        double[] none = new double[SECONDS];
        assertThat(Recurring.without(none)).isSameAs(none);
    }

    private static double[] centred(double[] values) {
        double mean = Series.mean(values);
        return Arrays.stream(values).map(each -> each - mean).toArray();
    }

    private static double squares(double[] values) {
        return Arrays.stream(values).map(each -> each * each).sum();
    }
}
