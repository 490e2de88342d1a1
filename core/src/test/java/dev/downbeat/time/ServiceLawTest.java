package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServiceLawTest {
    private static final int DRAWS = 20_000;
    /** Five standard errors of a mean of so many draws, in standard deviations of one draw. */
    private static final double FIVE_ERRORS = 5 / Math.sqrt(DRAWS);

    static LongStream fifty() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void a_described_law_is_read_back_unchanged(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long fast = random.nextLong(1_000_000_000);
        ServiceLaw[] laws = {
            new ServiceLaw.Constant(fast),
            new ServiceLaw.Exponential(1 + fast),
            new ServiceLaw.LogNormal(1 + fast, random.nextDouble() * 10),
            new ServiceLaw.Bimodal(fast, fast + random.nextLong(1_000_000_000), random.nextDouble()),
            new ServiceLaw.HyperExponential(1 + fast, 2 + fast, random.nextDouble()),
            new ServiceLaw.Pareto(1 + fast, 0.1 + random.nextDouble() * 99)
        };
        for (ServiceLaw law : laws) {
            assertThat(ServiceLaw.parse(law.describe())).isEqualTo(law);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void exponential_delays_have_their_mean_and_median(long seed) {
        double mean = 2_000_000;
        long[] draws = draws(ServiceLaw.parse("exp:2ms"), seed);

        assertThat(LongStream.of(draws).average().orElseThrow()).isCloseTo(mean, within(mean * FIVE_ERRORS));
        assertThat(share(draws, (long) (mean * Math.log(2)))).isCloseTo(0.5, within(0.5 * FIVE_ERRORS));
        assertThat(share(draws, (long) (mean * 3))).isCloseTo(Math.exp(-3), within(0.22 * FIVE_ERRORS));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void log_normal_delays_have_their_median_and_sigma(long seed) {
        long[] draws = draws(ServiceLaw.parse("lognormal:2ms,0.5"), seed);
        double[] logs =
                LongStream.of(draws).mapToDouble(nanos -> Math.log(nanos / 2e6)).toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double variance = Arrays.stream(logs)
                .map(log -> (log - mean) * (log - mean))
                .average()
                .orElseThrow();

        assertThat(mean).isCloseTo(0, within(0.5 * FIVE_ERRORS));
        assertThat(Math.sqrt(variance)).isCloseTo(0.5, within(0.5 * FIVE_ERRORS));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void bimodal_delays_have_the_configured_share_of_slow_ones(long seed) {
        long[] draws = draws(ServiceLaw.parse("bimodal:1ms,50ms,10%"), seed);

        assertThat(draws).containsOnly(1_000_000, 50_000_000);
        assertThat(share(draws, 1_000_000)).isCloseTo(0.1, within(0.3 * FIVE_ERRORS));
    }

    /** P(X > x) = 0.9 exp(-x / fast) + 0.1 exp(-x / slow). */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void hyperexponential_delays_are_a_mixture_of_two_exponential_ones(long seed) {
        long[] draws = draws(ServiceLaw.parse("hyperexp:1ms,10ms,10%"), seed);
        for (long millis : new long[] {1, 5, 20}) {
            double above = 0.9 * Math.exp(-millis) + 0.1 * Math.exp(-millis / 10.0);
            assertThat(share(draws, millis * 1_000_000))
                    .isCloseTo(above, within(Math.sqrt(above * (1 - above)) * FIVE_ERRORS));
        }
    }

    /** P(X > x) = (least / x) ^ exponent. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void pareto_delays_fall_as_a_power_from_their_least(long seed) {
        long[] draws = draws(ServiceLaw.parse("pareto:1ms,1.5"), seed);
        assertThat(LongStream.of(draws).min().orElseThrow()).isBetween(1_000_000L, 1_010_000L);
        for (long times : new long[] {2, 4, 20}) {
            double above = Math.pow(times, -1.5);
            assertThat(share(draws, times * 1_000_000))
                    .isCloseTo(above, within(Math.sqrt(above * (1 - above)) * FIVE_ERRORS));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'7ms', 7e6",
        "'exp:2ms', 2e6",
        "'hyperexp:1ms,11ms,10%', 2e6",
        "'bimodal:1ms,21ms,5%', 2e6",
        "'lognormal:2ms,0', 2e6",
        "'pareto:1ms,3', 1.5e6",
        "'pareto:1ms,1.25', 5e6"
    })
    void the_mean_of_a_law_is_known_without_drawing(String law, double meanNanos) {
        assertThat(ServiceLaw.parse(law).meanNanos()).isCloseTo(meanNanos, within(1e-6 * meanNanos));
    }

    @Test
    void a_heavy_tail_has_a_mean_above_its_median_or_none() {
        assertThat(ServiceLaw.parse("lognormal:2ms,1").meanNanos()).isCloseTo(2e6 * Math.sqrt(Math.E), within(1.0));
        assertThat(ServiceLaw.parse("pareto:1ms,1").meanNanos()).isInfinite();
        assertThat(ServiceLaw.NONE.meanNanos()).isZero();
        assertThat(ServiceLaw.NONE.nextNanos(new SplittableRandom(1))).isZero();
    }

    @Test
    void the_ends_of_each_range_are_within_it() {
        for (String law : new String[] {
            "0s",
            "24h",
            "exp:1ns",
            "exp:24h",
            "hyperexp:1ns,24h,0%",
            "bimodal:0s,24h,100%",
            "lognormal:1ns,0",
            "lognormal:24h,10",
            "pareto:1ns,0.1",
            "pareto:24h,100"
        }) {
            assertThat(ServiceLaw.parse(law).meanNanos()).as(law).isNotNegative();
        }
    }

    @Test
    void the_same_seed_gives_the_same_delays() {
        ServiceLaw law = ServiceLaw.parse("lognormal:2ms,0.5");

        assertThat(draws(law, 7)).isEqualTo(draws(law, 7)).isNotEqualTo(draws(law, 8));
    }

    @Test
    void no_delay_is_longer_than_a_day() {
        assertThat(LongStream.of(draws(ServiceLaw.parse("lognormal:24h,10"), 1)).summaryStatistics())
                .returns(86_400_000_000_000L, LongSummaryStatistics::getMax)
                .matches(summary -> summary.getMin() >= 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exp:0ms | mean must be from 1 ns to 24 h, but was 0s",
                "lognormal:2ms,11 | sigma must be from 0.0 to 10.0, but was 11.0",
                "bimodal:1ms,2ms,101% | a share must be from 0% to 100%, but was 101%",
                "exp:25h | mean must be from 1 ns to 24 h, but was 1d1h",
                "25h | nanos must be from 0 ns to 24 h, but was 1d1h",
                "hyperexp:0ms,1ms,1% | fastNanos must be from 1 ns to 24 h, but was 0s",
                "hyperexp:1ms,0ms,1% | slowNanos must be from 1 ns to 24 h, but was 0s",
                "bimodal:25h,1ms,1% | fastNanos must be from 0 ns to 24 h, but was 1d1h",
                "bimodal:1ms,25h,1% | slowNanos must be from 0 ns to 24 h, but was 1d1h",
                "bimodal:1ms,2ms,-1% | a share must be from 0% to 100%, but was -1%",
                "bimodal:1ms,2ms,5 | a share ends in %",
                "lognormal:0ms,1 | medianNanos must be from 1 ns to 24 h, but was 0s",
                "lognormal:1ms,-0.1 | sigma must be from 0.0 to 10.0, but was -0.1",
                "pareto:0ms,1 | leastNanos must be from 1 ns to 24 h, but was 0s",
                "pareto:1ms,0.09 | exponent must be from 0.1 to 100.0, but was 0.09",
                "pareto:1ms,101 | exponent must be from 0.1 to 100.0, but was 101.0",
            })
    void a_value_out_of_range_is_refused_with_the_reason(String text, String reason) {
        assertThatThrownBy(() -> ServiceLaw.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("but was '" + text + "': " + reason);
    }

    private static long[] draws(ServiceLaw law, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return LongStream.generate(() -> law.nextNanos(random)).limit(DRAWS).toArray();
    }

    private static double share(long[] draws, long above) {
        return (double) LongStream.of(draws).filter(nanos -> nanos > above).count() / draws.length;
    }
}
