package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.QuantileChange.ForeignPart;
import dev.downbeat.stats.change.ShareChange;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ComparisonResultTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    private static ComparedRow row(
            double percentile, long base, boolean isAtLeast, OptionalDouble low, double high, ChangeAnswer answer) {
        return new ComparedRow(
                percentile,
                base,
                isAtLeast,
                10_000_000,
                false,
                low,
                OptionalDouble.of(high),
                low,
                OptionalDouble.of(high),
                ForeignPart.NONE,
                answer);
    }

    private static String sentence(ComparedRow... rows) {
        ComparedRun run = new ComparedRun("a", List.of(Recording.sum(List.of())), "open", NONE, List.of());
        ComparedSide side = new ComparedSide("a", List.of(run));
        Comparison comparison = new Comparison(
                side,
                side,
                false,
                List.of(rows),
                Optional.empty(),
                false,
                new ShareChange(0, 0, -0.1, 0.1),
                0,
                List.of(),
                List.of());
        return ComparisonResult.of("the baseline", comparison, 0.1).sentence();
    }

    @Test
    void a_baseline_that_is_a_lower_bound_has_no_lower_end() {
        assertThat(sentence(row(99, 1_000_000_000, true, NONE, -0.98, ChangeAnswer.FASTER)))
                .isEqualTo("faster than the baseline: p99 ≥ 1.00 s -> 10.0 ms (95 % CI at most -98.0 %)");
    }

    @Test
    void a_faster_percentile_does_not_hide_what_another_could() {
        assertThat(sentence(
                        row(50, 12_000_000, false, OptionalDouble.of(-0.25), -0.1, ChangeAnswer.FASTER),
                        row(99, 10_000_000, false, OptionalDouble.of(-0.5), 0.8, ChangeAnswer.CANNOT_TELL)))
                .isEqualTo(
                        "faster than the baseline: p50 12.0 ms -> 10.0 ms (95 % CI -25.0 % to -10.0 %); a slowdown of up"
                                + " to +80.0 % at p99 cannot be ruled out (one-sided 95 %)");
    }
}
