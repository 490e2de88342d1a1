package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.record.Distribution;
import dev.downbeat.testing.Replications;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KaplanMeierTest {
    private static final long MS = 1_000_000;

    @Test
    void the_published_example_of_leukaemia_remissions_comes_out() {
        // Freireich et al. 1963, 6-MP group, weeks; the table stands in most books on survival
        Distribution ended = of(6, 6, 6, 7, 10, 13, 16, 22, 23);
        Distribution censored = of(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35);
        KaplanMeier estimate = KaplanMeier.of(ended, censored);
        double[] survival = {1, 0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482};
        long[] weeks = {6, 7, 10, 13, 16, 22, 23};
        for (int i = 0; i < weeks.length; i++) {
            // from this week on the survival is the next of the table
            assertThat(estimate.valueAtPercentile(100 * (1 - survival[i]) + 0.01))
                    .hasValue(weeks[i]);
            assertThat(estimate.valueAtPercentile(100 * (1 - survival[i + 1]) - 0.01))
                    .hasValue(weeks[i]);
        }
        assertThat(estimate.valueAtPercentile(100 * (1 - 0.4482) + 0.01)).isEmpty();
        assertThat(estimate.valueAtPercentile(50)).hasValue(23);
        assertThat(estimate.valueAtPercentile(90)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void without_censored_requests_it_is_the_nearest_rank(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] values = random.longs(random.nextInt(1, 2_000), 1, 50 * MS).toArray();
        Distribution all = of(values);
        KaplanMeier estimate = KaplanMeier.of(all, Distribution.empty());
        for (double percentile : new double[] {1, 25, 50, 90, 99, 99.9}) {
            assertThat(estimate.valueAtPercentile(percentile)).hasValue(all.valueAtPercentile(percentile));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.stats.Seeds#fifty")
    void the_estimate_lies_between_the_bounds(long seed) {
        Cut cut = new Cut(seed, 2_000);
        KaplanMeier estimate = KaplanMeier.of(cut.ended, cut.censored);
        for (double percentile : new double[] {50, 90, 99}) {
            long value = estimate.valueAtPercentile(percentile).orElse(Long.MAX_VALUE);
            assertThat(value)
                    .isGreaterThanOrEqualTo(cut.ended.plus(cut.censored).valueAtPercentile(percentile));
        }
    }

    @Test
    void the_end_of_a_run_does_not_pull_the_tail_down() {
        double dropped = 0;
        double asValue = 0;
        double estimated = 0;
        int runs = Replications.of(40, 10);
        for (int seed = 0; seed < runs; seed++) {
            Cut cut = new Cut(seed, 30_000);
            dropped += (double) cut.ended.valueAtPercentile(99) / runs;
            asValue += (double) cut.ended.plus(cut.censored).valueAtPercentile(99) / runs;
            estimated += (double) KaplanMeier.of(cut.ended, cut.censored)
                            .valueAtPercentile(99)
                            .orElseThrow()
                    / runs;
        }
        assertThat(estimated).isCloseTo(Cut.TRUE_P99, within(0.05 * Cut.TRUE_P99));
        assertThat(asValue).isLessThan(0.95 * Cut.TRUE_P99);
        assertThat(dropped).isLessThan(asValue);
    }

    @Test
    void nothing_is_known_of_nothing() {
        KaplanMeier none = KaplanMeier.of(Distribution.empty(), Distribution.empty());
        assertThat(none.valueAtPercentile(50)).isEmpty();
        KaplanMeier frozen = KaplanMeier.of(Distribution.empty(), of(5, 9));
        assertThat(frozen.valueAtPercentile(50)).isEmpty();
    }

    /** Requests with a heavy tail at an even pace over 30 s; the run is cut at its end. */
    private static final class Cut {
        /** Of the Pareto law with exponent 1.2 and least value 0.1 s. */
        static final double TRUE_P99 = 100 * MS * Math.pow(100, 1 / 1.2);

        final Distribution ended;
        final Distribution censored;

        Cut(long seed, int count) {
            SplittableRandom random = new SplittableRandom(seed);
            Histogram done = Distribution.newHistogram();
            Histogram out = Distribution.newHistogram();
            for (int i = 0; i < count; i++) {
                long age = 30_000 * MS - i * 30_000L * MS / count;
                long takes = (long) Math.min(1e15, 100 * MS * Math.pow(1 - random.nextDouble(), -1 / 1.2));
                (takes <= age ? done : out).recordValue(Math.min(takes, age));
            }
            ended = Distribution.of(done);
            censored = Distribution.of(out);
        }
    }

    private static Distribution of(long... values) {
        Histogram histogram = Distribution.newHistogram();
        for (long value : values) {
            histogram.recordValue(value);
        }
        return Distribution.of(histogram);
    }
}
