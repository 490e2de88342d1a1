package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class ShiftFunctionTest {
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final int PAIRS = 200;

    /** Of the five per cent that are excluded wrongly. */
    private static final double SLACK = Replications.slackPoints(5, PAIRS);

    @Test
    void two_identical_systems_are_seldom_told_apart() {
        int[] excluded = new int[PERCENTILES.length];
        int answers = 0;
        int pairs = Replications.of(PAIRS);
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
            assertThat(100.0 * excluded[i] / pairs).as("p" + PERCENTILES[i]).isBetween(2.5 - SLACK, 7.5 + SLACK);
        }
        assertThat(100.0 * answers / pairs).as("any answer").isLessThanOrEqualTo(7 + SLACK);
    }

    @ParameterizedTest(name = "load {0}, {1} requests a second")
    @CsvSource({"0.4, 100, 60", "0.8, 500, 30"})
    void queues_of_the_same_kind_are_seldom_told_apart(double load, double rate, int seconds) {
        // 5 +- 2, and what 200 pairs may differ from that by chance
        assertThat(excludedPercent(
                        Replications.of(PAIRS),
                        seed -> new ShiftFunction.Side(List.of(queue(load, rate, seconds, seed)))))
                .allSatisfy(percent -> assertThat(percent).isBetween(1.0 - SLACK, 9.0 + SLACK));
    }

    @Test
    void where_too_few_requests_are_independent_nothing_is_concluded() {
        // a queue near its limit remembers for longer than a second
        int excluded = 0;
        int pairs = Replications.of(40, 10);
        for (int seed = 0; seed < pairs; seed++) {
            ShiftFunction.Shift p99 = ShiftFunction.of(
                            new ShiftFunction.Side(List.of(queue(0.8, 100, 30, 2L * seed))),
                            new ShiftFunction.Side(List.of(queue(0.8, 100, 30, 2L * seed + 1_000_001))),
                            new double[] {99},
                            seed)
                    .get(0);
            assertThat(p99.independentBeyond()).isLessThan(ShiftFunction.LEAST_BEYOND);
            excluded += p99.answer() == ShiftFunction.Answer.CANNOT_TELL ? 0 : 1;
        }
        assertThat(excluded).isLessThanOrEqualTo(pairs / 10);
    }

    @ParameterizedTest(name = "{0} runs")
    @ValueSource(ints = {2, 5})
    void runs_that_differ_among_themselves_are_seldom_told_apart(int runs) {
        assertThat(excludedPercent(Replications.of(PAIRS), seed -> wandering(seed, runs)))
                .allSatisfy(percent -> assertThat(percent).isBetween(1.0 - SLACK, 7.5 + SLACK));
    }

    @Test
    void identical_systems_in_turns_are_seldom_told_apart() {
        int pairs = Replications.of(PAIRS);
        int[] excluded = new int[PERCENTILES.length];
        for (int seed = 0; seed < pairs; seed++) {
            List<ShiftFunction.Shift> shifts = ShiftFunction.ofTurns(
                            List.of(turns(wandering(seed, 10)), turns(wandering(seed + 10_000, 10))), PERCENTILES, seed)
                    .get(0);
            count(shifts, excluded);
        }
        assertThat(percent(excluded, pairs))
                .allSatisfy(percent -> assertThat(percent).isBetween(2.0 - SLACK, 7.5 + SLACK));
    }

    @Test
    void a_drift_that_meets_both_is_taken_out_by_turns() {
        List<Distribution> base = new ArrayList<>();
        List<Distribution> other = new ArrayList<>();
        for (int turn = 0; turn < 10; turn++) {
            base.add(turns(side(1 + 0.1 * turn, turn, 1)).get(0));
            other.add(turns(side(1.1 + 0.11 * turn, turn + 500, 1)).get(0));
        }
        ShiftFunction.Shift paired = ShiftFunction.ofTurns(List.of(base, other), PERCENTILES, 1)
                .get(0)
                .get(0);
        ShiftFunction.Shift apart =
                ShiftFunction.of(asRuns(base), asRuns(other), PERCENTILES, 1).get(0);
        assertThat(paired.answer()).isEqualTo(ShiftFunction.Answer.SLOWER);
        assertThat(apart.answer()).isEqualTo(ShiftFunction.Answer.CANNOT_TELL);
    }

    @Test
    void systems_in_turns_need_the_same_turns() {
        assertThatThrownBy(() -> ShiftFunction.ofTurns(List.of(List.of(of(1), of(2)), List.of(of(1))), PERCENTILES, 1))
                .hasMessageContaining("but there were [2, 1] turns");
    }

    @Test
    void the_interval_of_a_percentile_covers_it() {
        int covered = 0;
        int rounds = Replications.of(200);
        long truth = turns(side(1, 99, 400)).stream()
                .reduce(Distribution.empty(), Distribution::plus)
                .valueAtPercentile(90);
        for (int seed = 0; seed < rounds; seed++) {
            List<Distribution> blocks = side(1, seed, 1).runs().get(0).subList(0, 10);
            BlockIntervals.Range range =
                    BlockIntervals.of(blocks, new double[] {90}, seed).get(0);
            covered += range.lowNanos() <= truth && truth <= range.highNanos() ? 1 : 0;
        }
        assertThat(100.0 * covered / rounds).isBetween(88.0 - SLACK, 98.0 + SLACK);
    }

    @Test
    void a_tenth_slower_is_found() {
        int found = 0;
        int pairs = Replications.of(20, 5);
        for (int seed = 0; seed < pairs; seed++) {
            List<ShiftFunction.Shift> shifts =
                    ShiftFunction.of(side(1, seed, 5), side(1.1, seed + 500, 5), PERCENTILES, seed);
            found += shifts.get(0).answer() == ShiftFunction.Answer.SLOWER ? 1 : 0;
            assertThat(shifts.get(0).change()).isCloseTo(0.1, within(0.06));
        }
        assertThat(found).isGreaterThanOrEqualTo(pairs - 1);
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
                .hasMessage("there must be one run of at least 10 intervals, or several of at least one");
    }

    @Test
    void the_effect_size_counts_pairs() {
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(4, 5, 6))).isEqualTo(1);
        assertThat(Effect.cliffsDelta(of(4, 5, 6), of(1, 2, 3))).isEqualTo(-1);
        assertThat(Effect.cliffsDelta(of(1, 2, 3), of(1, 2, 3))).isEqualTo(0);
        assertThat(Effect.cliffsDelta(of(1, 2), of(2, 3))).isEqualTo(0.75);
        assertThat(Effect.cliffsDelta(of(), of(2, 3))).isEqualTo(0);
    }

    private interface Systems {
        ShiftFunction.Side of(long seed);
    }

    /** How often, in per cent, the interval of each percentile excludes that there is no change. */
    private static List<Double> excludedPercent(int pairs, Systems systems) {
        int[] excluded = new int[PERCENTILES.length];
        LongStream.range(0, pairs)
                .parallel()
                .mapToObj(seed ->
                        ShiftFunction.of(systems.of(2 * seed), systems.of(2 * seed + 1_000_001), PERCENTILES, seed))
                .toList()
                .forEach(shifts -> count(shifts, excluded));
        return percent(excluded, pairs);
    }

    private static void count(List<ShiftFunction.Shift> shifts, int[] excluded) {
        for (int i = 0; i < excluded.length; i++) {
            excluded[i] += shifts.get(i).lowChange() > 0 || shifts.get(i).highChange() < 0 ? 1 : 0;
        }
    }

    private static List<Double> percent(int[] counts, int all) {
        return Arrays.stream(counts).mapToObj(count -> 100.0 * count / all).toList();
    }

    private static List<Distribution> turns(ShiftFunction.Side side) {
        return side.runs().stream().map(RunIntervals::sum).toList();
    }

    private static ShiftFunction.Side asRuns(List<Distribution> blocks) {
        return new ShiftFunction.Side(blocks.stream().map(List::of).toList());
    }

    /** Short runs, each at a level of its own. */
    private static ShiftFunction.Side wandering(long seed, int runs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Distribution>> all = new ArrayList<>();
        Histogram histogram = Distribution.newHistogram();
        for (int run = 0; run < runs; run++) {
            histogram.reset();
            double level = 1e6 * Math.exp(0.05 * random.nextGaussian());
            for (int i = 0; i < 300; i++) {
                histogram.recordValue((long) (level * (1 + random.nextExponential())));
            }
            all.add(List.of(Distribution.of(histogram)));
        }
        return new ShiftFunction.Side(all);
    }

    /** One server with Poisson arrivals and exponential service times, by second. */
    private static List<Distribution> queue(double load, double rate, int length, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> seconds = new ArrayList<>();
        Histogram histogram = Distribution.newHistogram();
        double arrival = -10;
        double free = arrival;
        while (seconds.size() < length) {
            arrival += random.nextExponential() / rate;
            free = Math.max(free, arrival) + random.nextExponential() * load / rate;
            if (arrival >= seconds.size() + 1) {
                seconds.add(Distribution.of(histogram));
                histogram.reset();
            }
            if (arrival >= 0) {
                histogram.recordValue((long) ((free - arrival) * 1e9));
            }
        }
        return seconds;
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
