package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Attribution.GapLengths;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GapLengthsTest {
    @Test
    void the_median_of_gaps_is_the_begin_of_its_band() {
        GapLengths lengths = new GapLengths();
        assertThat(lengths.medianNanos()).isZero();
        lengths.add(3);
        assertThat(lengths.medianNanos()).isEqualTo(3);
        lengths.add(15);
        lengths.add(16);
        assertThat(lengths.medianNanos()).isEqualTo(15);
        lengths.add(17);
        lengths.add(1_000);
        assertThat(lengths.medianNanos()).isEqualTo(16);
        for (int i = 0; i < 6; i++) {
            lengths.add(1_023);
        }
        assertThat(lengths.medianNanos()).isEqualTo(992);
    }
}
