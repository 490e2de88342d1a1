package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswerWatchTest {
    private static final long MS = 1_000_000;

    /** Requests each 10 ms, answered after 2 ms or when the service is back. */
    private static AnswerWatch watch(long startAt, int count, int every, int first, long fromMillis, long untilMillis) {
        AnswerWatch watch = new AnswerWatch();
        watch.startsAt(startAt);
        int waiting = 0;
        for (long millis = first; millis < count; millis += every) {
            watch.due(startAt + millis * MS);
            if (millis >= fromMillis && millis < untilMillis) {
                waiting++;
                continue;
            }
            for (; waiting > 0; waiting--) {
                watch.answered(startAt + untilMillis * MS, 500 * MS, true);
            }
            watch.answered(startAt + (millis + 2) * MS, 2 * MS, false);
        }
        return watch;
    }

    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {0, -1, Long.MAX_VALUE - 3_000_000_000L})
    void a_silence_begins_when_somebody_waits_and_ends_with_an_answer(long startAt) {
        Interruptions seen = watch(startAt, 10_000, 10, 0, 4_000, 5_000).end(startAt + 10_000 * MS);
        assertThat(seen.silences()).hasSize(1);
        Silence silence = seen.silences().get(0);
        assertThat(silence.afterNanos()).isEqualTo(3_992 * MS);
        assertThat(silence.fromNanos()).isEqualTo(4_000 * MS);
        assertThat(silence.toNanos()).isEqualTo(5_000 * MS);
        assertThat(seen.medianGapNanos()).isBetween(9 * MS, 10 * MS);
    }

    @Test
    void two_generators_are_silent_where_both_are() {
        Interruptions one = watch(0, 10_000, 10, 0, 4_000, 6_000).end(10_000 * MS);
        Interruptions other = watch(0, 10_000, 10, 5, 5_000, 7_000).end(10_000 * MS);
        Interruptions calm = watch(0, 10_000, 10, 7, 0, 0).end(10_000 * MS);
        Interruptions both = one.beside(other);
        assertThat(both.silences()).hasSize(1);
        assertThat(both.silences().get(0).fromNanos()).isBetween(4_995 * MS, 5_010 * MS);
        assertThat(both.silences().get(0).toNanos()).isEqualTo(6_000 * MS);
        assertThat(both.medianGapNanos()).isBetween(4 * MS, 5 * MS);
        assertThat(one.beside(calm).silences()).isEmpty();
        assertThat(Interruptions.UNKNOWN.beside(one)).isEqualTo(one);
    }

    /** One has something to do once a second only: it neither shows the stall nor that there was none. */
    @Test
    void a_generator_with_nothing_to_do_neither_makes_nor_ends_a_silence() {
        Interruptions busy = watch(0, 10_000, 10, 0, 4_100, 4_900).end(10_000 * MS);
        Interruptions idle = watch(0, 10_000, 1_000, 0, 0, 0).end(10_000 * MS);
        assertThat(busy.beside(idle).silences()).hasSize(1);
        assertThat(busy.beside(idle).silences().get(0).waitedNanos()).isEqualTo(800 * MS);
        assertThat(idle.silences()).isEmpty();
    }

    @Test
    void a_poll_that_waits_for_a_message_is_no_silence() {
        AnswerWatch watch = new AnswerWatch();
        watch.startsAt(0);
        for (long at = 0; at < 60_000 * MS; at += 5_000 * MS) {
            watch.due(at);
            watch.nothingToAnswer(4_998 * MS, at + 4_999 * MS);
            watch.answered(at + 5_000 * MS, MS, false);
        }
        watch.due(60_000 * MS);
        assertThat(watch.end(64_000 * MS).silences()).isEmpty();
    }

    @ParameterizedTest(name = "{0} polls")
    @ValueSource(ints = {0, 1})
    void the_first_polls_of_an_empty_queue_are_neither_a_start_nor_a_stall(int ended) {
        AnswerWatch watch = new AnswerWatch();
        watch.startsAt(0);
        watch.startsCold();
        watch.mayIdle(20_000 * MS);
        watch.due(0);
        watch.due(10 * MS);
        if (ended == 0) {
            assertThat(watch.silentNanos(19_000 * MS)).isZero();
            assertThat(watch.takeSilentNanos(19_000 * MS)).isZero();
            Interruptions seen = watch.end(19_000 * MS);
            assertThat(seen.silences()).isEmpty();
            assertThat(seen.startingNanos()).isZero();
            return;
        }
        watch.nothingToAnswer(19_995 * MS, 20_000 * MS);
        watch.answered(20_005 * MS, 10 * MS, true);
        Interruptions seen = watch.end(30_000 * MS);
        assertThat(seen.silences()).isEmpty();
        assertThat(seen.startingNanos()).isEqualTo(10 * MS);
    }

    @Test
    void a_service_that_is_silent_for_longer_than_any_poll_waits_is_stalled() {
        AnswerWatch watch = new AnswerWatch();
        watch.startsAt(0);
        watch.mayIdle(1_000 * MS);
        watch.due(0);
        assertThat(watch.silentNanos(3_000 * MS)).isEqualTo(2_000 * MS);
        assertThat(watch.end(3_000 * MS).silences()).hasSize(1);
    }

    @Test
    void pauses_that_several_threads_see_are_one() {
        Interruptions seen = watch(0, 1_000, 10, 0, 0, 0)
                .end(1_000 * MS)
                .withPauses(List.of(new Pause(200 * MS, 400 * MS), new Pause(700 * MS, 800 * MS)))
                .withPauses(List.of(new Pause(190 * MS, 395 * MS)));
        assertThat(seen.pauses()).containsExactly(new Pause(190 * MS, 400 * MS), new Pause(700 * MS, 800 * MS));
    }

    @Test
    void watching_allocates_nothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        watch(0, 100_000, 10, 0, 4_000, 5_000);
        AnswerWatch watch = new AnswerWatch();
        watch.startsAt(0);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (long at = 0; at < 50_000 * MS; at += MS) {
            watch.due(at);
            watch.answered(at + (at % (1_000 * MS) == 0 ? 500 * MS : 0), MS, at % 3 == 0);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, 50_000L);
    }
}
