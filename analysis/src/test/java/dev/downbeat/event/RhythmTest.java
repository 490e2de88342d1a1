package dev.downbeat.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.ExplainedGaps.Rhythm;
import dev.downbeat.record.Interruptions.Silence;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RhythmTest {
    private static final long MS = 1_000_000;

    /** Each ends at a multiple of the step. */
    private static List<Silence> regular(int count, long stepMillis, long lengthMillis) {
        List<Silence> silences = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            silences.add(silence(i * stepMillis - lengthMillis, i * stepMillis));
        }
        return silences;
    }

    private static Silence silence(long fromMillis, long toMillis) {
        return new Silence(fromMillis * MS, fromMillis * MS, toMillis * MS, toMillis * MS);
    }

    @Test
    void five_silences_that_fill_equal_steps_are_a_rhythm() {
        assertThat(Rhythm.stepNanos(regular(5, 600, 590))).isEqualTo(600 * MS);
        assertThat(Rhythm.stepNanos(regular(4, 600, 590))).isZero();
    }

    @Test
    void rare_stalls_are_no_rhythm_however_regular() {
        assertThat(Rhythm.stepNanos(regular(10, 3_000, 1_490))).isZero();
        assertThat(Rhythm.stepNanos(regular(10, 3_000, 1_510))).isEqualTo(3_000 * MS);
    }

    /** Of a long run only the longest silences are kept. */
    @Test
    void a_silence_that_was_not_kept_does_not_break_it() {
        List<Silence> kept = regular(100, 600, 590);
        SplittableRandom random = new SplittableRandom(5);
        kept.removeIf(silence -> random.nextInt(3) == 0);
        assertThat(Rhythm.stepNanos(kept)).isEqualTo(600 * MS);
    }

    @Test
    void random_stalls_are_not_periodic() {
        SplittableRandom random = new SplittableRandom(7);
        int found = 0;
        for (int trial = 0; trial < 100; trial++) {
            List<Silence> silences = new ArrayList<>();
            long at = 0;
            for (int i = 0; i < 8; i++) {
                long from = at + 100 + random.nextLong(1_000);
                at = from + 300 + random.nextLong(600);
                silences.add(silence(from, at));
            }
            found += Rhythm.stepNanos(silences) > 0 ? 1 : 0;
        }
        assertThat(found).isLessThanOrEqualTo(1);
    }
}
