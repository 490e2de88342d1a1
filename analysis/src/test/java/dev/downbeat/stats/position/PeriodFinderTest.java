package dev.downbeat.stats.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class PeriodFinderTest {
    private static final double MS = 1e6;
    private static final int RUNS = Replications.of(100);

    @Test
    void every_eightieth_of_800_requests_is_always_found() {
        int eighty = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            List<Period> periods = PeriodFinder.find(List.of(everyEightieth(new SplittableRandom(seed), 800)));
            assertThat(periods).as("seed " + seed).hasSize(1);
            assertThat(periods.get(0).length() % 80).as("seed " + seed).isZero();
            eighty += periods.get(0).length() == 80 ? 1 : 0;
        }
        // of ten slow requests the second, fourth and so on may happen not to look slow
        assertThat(eighty).isGreaterThanOrEqualTo(RUNS * 99 / 100);
    }

    @Test
    void half_as_many_requests_are_often_enough() {
        int found = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            List<Period> periods = PeriodFinder.find(List.of(everyEightieth(new SplittableRandom(seed), 400)));
            found += periods.size() == 1 && periods.get(0).length() == 80 ? 1 : 0;
        }
        assertThat(found).isGreaterThan(RUNS / 2);
    }

    @Test
    void medians_at_slow_places_and_elsewhere_are_reported() {
        Period period = PeriodFinder.find(List.of(everyEightieth(new SplittableRandom(1), 40_000)))
                .get(0);
        assertThat((double) period.slowNanos()).isCloseTo(30 * MS, within(2 * MS));
        assertThat((double) period.otherwiseNanos()).isCloseTo(6 * MS, within(0.1 * MS));
        assertThat(period.extraNanos()).isEqualTo(period.slowNanos() - period.otherwiseNanos());
        assertThat(period.repeats()).isBetween(495, 500);
        assertThat(period.chance()).isLessThan(1e-9);
    }

    @Test
    void requests_1_81_and_161_of_a_hundred_runs_of_180_are_a_period_of_80() {
        for (int seed = 0; seed < Replications.of(20, 4); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<long[]> series = new ArrayList<>();
            for (int run = 0; run < 100; run++) {
                series.add(noise(random, 180, i -> i % 80 == 0 ? 30 : i % 80 == 1 ? 9 : 6));
            }
            List<Period> periods = PeriodFinder.find(series);
            assertThat(periods).as("seed " + seed).hasSize(1);
            assertThat(periods.get(0).length()).isEqualTo(80);
            assertThat(periods.get(0).places()).contains(1);
        }
    }

    /** The request after a pause is somewhat slower than others, but no request of the slow ones. */
    @Test
    void a_place_that_is_far_less_slow_than_another_is_not_named_with_it() {
        SplittableRandom random = new SplittableRandom(1);
        List<long[]> series = new ArrayList<>();
        for (int run = 0; run < 30; run++) {
            series.add(noise(random, 40, i -> i % 10 == 9 ? 1_000 : i % 10 == 0 ? 15 : 6));
        }
        assertThat(PeriodFinder.find(series)).singleElement().satisfies(period -> {
            assertThat(period.length()).isEqualTo(10);
            assertThat(period.places()).containsExactly(10);
            assertThat(period.repeats()).isEqualTo(4);
        });
    }

    @Test
    void harmonics_are_folded_to_the_shortest_period() {
        for (int length : new int[] {2, 3, 5, 16, 50, 97, 100}) {
            SplittableRandom random = new SplittableRandom(length);
            long[] series = noise(random, 2_000, i -> (i + 1) % length == 0 ? 30 : 6);
            List<Period> periods = PeriodFinder.find(List.of(series));
            assertThat(periods)
                    .as("length " + length)
                    .extracting(Period::length)
                    .containsExactly(length);
        }
    }

    @Test
    void two_periods_at_once_are_both_found() {
        SplittableRandom random = new SplittableRandom(5);
        long[] series = noise(random, 4_000, i -> (i + 1) % 80 == 0 ? 40 : (i + 1) % 7 == 0 ? 20 : 6);
        assertThat(PeriodFinder.find(List.of(series)))
                .extracting(Period::length)
                .contains(7, 80);
    }

    @Test
    void independent_requests_raise_no_alarm() {
        assertAlarms(random -> List.of(noise(random, 1_000, i -> 6)));
    }

    @Test
    void a_connection_closed_after_a_random_number_of_requests_raises_no_alarm() {
        assertAlarms(random -> {
            List<long[]> series = new ArrayList<>();
            for (int run = 0; run < 40; run++) {
                boolean[] first = closes(random, 180, 1 + random.nextInt(20), 161);
                series.add(noise(random, 180, i -> first[i] ? 30 : 6));
            }
            return series;
        });
    }

    @Test
    void closes_after_60_to_100_requests_raise_no_alarm() {
        assertAlarms(random -> {
            List<long[]> series = new ArrayList<>();
            for (int run = 0; run < 100; run++) {
                boolean[] first = closes(random, 180, 60, 41);
                series.add(noise(random, 180, i -> first[i] ? 30 : 6));
            }
            return series;
        });
    }

    @Test
    void a_drift_with_memory_raises_no_alarm() {
        assertAlarms(random -> {
            List<long[]> series = new ArrayList<>();
            for (int run = 0; run < 4; run++) {
                double[] level = {0};
                series.add(noise(random, 800, i -> {
                    level[0] = 0.98 * level[0] + 0.2 * gaussian(random);
                    return 6 * Math.exp(level[0]);
                }));
            }
            return series;
        });
    }

    @Test
    void a_drift_that_all_runs_share_raises_no_alarm() {
        assertAlarms(RUNS / 2, random -> {
            double slope = random.nextDouble(-1, 2);
            List<long[]> series = new ArrayList<>();
            for (int run = 0; run < 30; run++) {
                series.add(noise(random, 180, i -> 6 * Math.exp(slope * i / 180) + (i < 12 ? 40.0 / (i + 1) : 0)));
            }
            return series;
        });
    }

    @Test
    void standstills_that_hit_all_concurrent_runs_at_once_raise_no_alarm() {
        assertAlarms(RUNS / 2, random -> {
            List<long[]> series = new ArrayList<>();
            for (int wave = 0; wave < 6; wave++) {
                boolean[] still = closes(random, 180, 5 + random.nextInt(40), 60);
                for (int run = 0; run < 16; run++) {
                    int late = random.nextInt(2);
                    series.add(noise(random, 180, i -> still[Math.max(0, i - late)] ? 100 : 6));
                }
            }
            return series;
        });
    }

    @Test
    void unknown_durations_and_short_series_are_borne() {
        long[] series = everyEightieth(new SplittableRandom(3), 1_600);
        for (int i = 0; i < series.length; i += 13) {
            series[i] = -1;
        }
        assertThat(PeriodFinder.find(List.of(series, new long[0], new long[] {5})))
                .extracting(Period::length)
                .containsExactly(80);
        assertThat(PeriodFinder.find(List.of())).isEmpty();
        assertThat(PeriodFinder.find(List.of(new long[100]))).isEmpty();
    }

    /** At most 1 % of the runs, within what is possible in so few of them. */
    private static void assertAlarms(Function<SplittableRandom, List<long[]>> data) {
        assertAlarms(RUNS, data);
    }

    private static void assertAlarms(int runs, Function<SplittableRandom, List<long[]>> data) {
        int alarms = 0;
        for (int seed = 0; seed < runs; seed++) {
            alarms += PeriodFinder.find(data.apply(new SplittableRandom(seed))).isEmpty() ? 0 : 1;
        }
        assertThat(alarms).as("false alarms in " + runs + " runs").isLessThanOrEqualTo(runs / 100);
    }

    private static long[] everyEightieth(SplittableRandom random, int count) {
        return noise(random, count, i -> (i + 1) % 80 == 0 ? 30 : 6);
    }

    /** Log-normal around the median in milliseconds, with a sigma of 0.5. */
    private static long[] noise(SplittableRandom random, int count, Function<Integer, Number> medianMillis) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = Math.round(medianMillis.apply(i).doubleValue() * MS * Math.exp(0.5 * gaussian(random)));
        }
        return values;
    }

    private static double gaussian(SplittableRandom random) {
        return random.nextGaussian();
    }

    /** Where a new connection begins if each lasts from {@code least} requests on, {@code choices} different lengths. */
    private static boolean[] closes(SplittableRandom random, int count, int least, int choices) {
        boolean[] first = new boolean[count];
        for (int i = 0; i < count; i += least + random.nextInt(choices)) {
            first[i] = true;
        }
        return first;
    }
}
