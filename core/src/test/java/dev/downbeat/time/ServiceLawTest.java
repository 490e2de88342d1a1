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
            new ServiceLaw.Bimodal(fast, fast + random.nextLong(1_000_000_000), random.nextDouble())
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
