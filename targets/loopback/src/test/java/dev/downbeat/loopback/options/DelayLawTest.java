package dev.downbeat.loopback.options;

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
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DelayLawTest {
    private static final int DRAWS = 20_000;
    /** Five standard errors of a mean of so many draws, in standard deviations of one draw. */
    private static final double FIVE_ERRORS = 5 / Math.sqrt(DRAWS);

    @ParameterizedTest
    @ValueSource(
            strings = {"0ms", "2ms", "exp:2ms", "lognormal:2ms,0.5", "bimodal:1ms,50ms,1%", "bimodal:0ms,1s,0.07%"})
    void a_law_is_described_in_the_words_it_is_read_from(String text) {
        assertThat(DelayLaw.parse(text).toString()).isEqualTo(text);
        assertThat(DelayLaw.parse(text)).hasToString(text);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void a_described_law_is_read_back_unchanged(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long fast = random.nextLong(1_000_000_000);
        DelayLaw[] laws = {
            new DelayLaw.Constant(fast),
            new DelayLaw.Exponential(1 + fast),
            new DelayLaw.LogNormal(1 + fast, random.nextDouble() * 10),
            new DelayLaw.Bimodal(fast, fast + random.nextLong(1_000_000_000), random.nextDouble())
        };
        for (DelayLaw law : laws) {
            assertThat(DelayLaw.parse(law.toString())).isEqualTo(law);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void exponential_delays_have_their_mean_and_median(long seed) {
        double mean = 2_000_000;
        long[] draws = draws(DelayLaw.parse("exp:2ms"), seed);

        assertThat(LongStream.of(draws).average().orElseThrow()).isCloseTo(mean, within(mean * FIVE_ERRORS));
        assertThat(share(draws, (long) (mean * Math.log(2)))).isCloseTo(0.5, within(0.5 * FIVE_ERRORS));
        assertThat(share(draws, (long) (mean * 3))).isCloseTo(Math.exp(-3), within(0.22 * FIVE_ERRORS));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void log_normal_delays_have_their_median_and_sigma(long seed) {
        long[] draws = draws(DelayLaw.parse("lognormal:2ms,0.5"), seed);
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
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void bimodal_delays_have_the_configured_share_of_slow_ones(long seed) {
        long[] draws = draws(DelayLaw.parse("bimodal:1ms,50ms,10%"), seed);

        assertThat(draws).containsOnly(1_000_000, 50_000_000);
        assertThat(share(draws, 1_000_000)).isCloseTo(0.1, within(0.3 * FIVE_ERRORS));
    }

    @Test
    void the_same_seed_gives_the_same_delays() {
        DelayLaw law = DelayLaw.parse("lognormal:2ms,0.5");

        assertThat(draws(law, 7)).isEqualTo(draws(law, 7)).isNotEqualTo(draws(law, 8));
    }

    @Test
    void no_delay_is_longer_than_a_day() {
        assertThat(LongStream.of(draws(DelayLaw.parse("lognormal:24h,10"), 1)).summaryStatistics())
                .returns(86_400_000_000_000L, LongSummaryStatistics::getMax)
                .matches(summary -> summary.getMin() >= 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | delay must be a number with a unit (ns, us, ms, s, m, h) such as 2ms, but was \"2\"",
                "exp:2 | mean delay must be a number with a unit (ns, us, ms, s, m, h) such as 2ms, but was \"2\"",
                "exp:0ms | mean delay must be from 1ns to 24h, but was 0ns",
                "gamma:2ms | delay must be like 2ms, exp:2ms, lognormal:2ms,0.5 or bimodal:1ms,50ms,1%, but was \"gamma:2ms\"",
                "lognormal:2ms | delay must be like 2ms, exp:2ms, lognormal:2ms,0.5 or bimodal:1ms,50ms,1%, but was \"lognormal:2ms\"",
                "lognormal:2ms,x | sigma must be a number such as 0.5, but was \"x\"",
                "lognormal:2ms,11 | sigma must be from 0 to 10, but was 11.0",
                "bimodal:1ms,2ms,1 | slow share must be a percentage such as 1%, but was \"1\"",
                "bimodal:1ms,2ms,101% | slow share must be from 0% to 100%, but was 101%",
                "bimodal:2ms,1ms,1% | slow delay must be from 2ms to 24h, but was 1000000ns",
            })
    void an_invalid_distribution_is_refused_in_one_line(String text, String message) {
        assertThatThrownBy(() -> DelayLaw.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static long[] draws(DelayLaw law, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return LongStream.generate(() -> law.nextNanos(random)).limit(DRAWS).toArray();
    }

    private static double share(long[] draws, long above) {
        return (double) LongStream.of(draws).filter(nanos -> nanos > above).count() / draws.length;
    }
}
