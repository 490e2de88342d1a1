package dev.downbeat.stats.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.change.ShiftFunction.BlockIntervals;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT)
class ShiftFunctionTest {
    private static final double[] PERCENTILES = {50, 90, 99};
    private static final int PAIRS = 200;

    /** Of the five per cent that are excluded wrongly. */
    private static final double SLACK = Replications.slackPoints(5, PAIRS);

    @Test
    void identical_systems_in_turns_rarely_differ() {
        int pairs = Replications.of(PAIRS);
        int[] excluded = new int[PERCENTILES.length];
        for (int seed = 0; seed < pairs; seed++) {
            List<ShiftFunction.Shift> shifts = ShiftFunction.ofTurns(
                            List.of(turns(wandering(seed, 10)), turns(wandering(seed + 10_000, 10))),
                            PERCENTILES,
                            seed,
                            1)
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
        ShiftFunction.Shift paired = ShiftFunction.ofTurns(List.of(base, other), PERCENTILES, 1, 1)
                .get(0)
                .get(0);
        assertThat(paired.answer()).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(paired.lowChange()).isLessThan(paired.atLeast());
        assertThat(paired.atMost()).isLessThan(paired.highChange());
    }

    @Test
    void systems_that_rise_and_fall_together_are_told_apart_by_their_ratio() {
        List<ShiftFunction.Shift> shifts =
                ShiftFunction.ofTurns(moving(0.31, 1, 6), PERCENTILES, 1, 1).get(0);
        assertThat(shifts).allSatisfy(shift -> {
            assertThat(shift.answer()).isEqualTo(ChangeAnswer.FASTER);
            assertThat(shift.independentBeyond()).isGreaterThanOrEqualTo(ShiftFunction.LEAST_BEYOND);
            assertThat(shift.lowChange()).isLessThan(-0.66);
            assertThat(shift.highChange()).isBetween(-0.69, -0.4);
        });
    }

    @ParameterizedTest(name = "their levels move together: {0}")
    @ValueSource(booleans = {true, false})
    void identical_systems_whose_level_moves_rarely_differ(boolean together) {
        int pairs = Replications.of(PAIRS);
        int differing = 0;
        for (int seed = 0; seed < pairs; seed++) {
            List<List<Distribution>> one = moving(1, seed, 6);
            List<Distribution> other =
                    together ? one.get(1) : moving(1, seed + 10_000, 6).get(1);
            differing += ShiftFunction.ofTurns(List.of(one.get(0), other), PERCENTILES, seed, 1).get(0).stream()
                            .anyMatch(shift ->
                                    shift.answer() == ChangeAnswer.FASTER || shift.answer() == ChangeAnswer.SLOWER)
                    ? 1
                    : 0;
        }
        assertThat(100.0 * differing / pairs).isLessThanOrEqualTo(5 + SLACK);
    }

    /** Two systems in turns; from turn to turn the machine is several times slower or faster for both. */
    private static List<List<Distribution>> moving(double factor, long seed, int turns) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Distribution> base = new ArrayList<>();
        List<Distribution> other = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            double level = 1e7 * Math.exp(random.nextGaussian());
            base.add(second(random, level, 600));
            other.add(second(random, level * factor, 600));
        }
        return List.of(base, other);
    }

    @Test
    void the_interval_of_a_percentile_covers_it() {
        int covered = 0;
        int rounds = Replications.of(200, 20); // of five, the two that miss by chance are 40 %
        long truth = turns(side(1, 99, 400)).stream()
                .reduce(Distribution.empty(), Distribution::plus)
                .valueAtPercentile(90);
        for (int seed = 0; seed < rounds; seed++) {
            List<Distribution> blocks = side(1, seed, 1).get(0).subList(0, 10);
            BlockIntervals.Range range =
                    BlockIntervals.of(blocks, new double[] {90}, seed).get(0);
            covered += range.lowNanos() <= truth && truth <= range.highNanos() ? 1 : 0;
        }
        assertThat(100.0 * covered / rounds).isBetween(88.0 - SLACK, 98.0 + SLACK);
    }

    private static void count(List<ShiftFunction.Shift> shifts, int[] excluded) {
        for (int i = 0; i < excluded.length; i++) {
            excluded[i] += shifts.get(i).lowChange() > 0 || shifts.get(i).highChange() < 0 ? 1 : 0;
        }
    }

    private static List<Double> percent(int[] counts, int all) {
        return Arrays.stream(counts).mapToObj(count -> 100.0 * count / all).toList();
    }

    private static List<Distribution> turns(List<List<Distribution>> side) {
        return side.stream().map(Distribution::sum).toList();
    }

    /** Short runs, each at a level of its own. */
    private static List<List<Distribution>> wandering(long seed, int runs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Distribution>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            all.add(List.of(second(random, 1e6, 300)));
        }
        return all;
    }

    private static Distribution second(SplittableRandom random, double nanos, int requests) {
        double level = nanos * Math.exp(0.05 * random.nextGaussian());
        return Distribution.of(LongStream.generate(() -> (long) (level * (1 + random.nextExponential())))
                .limit(requests));
    }

    /** Runs of 30 s with 60 requests a second; the level wanders from second to second. */
    private static List<List<Distribution>> side(double factor, long seed, int runs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Distribution>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<Distribution> seconds = new ArrayList<>();
            for (int second = 0; second < 30; second++) {
                seconds.add(second(random, 1e6 * factor, 60));
            }
            all.add(seconds);
        }
        return all;
    }
}
