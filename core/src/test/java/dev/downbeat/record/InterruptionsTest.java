package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What several generators, or one after the other, say together; times in milliseconds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptionsTest {
    private static final long MS = 1_000_000;

    private static Silence silence(long after, long from, long to, long caughtUp) {
        return new Silence(after * MS, from * MS, to * MS, caughtUp * MS);
    }

    private static Interruptions seen(
            List<Silence> silences, List<Silence> gaps, List<Pause> pauses, long medianGapNanos, long startingNanos) {
        return new Interruptions(true, silences, gaps, pauses, medianGapNanos, startingNanos);
    }

    private static Interruptions silent(Silence silence) {
        return seen(List.of(silence), List.of(silence), List.of(), 0, 0);
    }

    @Test
    void a_silence_of_both_lasts_while_both_were_silent_and_at_least_a_quarter_of_a_second() {
        Interruptions one = silent(silence(0, 10, 1_000, 1_100));
        assertThat(one.beside(silent(silence(750, 750, 2_000, 2_200))).silences())
                .containsExactly(silence(750, 750, 1_000, 2_200));
        assertThat(one.beside(silent(silence(751, 751, 2_000, 2_200))).silences())
                .isEmpty();
        assertThat(one.beside(silent(silence(1_000, 1_000, 2_000, 2_200))).gaps())
                .isEmpty();
        assertThat(silent(silence(1_000, 1_000, 2_000, 2_200)).beside(one).gaps())
                .isEmpty();
        assertThat(one.beside(silent(silence(750, 750, 2_000, 2_200))).gaps()).hasSize(1);
        assertThat(one.beside(silent(silence(751, 751, 2_000, 2_200))).gaps()).isEmpty();
    }

    @Test
    void a_watcher_without_events_does_not_affect_the_other() {
        Interruptions one = silent(silence(0, 10, 1_000, 1_100));
        assertThat(one.beside(Interruptions.UNKNOWN)).isSameAs(one);
        assertThat(Interruptions.UNKNOWN.beside(one)).isSameAs(one);
        assertThat(Interruptions.UNKNOWN.beside(Interruptions.UNKNOWN).isWatched())
                .isFalse();
        assertThat(Interruptions.UNKNOWN.then(one, 0).isWatched()).isTrue();
        assertThat(one.then(Interruptions.UNKNOWN, 0).isWatched()).isTrue();
        assertThat(Interruptions.UNKNOWN.then(Interruptions.UNKNOWN, 0).isWatched())
                .isFalse();
    }

    @Test
    void answers_of_both_come_as_often_as_those_of_each_together_and_both_start_with_the_later() {
        Interruptions one = seen(List.of(), List.of(), List.of(), 30, 7);
        Interruptions other = seen(List.of(), List.of(), List.of(), 60, 9);
        Interruptions untold = seen(List.of(), List.of(), List.of(), 0, 0);
        assertThat(one.beside(other).medianGapNanos()).isEqualTo(20);
        assertThat(one.beside(untold).medianGapNanos()).isEqualTo(30);
        assertThat(untold.beside(one).medianGapNanos()).isEqualTo(30);
        assertThat(one.beside(other).startingNanos()).isEqualTo(9);
    }

    @Test
    void later_arrivals_are_timed_from_the_same_start() {
        Interruptions one = seen(List.of(silence(0, 10, 500, 600)), List.of(), List.of(new Pause(1, 2)), 30, 7);
        Interruptions later = seen(
                List.of(silence(100, 110, 500, 600)),
                List.of(silence(100, 110, 500, 600)),
                List.of(new Pause(5, 9)),
                60,
                9);
        Interruptions both = one.then(later, 1_000 * MS);
        assertThat(both.silences()).containsExactly(silence(0, 10, 500, 600), silence(1_100, 1_110, 1_500, 1_600));
        assertThat(both.gaps()).containsExactly(silence(1_100, 1_110, 1_500, 1_600));
        assertThat(both.pauses()).containsExactly(new Pause(1, 2), new Pause(1_000 * MS + 5, 1_000 * MS + 9));
        assertThat(both.medianGapNanos()).isEqualTo(60);
        assertThat(both.startingNanos()).isEqualTo(7);
    }

    @Test
    void a_silence_seen_twice_is_reported_once() {
        Interruptions early = silent(silence(0, 10, 500, 600));
        Interruptions late = silent(silence(0, 10, 500, 700));
        assertThat(early.then(late, 0).silences()).containsExactly(silence(0, 10, 500, 700));
        assertThat(late.then(early, 0).silences()).containsExactly(silence(0, 10, 500, 700));
    }

    @Test
    void of_many_the_longest_256_are_kept_in_order() {
        List<Silence> many = LongStream.range(0, 300)
                .mapToObj(i -> silence(1_000 * i, 1_000 * i, 1_000 * i + 300 + i, 1_000 * i + 400 + i))
                .toList();
        List<Pause> pauses = LongStream.range(0, 300)
                .mapToObj(i -> new Pause(1_000 * i, 1_000 * i + 50 + i))
                .toList();
        Interruptions kept = seen(many, List.of(), pauses, 0, 0).then(Interruptions.UNKNOWN, 0);
        assertThat(kept.silences()).isEqualTo(many.subList(44, 300));
        assertThat(kept.pauses()).isEqualTo(pauses.subList(44, 300));
    }

    @Test
    void adjacent_pauses_merge_and_nested_ones_are_dropped() {
        Interruptions one = seen(List.of(), List.of(), List.of(new Pause(0, 100), new Pause(300, 400)), 0, 0);
        List<Pause> more = List.of(new Pause(100, 150), new Pause(151, 160), new Pause(310, 320));
        List<Pause> joined = List.of(new Pause(0, 150), new Pause(151, 160), new Pause(300, 400));
        assertThat(one.withPauses(more).pauses()).isEqualTo(joined);
        assertThat(one.beside(seen(List.of(), List.of(), more, 0, 0)).pauses()).isEqualTo(joined);
        assertThat(one.withPauses(more).isWatched()).isTrue();
    }
}
