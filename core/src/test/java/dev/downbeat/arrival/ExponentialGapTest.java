package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExponentialGapTest {
    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_logarithm_is_the_logarithm(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            double x = Math.scalb(1 - random.nextDouble(), -random.nextInt(60));
            double exact = -StrictMath.log(x);
            assertThat(ExponentialGap.minusLog(x)).isCloseTo(exact, within(Math.abs(exact) * 4e-16 + 1e-18));
        }
    }

    @Test
    void the_largest_gap_is_finite_and_the_smallest_is_0() {
        assertThat(ExponentialGap.of(0)).isCloseTo(53 * StrictMath.log(2), within(1e-13));
        assertThat(ExponentialGap.of(-1)).isZero();
    }
}
