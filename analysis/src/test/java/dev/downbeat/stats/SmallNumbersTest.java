package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.Events;
import dev.downbeat.stats.level.Levels;
import dev.downbeat.stats.position.ConnectionLifetimes;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionFinding.PositionWords;
import dev.downbeat.stats.position.PositionFinding.SpectrumStep;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.stats.session.RecordedTimeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small numbers that can be counted by hand, at the limits where an answer changes. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SmallNumbersTest {
    private static Distribution times(long... nanos) {
        return SimulatedQueue.distribution(nanos, nanos.length);
    }

    /** As often by chance: 1/2^5 is more than 2.5 %, 1/2^6 is less; in half the time 6 of 9 are 4.2 %, and 7 are 0.8 %. */
    @ParameterizedTest
    @CsvSource({
        "0, 60, 5, 60, CANNOT_TELL",
        "0, 60, 6, 60, SLOWER",
        "5, 60, 0, 60, CANNOT_TELL",
        "6, 60, 0, 60, FASTER",
        "3, 60, 6, 30, CANNOT_TELL",
        "2, 60, 7, 30, SLOWER",
        "0, 60, 3, 30, CANNOT_TELL",
        "0, 60, 4, 30, SLOWER",
        "0, 60, 0, 60, NOT_JUDGED",
        "3, 60, 1, 0, NOT_JUDGED",
        "3, 0, 1, 60, NOT_JUDGED"
    })
    void event_rates_differ_if_chance_rarely_splits_them_this_way(
            int base, double baseSeconds, int other, double otherSeconds, ChangeAnswer answer) {
        assertThat(Events.rate(base, baseSeconds, other, otherSeconds)).isEqualTo(answer);
    }

    /** Of 4 x 4 pairs 15.5 are beyond 1.96 deviations, 15 are not. */
    @Test
    void lengths_of_events_differ_by_their_ranks() {
        List<Long> one = List.of(1L, 2L, 3L, 4L);
        assertThat(Events.lengths(one, List.of(4L, 5L, 6L, 7L))).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(Events.lengths(List.of(4L, 5L, 6L, 7L), one)).isEqualTo(ChangeAnswer.FASTER);
        assertThat(Events.lengths(List.of(1L, 2L, 3L, 5L), List.of(4L, 6L, 7L, 8L)))
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(Events.lengths(one, one)).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(Events.lengths(one, List.of(5L, 6L, 7L))).isEqualTo(ChangeAnswer.NOT_JUDGED);
        assertThat(Events.lengths(List.of(5L, 6L, 7L), one)).isEqualTo(ChangeAnswer.NOT_JUDGED);
    }

    @Test
    void series_have_their_middle_slope_and_squares() {
        assertThat(Series.median(new double[] {5, 1, 3})).isEqualTo(3);
        assertThat(Series.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThat(Series.mean(new double[0])).isZero();
        assertThat(Series.squares(new double[] {1, 2, 6})).isEqualTo(14);
        assertThat(Series.slope(new double[] {1, 4, 2, 8, 5, 7})).isCloseTo(1.2, within(1e-12));
        assertThat(Series.slope(new double[] {3})).isZero();
        assertThat(Series.slope(new double[] {3, 7})).isEqualTo(4);
        assertThat(Series.batches(new double[] {1, 3, 5, 7, 9}, 2)).containsExactly(2, 6);
        assertThat(Series.withoutOutliers(new double[] {1, 2, 3, 4, 100})[4]).isCloseTo(10.413, within(1e-9));
        assertThat(Series.withoutOutliers(new double[] {-100, 2, 3, 4, 5})[0]).isCloseTo(-4.413, within(1e-9));
        assertThat(Series.withoutOutliers(new double[] {1, 2, 3, 4, 10})).containsExactly(1, 2, 3, 4, 10);
    }

    @Test
    void a_level_leaves_out_what_is_beyond_and_pays_for_it_once() {
        Levels levels = new Levels(
                new double[] {1, 1.2, 1.1, 5}, new double[] {0.01, 0.02, 0.01, 0.01}, new int[] {1, 1, 1, 1}, 9);
        assertThat(levels.level(0, 4)).isCloseTo(1.08, within(1e-12));
        assertThat(levels.cost(0, 4)).isCloseTo(10.4, within(1e-9));
        assertThat(levels.variance(0, 4)).isCloseTo(1 / 250.0, within(1e-12));
        assertThat(levels.cost(0, 1)).as("one run is no level").isInfinite();
        assertThat(levels.isWithin(3, 5.299)).isTrue();
        assertThat(levels.isWithin(3, 5.301)).isFalse();
    }

    @Test
    void a_line_has_a_slope_with_a_confidence() {
        double[] variances = new double[5];
        Arrays.fill(variances, 0.01);
        Levels levels = new Levels(new double[] {2, 2.5, 3, 3.5, 4}, variances, new int[] {1, 1, 1, 1, 1}, 9);
        Levels.Line line = levels.line(0, 5);
        assertThat(line.slope).isCloseTo(0.5, within(1e-12));
        assertThat(line.slopeVariance).isCloseTo(0.001, within(1e-12));
        assertThat(line.at(4)).isCloseTo(4, within(1e-12));
        assertThat(line.cost(0, 5)).isCloseTo(0, within(1e-12));
        assertThat(levels.line(1, 4).at(0)).isCloseTo(2, within(1e-12));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_cheapest_levels_are_those_that_trying_all_finds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int n = 9;
        double[] values = new double[n];
        double[] variances = new double[n];
        int[] runs = new int[n];
        for (int i = 0; i < n; i++) {
            values[i] = random.nextDouble() + (i < 3 + seed % 4 ? 0 : 2) * (seed % 3);
            variances[i] = 0.05 + 0.1 * random.nextDouble();
            runs[i] = 1 + random.nextInt(2);
        }
        Levels levels = new Levels(values, variances, runs, 8);
        double least = Double.POSITIVE_INFINITY;
        List<Integer> best = List.of();
        for (int cuts = 0; cuts < 1 << (n - 1); cuts++) {
            List<Integer> begins = new ArrayList<>(List.of(0));
            for (int i = 1; i < n; i++) {
                if ((cuts >> (i - 1) & 1) == 1) {
                    begins.add(i);
                }
            }
            double cost = 5.0 * (begins.size() - 1);
            for (int i = 0; i < begins.size(); i++) {
                cost += levels.cost(begins.get(i), i + 1 < begins.size() ? begins.get(i + 1) : n);
            }
            if (cost < least) {
                least = cost;
                best = begins;
            }
        }
        assertThat(levels.begins(5)).isEqualTo(best);
    }

    @Test
    void a_movement_needs_a_request_beyond_in_each_tenth() {
        List<Distribution> tenths = new ArrayList<>(Collections.nCopies(9, times(1_000, 1_000)));
        tenths.add(times(1_000, 1_010));
        PercentileRange moved = PercentileRange.of(tenths, 50).orElseThrow();
        assertThat(moved.isSlight()).isTrue();
        assertThat(moved.leastLog()).isCloseTo(Math.log(1_000) - 5 * Math.log(1.001), within(1e-9));
        assertThat(moved.mostLog()).isCloseTo(Math.log(1_000) + 5 * Math.log(1.001), within(1e-9));
        assertThat(PercentileRange.of(tenths, 51))
                .as("less than one of two lies beyond")
                .isEmpty();
        assertThat(PercentileRange.of(List.of(), 50)).isEmpty();
        assertThat(new PercentileRange(0, Math.log(1.01)).isSlight()).isTrue();
        assertThat(new PercentileRange(0, Math.log(1.0101)).isSlight()).isFalse();
        assertThat(new PercentileRange(0, Math.log(10) / 5.0001).isInformative())
                .isTrue();
        assertThat(new PercentileRange(0, Math.log(10) / 4.9999).isInformative())
                .isFalse();
        assertThat(new PercentileRange(1, 1.1).leastLog()).isCloseTo(0.5, within(1e-9));
        assertThat(new PercentileRange(1, 1.1).mostLog()).isCloseTo(1.6, within(1e-9));
    }

    private static SerialRequest request(int position, long firstByteNanos) {
        return new SerialRequest(position, true, 1, 2, 3, firstByteNanos, 4);
    }

    @Test
    void a_connection_lives_until_the_next_begins_again() {
        List<SerialRequest> run = List.of(
                request(1, 5), request(2, 6), SerialRequest.failed(3), request(1, 7), request(2, 8), request(1, 9));
        ConnectionLifetimes lives = ConnectionLifetimes.of(List.of(run));
        assertThat(lives)
                .as("who failed at the third had answered two")
                .isEqualTo(new ConnectionLifetimes(2, 2, 2, 2, 2));
        assertThat(lives.isRule()).isFalse();
        assertThat(new ConnectionLifetimes(3, 2, 2, 2, 3).isRule()).isTrue();
        assertThat(new ConnectionLifetimes(10, 2, 3, 2, 9).isRule()).isTrue();
        assertThat(new ConnectionLifetimes(11, 2, 3, 2, 9).isRule()).isFalse();
        assertThat(ConnectionLifetimes.of(List.of(List.of(SerialRequest.failed(1), request(1, 5)))))
                .isEqualTo(new ConnectionLifetimes(1, 1, 1, 1, 1));
        assertThat(ConnectionLifetimes.of(List.of())).isEqualTo(new ConnectionLifetimes(0, 0, 0, 0, 0));
        assertThat(ConnectionLifetimes.series(List.of(run)))
                .containsExactly(new long[] {15, 16, -1}, new long[] {17, 18}, new long[] {19});
        assertThat(request(1, 5).serviceNanos()).isEqualTo(15);
        assertThat(request(1, 5).parts()).containsEntry(Part.CONNECT, 2L).containsEntry(Part.READING, 4L);
        assertThatThrownBy(() -> new SerialRequest(1, true, 0, 0, -1, 0, 0)).hasMessageStartingWith("durations");
        assertThat(new SerialRequest(1, true, 0, 0, 0, 0, 0).serviceNanos()).isZero();
    }

    @Test
    void connections_are_closed_mostly_by_whom_most_are() {
        assertThat(new Closes(0, 0, 0, Closes.HEADER).mostly()).isEqualTo(Closes.Kind.UNKNOWN);
        assertThat(new Closes(2, 2, 1, Closes.HEADER).mostly()).isEqualTo(Closes.Kind.ANNOUNCED);
        assertThat(new Closes(1, 2, 2, Closes.HEADER).mostly()).isEqualTo(Closes.Kind.SILENT);
        assertThat(new Closes(1, 1, 2, Closes.HEADER).mostly()).isEqualTo(Closes.Kind.OURS);
        for (int wrong = 0; wrong < 3; wrong++) {
            int place = wrong;
            assertThatThrownBy(() ->
                            new Closes(place == 0 ? -1 : 0, place == 1 ? -1 : 0, place == 2 ? -1 : 0, Closes.HEADER))
                    .hasMessageStartingWith("counts must be at least 0");
        }
    }

    @Test
    void a_step_at_one_in_n_is_known_within_a_fifth() {
        SpectrumStep step = new SpectrumStep(0.01, 1, 2);
        assertThat(step.percentile()).isEqualTo(99);
        assertThat(step.oneIn()).isEqualTo(100);
        assertThat(step.isOneIn(119.9)).isTrue();
        assertThat(step.isOneIn(120.1)).isFalse();
        assertThat(step.isOneIn(83.4)).isTrue();
        assertThat(step.isOneIn(83.3)).isFalse();
        assertThatThrownBy(() -> new SpectrumStep(0, 1, 2)).hasMessageEndingWith("but was 0.0");
        assertThatThrownBy(() -> new SpectrumStep(1, 1, 2)).hasMessageEndingWith("but was 1.0");
    }

    @Test
    void words_of_numbers() {
        assertThat(List.of(1, 2, 3, 4, 11, 12, 13, 21, 101, 111).stream().map(Numbers::ordinal))
                .containsExactly("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th");
        assertThat(PositionWords.percent(98.755)).isEqualTo("98.76 %");
        assertThat(PositionWords.percent(100)).isEqualTo("100 %");
        assertThat(PositionWords.time(-1_500_000)).isEqualTo("-1.50 ms");
        assertThat(PositionWords.time(0)).isEqualTo("0 ns");
        assertThat(Numbers.count(12_345)).isEqualTo("12,345");
        assertThat(Numbers.seconds(119_940_000_000L)).isEqualTo("119.9 s");
        assertThat(Numbers.seconds(120_000_000_000L)).isEqualTo("2m 00s");
        assertThat(Numbers.rate(0)).isEqualTo("0/s");
        assertThat(Numbers.rate(12.54)).isEqualTo("12.5/s");
        assertThat(Numbers.rate(2_000)).isEqualTo("2,000/s");
        assertThat(Stream.of(1L, 940L, 1_240L, 1_240_000L, 12_400_000_000L).map(Numbers::bytes))
                .containsExactly("1 byte", "940 bytes", "1.24 kB", "1.24 MB", "12.4 GB");
        assertThat(Stream.of(9.96, 259.4).map(Numbers::times)).containsExactly("x10", "x259");
        assertThat(Stream.of(100L, 100_000L, 1_000_000L, 2_000_000_000L).map(Numbers::tick))
                .containsExactly("100 ns", "100 us", "1 ms", "2 s");
        assertThat(Stream.of(0.0001, 0.5, 15.0).map(Numbers::plain)).containsExactly("0", "0.5", "15");
        assertThat(Numbers.list(List.of("a"))).isEqualTo("a");
        assertThat(Numbers.list(List.of("a", "b", "c"))).isEqualTo("a, b and c");
    }

    @Test
    void a_timeline_gives_back_when_each_was_asked_for() {
        RecordedTimeline timeline = new RecordedTimeline();
        timeline.add(1_000, 2_000, times(100, 100, 100, 100));
        timeline.add(0, 1_000, times(900));
        assertThat(timeline.whole()).isEqualTo(times(100, 100, 100, 100, 900));
        // four were meant to start between 900 and 1,900, the last one by 100
        assertThat(timeline.replay().slowest(2, 800).count()).isBetween(1L, 4L);
        assertThat(timeline.replay().slowest(2, 1_901).isEmpty()).isTrue();
        assertThat(timeline.replay().slowest(1, 0)).isEqualTo(times(100, 100, 100, 100, 900));
        Distribution many = Distribution.of(new long[] {1}, new long[] {RecordedTimeline.MOST});
        assertThatThrownBy(() -> timeline.add(0, 1, many)).hasMessageContaining("at most 5000000");
        assertThatThrownBy(() -> timeline.replay().slowest(0, 0)).hasMessageEndingWith("but were 0 and 0");
        assertThatThrownBy(() -> timeline.replay().slowest(1, -1)).hasMessageEndingWith("but were 1 and -1");
    }
}
