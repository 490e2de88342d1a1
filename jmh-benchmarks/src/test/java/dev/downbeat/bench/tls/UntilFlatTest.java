package dev.downbeat.bench.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** An operation with a trend, or that is still being compiled, is not warm. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UntilFlatTest {
    private static final int BATCHES = 40;

    private static boolean isEverFlat(DoubleUnaryOperator meanOfBatch, double compilerShare) {
        UntilFlat trend = new UntilFlat();
        boolean flat = false;
        for (int batch = 0; batch < BATCHES; batch++) {
            flat |= trend.isFlat(new UntilFlat.Batch(meanOfBatch.applyAsDouble(batch), compilerShare));
        }
        return flat;
    }

    @Test
    void a_trend_is_not_warm() {
        assertThat(isEverFlat(batch -> 1_000 * Math.pow(0.99, batch), 0)).isFalse();
        assertThat(isEverFlat(batch -> 1_000 * Math.pow(1.01, batch), 0)).isFalse();
    }

    @Test
    void a_stable_time_is_warm_even_if_one_batch_is_slow() {
        assertThat(isEverFlat(batch -> batch % 9 == 8 ? 1_500 : 1_000, 0)).isTrue();
    }

    @Test
    void a_JVM_that_still_compiles_is_not_warm() {
        assertThat(isEverFlat(batch -> 1_000, 0.3)).isFalse();
        assertThat(isEverFlat(batch -> 1_000, 0.01)).isTrue();
    }
}
