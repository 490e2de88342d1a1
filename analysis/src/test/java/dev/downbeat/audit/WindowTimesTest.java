package dev.downbeat.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.audit.WindowTimes.Masses;
import dev.downbeat.record.Distribution;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WindowTimesTest {
    private static final long WINDOW = 1 << 16;

    @Test
    void windows_begin_at_multiples_of_their_width_and_count_what_started_in_them() {
        WindowTimes times = new WindowTimes();
        assertThat(times.count()).isZero();
        times.add(0, 5);
        times.add(WINDOW - 1, 5);
        times.add(WINDOW, 7);
        times.add(10 * WINDOW, 1);
        assertThat(times.widthNanos()).isEqualTo(WINDOW);
        assertThat(times.count()).isEqualTo(11);
        assertThat(times.startsIn(0)).isEqualTo(2);
        assertThat(times.startsIn(1)).isEqualTo(1);
        assertThat(times.startsIn(5)).isZero();
        assertThat(times.startsIn(10)).isEqualTo(1);
        assertThat(times.atNanos(10)).isEqualTo(10 * WINDOW);
        assertThat(times.windowOf(WINDOW - 1)).isZero();
        assertThat(times.windowOf(WINDOW)).isEqualTo(1);
        assertThat(times.windowOf(-WINDOW)).as("the nearest").isZero();
        assertThat(times.windowOf(100 * WINDOW)).as("the nearest").isEqualTo(10);
        times.add(-1, 5);
        assertThat(times.count()).isEqualTo(12);
        assertThat(times.atNanos(0)).isEqualTo(-WINDOW);
        assertThat(times.startsIn(1)).isEqualTo(2);
    }

    @Test
    void beyond_512_windows_neighbours_are_merged() {
        WindowTimes times = new WindowTimes();
        for (int i = 0; i < 512; i++) {
            times.add(i * WINDOW, i);
        }
        assertThat(times.widthNanos()).isEqualTo(WINDOW);
        assertThat(times.count()).isEqualTo(512);
        times.add(512 * WINDOW, 512);
        assertThat(times.widthNanos()).isEqualTo(2 * WINDOW);
        assertThat(times.count()).isEqualTo(257);
        assertThat(times.startsIn(0)).isEqualTo(2);
        assertThat(times.startsIn(255)).isEqualTo(2);
        assertThat(times.startsIn(256)).isEqualTo(1);
        times.add(512 * WINDOW, 512);
        times.add(0, 0);
        assertThat(times.startsIn(256)).isEqualTo(2);
        assertThat(times.startsIn(0)).isEqualTo(3);
        Masses all = new Masses();
        assertThat(times.spread(256, 1, all)).isTrue();
        assertThat(all.atMost(0)).isBetween(512L, 528L);
    }

    @Test
    void the_durations_of_a_window_are_spread_with_a_weight() {
        WindowTimes times = new WindowTimes();
        times.add(0, 5);
        times.add(1, 5);
        times.add(2, 7);
        times.add(3, -1); // a clock that was set back
        times.add(2 * WINDOW, 31);
        Masses masses = new Masses();
        assertThat(times.spread(0, 8, masses)).isTrue();
        assertThat(masses.atLeast(25)).isZero();
        assertThat(masses.atLeast(26)).isEqualTo(5);
        assertThat(masses.atMost(75)).isEqualTo(5);
        assertThat(masses.atMost(76)).isEqualTo(7);
        assertThat(times.spread(1, 8, masses)).as("an empty window").isFalse();
        assertThat(times.spread(2, 2, masses)).isTrue();
        assertThat(masses.atMost(80)).as("8 of 10").isEqualTo(7);
        assertThat(masses.atMost(81)).isEqualTo(31);
    }

    /** Up to 31 ns exactly, then to the upper end of a bucket of 3 %. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 1_000, 65_537, 1_000_000, 123_456_789_012L})
    void a_duration_is_kept_within_3_percent(long nanos) {
        WindowTimes times = new WindowTimes();
        times.add(0, nanos);
        Masses masses = new Masses();
        times.spread(0, 1, masses);
        assertThat(masses.atMost(50)).isBetween(nanos, nanos + nanos / 32);
        assertThat(masses.atLeast(50)).isBetween(nanos - nanos / 100, nanos + nanos / 32);
    }

    @Test
    void the_longest_duration_has_a_window_too() {
        WindowTimes times = new WindowTimes();
        times.add(0, Distribution.MAX_NANOS);
        times.add(0, Long.MAX_VALUE);
        assertThat(times.startsIn(0)).isEqualTo(2);
    }

    @Test
    void buckets_of_masses_follow_each_other_and_are_narrower_than_1_percent() {
        for (int bucket = 0; bucket < 40 * 128; bucket++) {
            long lowest = WindowTimes.lowest(bucket, 7);
            long highest = WindowTimes.highest(bucket, 7);
            assertThat(WindowTimes.bucket(lowest, 7)).isEqualTo(bucket);
            assertThat(WindowTimes.bucket(highest, 7)).isEqualTo(bucket);
            assertThat(WindowTimes.lowest(bucket + 1, 7)).isEqualTo(highest + 1);
            assertThat(highest - lowest).isLessThanOrEqualTo(lowest / 128);
        }
        assertThat(WindowTimes.bucket(-1, 7)).isZero();
        assertThat(WindowTimes.highest(127, 7)).isEqualTo(127);
        assertThat(WindowTimes.highest(128, 7)).isEqualTo(128);
        assertThat(WindowTimes.highest(256, 7)).isEqualTo(257);
    }

    @Test
    void percentiles_of_masses_are_by_nearest_rank() {
        Masses masses = new Masses();
        assertThat(masses.atLeast(99)).as("of nothing").isZero();
        masses.add(10, 1);
        masses.add(30, 0.5);
        masses.add(20, 2);
        masses.add(30, 0.5);
        assertThat(masses.atLeast(0)).isEqualTo(10);
        assertThat(masses.atLeast(25)).isEqualTo(10);
        assertThat(masses.atLeast(25.1)).isEqualTo(20);
        assertThat(masses.atLeast(75)).isEqualTo(20);
        assertThat(masses.atMost(75.1)).isEqualTo(30);
        assertThat(masses.atMost(100)).isEqualTo(30);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void merged_windows_lose_no_request(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        WindowTimes times = new WindowTimes();
        for (int i = 0; i < 500; i++) {
            times.add(random.nextLong(-(1L << seed + i / 15), 1L << seed + i / 15), 10);
        }
        long sum = 0;
        for (int window = 0; window < times.count(); window++) {
            sum += times.startsIn(window);
        }
        assertThat(sum).isEqualTo(500);
        assertThat(times.count()).isBetween(2, 512);
    }
}
