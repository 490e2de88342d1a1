package dev.downbeat.stats.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.SimulatedLevels;
import dev.downbeat.stats.SimulatedQueue;
import dev.downbeat.stats.SimulatedQueue.Beside;
import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QuantileChangeTest {
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0);
    private static final int PAIRS = 300;

    /** Goals: the most answers for identical systems, and the least share of "slower" for those that are slower. */
    @ParameterizedTest(name = "{0}, {1}/s, 60 s, times {2}")
    @CsvSource({
        "0.4, 1000, 1, 5",
        "0.4, 1000, 1.05, 0",
        "0.4, 1000, 1.2, 60",
        "0.8, 1000, 1, 5",
        "0.8, 1000, 1.1, 0",
        "0.8, 1000, 1.3, 60",
        "0.4, 100, 1, 5",
        "0.4, 100, 1.1, 0",
        "0.4, 100, 1.3, 60",
        "0.8, 100, 1, 5",
        "0.8, 100, 1.2, 0"
    })
    void identical_systems_rarely_differ_and_slower_ones_are_found(
            double utilisation, int perSecond, double factor, double goal) {
        int pairs = Math.max(20, Replications.of(PAIRS) / (factor > 1 && !Replications.areWhole() ? 2 : 1));
        int slower = 0;
        int faster = 0;
        int same = 0;
        int within5 = 0;
        for (int seed = 0; seed < pairs; seed++) {
            List<Distribution> base = queue(utilisation, perSecond, 1, seed * 7_919L + 13);
            List<Distribution> other = queue(utilisation, perSecond, factor, seed * 104_729L + 77);
            List<QuantileChange> changes = QuantileChange.of(List.of(base), List.of(other), PERCENTILES, 1);
            slower += changes.stream().anyMatch(change -> change.answer() == ChangeAnswer.SLOWER) ? 1 : 0;
            faster += changes.stream().anyMatch(change -> change.answer() == ChangeAnswer.FASTER) ? 1 : 0;
            same += within(changes.get(0), 0.1);
            within5 += within(changes.get(0), 0.05);
        }
        Table.line(
                "comparisons",
                String.format(
                        Locale.ROOT,
                        "| %s, %,d/s | %s | %.1f | %.1f | %.0f | %.0f |",
                        utilisation,
                        perSecond,
                        factor == 1 ? "identical" : String.format(Locale.ROOT, "+%.0f %%", 100 * (factor - 1)),
                        Table.percent(slower, pairs),
                        Table.percent(faster, pairs),
                        Table.percent(within5, pairs),
                        Table.percent(same, pairs)));
        double slack = Table.slack(goal, pairs);
        if (factor == 1) {
            assertThat(Table.percent(slower + faster, pairs)).isLessThanOrEqualTo(goal + slack);
        } else {
            assertThat(Table.percent(slower, pairs)).isGreaterThanOrEqualTo(goal - slack);
            assertThat(faster).isLessThanOrEqualTo(1);
        }
    }

    private static int within(QuantileChange change, double tolerance) {
        return change.atMost().orElse(1) <= tolerance ? 1 : 0;
    }

    private static List<Distribution> queue(double utilisation, int perSecond, double factor, long seed) {
        return new SimulatedQueue(utilisation, perSecond, Beside.NOTHING, new SplittableRandom(seed))
                .changed((second, response) -> factor * response)
                .seconds(60);
    }

    @Test
    void a_run_against_its_copy_is_the_same() {
        List<List<Distribution>> run = List.of(queue(0.8, 100, 1, 1));
        assertThat(QuantileChange.of(run, List.of(queue(0.8, 100, 1, 1)), PERCENTILES, 1))
                .allSatisfy(change -> {
                    assertThat(change.atLeast()).hasValue(0);
                    assertThat(change.atMost()).hasValue(0);
                    assertThat(change.answer()).isEqualTo(ChangeAnswer.CANNOT_TELL);
                });
    }

    @Test
    void a_percentile_without_an_interval_is_not_judged() {
        QuantileChange far = QuantileChange.of(
                        List.of(queue(0.8, 100, 1, 1)), List.of(queue(0.8, 100, 3, 2)), List.of(99.99), 1)
                .get(0);
        assertThat(far.high()).isEmpty();
        assertThat(far.low()).isEmpty();
        assertThat(far.answer()).isEqualTo(ChangeAnswer.NOT_JUDGED);
    }

    @ParameterizedTest(name = "for {0} s, runs of {1} s")
    @CsvSource({"3, 10", "10, 12", "30, 10", "30, 15", "100, 10", "100, 15", "3, 22", "10, 22"})
    void levels_that_wander_for_longer_than_a_run_rarely_differ(double memory, int seconds) {
        SimulatedLevels level = SimulatedLevels.wandering(0.3, memory);
        assertSeldomApart(
                String.format(Locale.ROOT, "wanders by 30 %%, memory %.0f s, runs of %d s", memory, seconds),
                random -> List.of(seconds(level, seconds, 1, random)),
                random -> List.of(seconds(level, seconds, 1, random)));
    }

    /** One of several tests fails by chance more often than each. */
    @ParameterizedTest(name = "p{0}, {1} s")
    @CsvSource({"50, 22", "90, 22", "99, 22", "50, 30", "99, 30", "99.9, 35"})
    void calm_runs_rarely_seem_to_wander(double percentile, int seconds) {
        SimulatedLevels calm = SimulatedLevels.wandering(0.001, 1);
        int wander = 0;
        int runs = Replications.of(4 * PAIRS, 100);
        for (int seed = 0; seed < runs; seed++) {
            List<Distribution> run = seconds(calm, seconds, 1, new SplittableRandom(seed * 7_919L + 3));
            wander += QuantileChange.allowedBetweenRuns(run, percentile) > QuantileChange.USUAL_SCATTER ? 1 : 0;
        }
        assertThat(Table.percent(wander, runs)).isLessThanOrEqualTo(5 + Table.slack(5, runs));
    }

    @ParameterizedTest(name = "by {0}, {1} against {2}")
    @CsvSource({"0.03, 1, 1", "0.05, 1, 1", "0.05, 2, 2", "0.05, 3, 3", "0.08, 3, 3"})
    void varying_runs_rarely_differ(double deviation, int base, int other) {
        assertSeldomApart(
                String.format(
                        Locale.ROOT, "runs of 30 s differ by %.0f %%, %d against %d", 100 * deviation, base, other),
                random -> runs(deviation, base, random),
                random -> runs(deviation, other, random));
    }

    private static void assertSeldomApart(
            String words,
            Function<SplittableRandom, List<List<Distribution>>> base,
            Function<SplittableRandom, List<List<Distribution>>> other) {
        int apart = 0;
        int pairs = Replications.of(PAIRS, 30);
        for (int seed = 0; seed < pairs; seed++) {
            SplittableRandom random = new SplittableRandom(seed * 7_919L + 3);
            apart += QuantileChange.of(base.apply(random), other.apply(random), PERCENTILES, 1).stream()
                            .anyMatch(change ->
                                    change.answer() == ChangeAnswer.SLOWER || change.answer() == ChangeAnswer.FASTER)
                    ? 1
                    : 0;
        }
        Table.line(
                "comparisons-of-wanderers",
                String.format(Locale.ROOT, "| %s | %.1f |", words, Table.percent(apart, pairs)));
        assertThat(Table.percent(apart, pairs)).isLessThanOrEqualTo(5 + Table.slack(5, pairs));
    }

    private static List<List<Distribution>> runs(double deviation, int count, SplittableRandom random) {
        SimulatedLevels calm = SimulatedLevels.wandering(0.001, 1);
        List<List<Distribution>> runs = new ArrayList<>();
        for (int run = 0; run < count; run++) {
            runs.add(seconds(calm, 30, Math.exp(deviation * random.nextGaussian()), random));
        }
        return runs;
    }

    private static List<Distribution> seconds(
            SimulatedLevels level, int seconds, double factor, SplittableRandom random) {
        List<Distribution> all = new ArrayList<>();
        for (double[] second : level.seconds(seconds, 100, random)) {
            long[] micros = Arrays.stream(second)
                    .mapToLong(time -> Math.round(5e4 * factor * time))
                    .toArray();
            all.add(SimulatedQueue.distribution(micros, micros.length));
        }
        return all;
    }

    /** The odd run makes up the tail of all requests together, but is one run of twenty. */
    @Test
    void values_and_interval_of_several_runs_are_of_one_quantity() {
        SplittableRandom random = new SplittableRandom(7);
        List<List<Distribution>> base = new ArrayList<>();
        List<List<Distribution>> other = new ArrayList<>();
        SimulatedLevels calm = SimulatedLevels.wandering(0.001, 1);
        for (int run = 0; run < 20; run++) {
            if (run < 3) {
                base.add(seconds(calm, 30, 1.3, random));
            }
            other.add(seconds(calm, 30, run == 19 ? 3 : 1, random));
        }
        assertOneQuantity(QuantileChange.of(base, other, PERCENTILES, 1), ChangeAnswer.FASTER);
        assertOneQuantity(QuantileChange.of(other, base, PERCENTILES, 1), ChangeAnswer.SLOWER);
    }

    private static void assertOneQuantity(List<QuantileChange> changes, ChangeAnswer answer) {
        assertThat(changes).allSatisfy(change -> {
            double shown = (double) change.otherNanos() / change.baseNanos() - 1;
            assertThat(shown)
                    .isBetween(change.low().orElseThrow(), change.high().orElseThrow());
            assertThat(shown)
                    .isBetween(change.atLeast().orElseThrow(), change.atMost().orElseThrow());
            assertThat(change.answer()).isEqualTo(answer);
            assertThat(shown < 0).isEqualTo(answer == ChangeAnswer.FASTER);
        });
    }

    @Test
    void a_run_without_such_requests_does_not_count() {
        List<Distribution> none = List.of(Distribution.sum(List.of()));
        List<List<Distribution>> one = List.of(queue(0.4, 100, 1, 1));
        List<List<Distribution>> other = List.of(queue(0.4, 100, 1.1, 2), queue(0.4, 100, 1, 3), queue(0.4, 100, 1, 4));
        List<List<Distribution>> more = new ArrayList<>(other);
        more.add(none);
        assertThat(QuantileChange.of(one, more, PERCENTILES, 1))
                .isEqualTo(QuantileChange.of(one, other, PERCENTILES, 1));
        assertThat(QuantileChange.of(List.of(none, none, none), other, PERCENTILES, 1))
                .extracting(QuantileChange::answer)
                .containsOnly(ChangeAnswer.NOT_JUDGED);
    }

    @Test
    void sides_whose_runs_vary_rarely_differ() {
        int excluded = 0;
        int pairs = Replications.of(PAIRS, 50);
        for (int seed = 0; seed < pairs; seed++) {
            QuantileChange change = QuantileChange.of(
                            wandering(2L * seed, 5), wandering(2L * seed + 1, 5), List.of(50.0), 1)
                    .get(0);
            excluded += change.answer() == ChangeAnswer.CANNOT_TELL ? 0 : 1;
        }
        assertThat(Table.percent(excluded, pairs)).isLessThanOrEqualTo(6 + Table.slack(6, pairs));
    }

    @Test
    void a_single_run_is_assumed_to_scatter_like_several() {
        int apart = 0;
        int alone = 0;
        int pairs = 60;
        for (int seed = 0; seed < pairs; seed++) {
            List<List<Distribution>> one = wandering(seed + 1_000L, 1);
            List<List<Distribution>> other = wandering(seed + 2_000L, 1);
            apart += answered(QuantileChange.of(one, other, List.of(50.0), 1).get(0));
            alone += answered(QuantileChange.of(wandering(seed, 5), other, List.of(50.0), 1)
                    .get(0));
        }
        assertThat(apart).as("what runs usually differ by is allowed for").isLessThan(pairs / 6);
        assertThat(alone).as("with several runs of the base").isLessThan(pairs / 6);
    }

    private static int answered(QuantileChange change) {
        return change.answer() == ChangeAnswer.CANNOT_TELL ? 0 : 1;
    }

    /** Runs of 20 s with 200 requests a second, each at a level of its own. */
    private static List<List<Distribution>> wandering(long seed, int runs) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Distribution>> all = new ArrayList<>();
        Histogram histogram = new Histogram(1, 100_000_000, 3);
        for (int run = 0; run < runs; run++) {
            double level = 1e5 * Math.exp(0.05 * random.nextGaussian());
            List<Distribution> seconds = new ArrayList<>();
            for (int second = 0; second < 20; second++) {
                histogram.reset();
                for (int i = 0; i < 200; i++) {
                    histogram.recordValue((long) (level * (1 + random.nextExponential())));
                }
                seconds.add(Distribution.of(histogram));
            }
            all.add(seconds);
        }
        return all;
    }

    @Test
    void events_are_compared_by_rate_and_by_rank() {
        assertThat(Events.rate(1, 60, 0, 60)).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(Events.rate(2, 60, 12, 60)).isEqualTo(ChangeAnswer.SLOWER);
        assertThat(Events.rate(12, 60, 2, 60)).isEqualTo(ChangeAnswer.FASTER);
        assertThat(Events.rate(2, 60, 12, 600)).isEqualTo(ChangeAnswer.CANNOT_TELL);
        assertThat(Events.rate(0, 60, 0, 60)).isEqualTo(ChangeAnswer.NOT_JUDGED);
        assertThat(Events.lengths(List.of(1L, 2L, 3L), List.of(7L, 8L, 9L))).isEqualTo(ChangeAnswer.NOT_JUDGED);
        assertThat(Events.lengths(List.of(1L, 2L, 3L, 4L, 5L), List.of(7L, 8L, 9L, 10L, 11L)))
                .isEqualTo(ChangeAnswer.SLOWER);
        assertThat(Events.lengths(List.of(1L, 8L, 3L, 10L, 5L), List.of(7L, 2L, 9L, 4L, 11L)))
                .isEqualTo(ChangeAnswer.CANNOT_TELL);
    }
}
