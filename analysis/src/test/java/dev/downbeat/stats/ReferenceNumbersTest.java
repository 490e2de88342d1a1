package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.RunIntervals.MeanInterval;
import dev.downbeat.stats.change.Effect;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.stats.change.ShareChange.BlockCounts;
import dev.downbeat.stats.change.ShiftFunction.BlockChange;
import dev.downbeat.stats.level.LevelChanges.LevelNoise;
import dev.downbeat.stats.level.LevelChanges.LevelRun;
import dev.downbeat.stats.position.PeriodFinder.MeanOfUniforms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Formulas against numbers that a second program gave: plain Python, whose quantiles of Student's t and of the
 * beta law come from the densities, integrated by Simpson's rule.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReferenceNumbersTest {
    static void assertNumbers(double[] found, double... expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i])
                    .as("number %s", i)
                    .isCloseTo(expected[i], within(2e-8 * Math.abs(expected[i]) + 1e-12));
        }
    }

    @Test
    void Students_t_has_its_known_tails_of_odd_freedoms_too() {
        assertThat(StudentT.quantile(0.95, 1.5)).isCloseTo(3.7051808200966954, within(1e-9));
        assertThat(StudentT.quantile(0.99, 30)).isCloseTo(2.457261542400736, within(1e-9));
        assertThat(StudentT.quantile(0.5, 4)).isCloseTo(0, within(1e-6));
        assertThat(StudentT.upperTail(2, 5)).isCloseTo(0.05096973941492999, within(1e-10));
        assertThat(StudentT.upperTail(0.3, 12)).isCloseTo(0.3846552370441263, within(1e-10));
    }

    @ParameterizedTest(name = "{0} of mean {1}")
    @CsvSource({
        "10, 0.7, -4.17738452286695",
        "1000, 0.5001, -6.000000064723763e-05",
        "5, 0.99999, -54.28828481424932",
        "3, 0.51, -0.0018002160543254611",
        "200, 0.55, -4.820853265157141",
        "7, 0.5, 0"
    })
    void the_tail_of_a_mean_is_that_of_the_saddle_point(long count, double mean, double logTail) {
        assertThat(MeanOfUniforms.logTail(count, mean)).isCloseTo(logTail, within(1e-7 * Math.abs(logTail) + 1e-8));
    }

    @Test
    void growth_has_the_mean_of_its_rises_and_an_interval_of_t() {
        Growth few = Growth.of(new long[] {0, 10, 30, 35, 60, 70, 80, 110}, 100);
        assertNumbers(
                new double[] {few.slope(), few.lowSlope(), few.highSlope()},
                0.15714285714285714,
                0.07092621759920424,
                0.24335949668651002);
        assertThat(few.grows()).isTrue();
        assertThat(few.highSlope()).isGreaterThanOrEqualTo(0.2);
        Growth.CapacityEstimate capacity = few.capacity(100).orElseThrow();
        assertNumbers(
                new double[] {capacity.perSecond(), capacity.lowPerSecond(), capacity.highPerSecond()},
                100 / 1.15714285714285714,
                100 / 1.24335949668651002,
                100 / 1.07092621759920424);
        Growth merged =
                Growth.of(LongStream.range(0, 40).map(i -> i * i % 7 + 3 * i).toArray(), 10);
        assertNumbers(
                new double[] {merged.slope(), merged.lowSlope(), merged.highSlope()},
                0.30526315789473685,
                0.24683958446599055,
                0.3636867313234831);
        Growth answers = Growth.ofAnswers(new long[] {0, 10, 30, 35, 60, 70, 80, 110}, 100);
        assertThat(answers.slope()).isCloseTo(few.slope() / (1 - few.slope()), within(1e-12));
        assertThat(Growth.ofAnswers(new long[] {0, 1, 2, 3, 4, 5, 6, 7}, 1).slope())
                .isInfinite();
        assertThat(new Growth(0, 0, 0.1).grows()).isFalse();
        assertThatThrownBy(() -> Growth.of(new long[8], 0)).hasMessageEndingWith("but there were 8 of 0");
    }

    private static double[] five(BlockChange change) {
        return new double[] {change.low(), change.high(), change.atLeast(), change.atMost(), change.chance()};
    }

    @Test
    void the_change_of_blocks_is_that_of_their_draws_stretched_to_the_turns() {
        double[] before = IntStream.range(0, 40).mapToDouble(Math::sin).toArray();
        double[] after = IntStream.range(0, 40)
                .mapToDouble(i -> Math.sin(i) + 0.5 + 0.4 * Math.cos(3 * i))
                .toArray();
        double[] lower = Arrays.stream(after).map(each -> each - 0.45).toArray();
        double[] low = Arrays.stream(after).map(each -> each - 0.3).toArray();
        assertNumbers(
                five(BlockChange.ofTurns(0.5, before, after, 10)),
                0.018223821193696255,
                0.9866462932402866,
                0.045493913195046476,
                0.9667890406383617,
                0.09439103893936052);
        assertNumbers(
                five(BlockChange.ofTurns(-0.5, after, before, 10)),
                -0.9834297460324042,
                -0.013525271006893047,
                -0.9632677433560624,
                -0.03480760720020709,
                0.09439103893936052);
        assertNumbers(
                five(BlockChange.ofTurns(0.05, before, lower, 5)),
                -0.5771737905475437,
                0.6835136808624391,
                -0.5106382605962823,
                0.625789419342153,
                0.9794939343950351);
        assertThat(BlockChange.ofTurns(0.2, before, low, 5).chance()).isCloseTo(0.7333503571309434, within(1e-8));
        assertThat(BlockChange.ofTurns(0, before, before, 2).chance()).isEqualTo(1);
    }

    @Test
    void the_noise_within_a_build_is_that_of_its_runs_or_of_their_own_intervals() {
        double nan = Double.NaN;
        List<List<LevelRun>> builds = List.of(
                List.of(new LevelRun(1, 0.1)),
                List.of(new LevelRun(1.1, 0.2), new LevelRun(1.3, nan)),
                List.of(new LevelRun(1.5, nan)),
                List.of(new LevelRun(1.2, 0.3), new LevelRun(1.25, 0.1), new LevelRun(1.1, 0.2)),
                List.of(new LevelRun(1.05, 0.15)),
                List.of(new LevelRun(1.4, 0.5)));
        LevelNoise noise = LevelNoise.ofNeighbours(builds);
        assertThat(noise.usualWithin()).hasValueCloseTo(0.02125, within(1e-12));
        assertNumbers(
                noise.variances(),
                0.08822017975555543,
                0.09766462419999988,
                0.11766462419999989,
                0.09322017975555544,
                0.10016462419999989,
                0.32766462419999987);
        double[] residuals = {0.3, -0.5, 0.6, -0.4, 0.2, 1.5};
        assertThat(noise.fitted(residuals, 4).variances()[0]).isCloseTo(0.6932418644804177, within(1e-9));
        assertThat(noise.fitted(residuals, 3).variances()[5]).isCloseTo(1.2143046727149212, within(1e-9));
    }

    private static List<BlockCounts> tallies(int count, IntUnaryOperator part, IntUnaryOperator whole) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BlockCounts(part.applyAsInt(i), whole.applyAsInt(i)))
                .toList();
    }

    @Test
    void shares_differ_by_their_blocks_and_in_turns_by_pairs_of_them() {
        ShareChange.Side base = new ShareChange.Side(tallies(10, i -> i * 7 % 5, i -> 20 + i % 3), false);
        ShareChange.Side other = new ShareChange.Side(tallies(12, i -> i * 7 % 5 + 1 + i % 2 * 4, i -> 25), false);
        double[][] expected = {
            {-0.028810470362478025, 0.22048681448224827, -0.0631750895718193, 0.2548514336915896},
            {-0.00407840918650014, 0.1957547533062704, -0.03162459982688223, 0.22330094394665248}
        };
        for (int turns = 0; turns < 2; turns++) {
            ShareChange found = ShareChange.of(base, other, turns == 1, 1);
            ShareChange rarer = ShareChange.of(base, other, turns == 1, 4);
            assertNumbers(new double[] {found.low(), found.high(), rarer.low(), rarer.high()}, expected[turns]);
            assertNumbers(new double[] {found.base(), found.other()}, 0.09569377990430622, 0.19333333333333333);
        }
        ShareChange single = ShareChange.of(
                new ShareChange.Side(List.of(new BlockCounts(3, 100)), false),
                new ShareChange.Side(List.of(new BlockCounts(9, 100)), false),
                true,
                1);
        assertNumbers(new double[] {single.low(), single.high()}, -0.03191952352876597, 0.14956658235229536);
        assertThat(new ShareChange(0, 0, 0, 0).isMore() || new ShareChange(0, 0, 0, 0).isLess())
                .isFalse();
    }

    @Test
    void the_law_of_scalability_is_fitted_by_relative_squares_and_no_term_is_negative() {
        double[] clients = {1, 2, 4, 8, 16, 32};
        double[][] expected = {
            {117.54126096454158, 0.02773951636156558, 0.0028499666280788595},
            {119.77451095286844, 0, 0.0012471035366273568},
            {100.33088146124643, 0.07338660850474392, 0},
            {116.43953068592059, 0, 0}
        };
        double[][] throughputs = {
            {118, 230, 410, 700, 900, 800},
            {118, 240, 470, 900, 1500, 1700},
            {100, 190, 330, 520, 750, 1000},
            {100, 210, 450, 950, 2000, 4200}
        };
        for (int i = 0; i < expected.length; i++) {
            ScalabilityLaw law = ScalabilityLaw.fit(clients, throughputs[i]);
            assertNumbers(new double[] {law.perClient(), law.contention(), law.coherence()}, expected[i]);
        }
        assertThatThrownBy(() -> ScalabilityLaw.fit(clients, new double[7])).hasMessageEndingWith("were 6 and 7");
    }

    @Test
    void a_mean_has_the_interval_of_its_batches() {
        List<Distribution> seconds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            seconds.add(Distribution.of(new long[] {100 + i * 37 % 50}, new long[] {5 + i % 2}));
        }
        MeanInterval mean = MeanInterval.of(seconds, 0.95);
        assertNumbers(
                new double[] {mean.meanNanos(), mean.lowNanos(), mean.highNanos()},
                123.63636363636364,
                116.52356286303113,
                130.74916440969614);
        assertThatThrownBy(() -> MeanInterval.of(seconds.subList(0, 19), 0.95))
                .hasMessageEndingWith("but there were 19");
    }

    @Test
    void distributions_of_random_values_are_as_far_apart_as_their_pairs() {
        SplittableRandom random = new SplittableRandom(3);
        long[] one = random.longs(40, 0, 30).sorted().toArray();
        long[] other = random.longs(30, 5, 40).sorted().toArray();
        double pairs = 0;
        for (long a : one) {
            for (long b : other) {
                pairs += Long.compare(b, a);
            }
        }
        Distribution first = SimulatedQueue.distribution(one, one.length);
        Distribution second = SimulatedQueue.distribution(other, other.length);
        assertThat(Effect.cliffsDelta(first, second)).isCloseTo(pairs / 1_200, withinPercentage(1e-9));
        assertThat(Effect.cliffsDelta(first, Distribution.empty())).isZero();
        assertThat(Effect.cliffsDelta(Distribution.empty(), first)).isZero();
    }
}
