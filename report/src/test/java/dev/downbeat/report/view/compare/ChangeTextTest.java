package dev.downbeat.report.view.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChangeTextTest {
    @Test
    void an_end_that_is_a_thousand_times_off_is_shown_only_beside_an_answer() {
        assertThat(ChangeText.interval(row(-0.5, 1e6, ChangeAnswer.CANNOT_TELL)))
                .isEqualTo("at least -50.0 %");
        assertThat(ChangeText.interval(row(-0.999_99, 9, ChangeAnswer.CANNOT_TELL)))
                .isEqualTo("at most x10");
        assertThat(ChangeText.interval(row(-0.999_99, 1e6, ChangeAnswer.CANNOT_TELL)))
                .isEmpty();
        assertThat(ChangeText.interval(row(0.1, 1e6, ChangeAnswer.SLOWER))).startsWith("+10.0 % to x1");
    }

    /** From 10 to 20 ms. */
    private static ComparedRow row(double low, double high, ChangeAnswer answer) {
        OptionalDouble none = OptionalDouble.empty();
        return new ComparedRow(
                50,
                10_000_000,
                false,
                20_000_000,
                false,
                OptionalDouble.of(low),
                OptionalDouble.of(high),
                none,
                none,
                ForeignPart.NONE,
                answer);
    }
}
