package dev.downbeat.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResponseGapDetectorTest {
    private static final long MS = 1_000_000;

    /** Requests each 10 ms, answered after 2 ms or when the service is back. */
    private static ResponseGapDetector watch(
            long startAt, int count, int every, int first, long fromMillis, long untilMillis) {
        ResponseGapDetector watch = new ResponseGapDetector();
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
        ResponseGapDetector watch = new ResponseGapDetector();
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
        ResponseGapDetector watch = new ResponseGapDetector();
        watch.startsAt(0);
        watch.startsCold();
        watch.setLongestIdle(20_000 * MS);
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
        ResponseGapDetector watch = new ResponseGapDetector();
        watch.startsAt(0);
        watch.setLongestIdle(1_000 * MS);
        watch.due(0);
        assertThat(watch.silentNanos(3_000 * MS)).isEqualTo(2_000 * MS);
        assertThat(watch.end(3_000 * MS).silences()).hasSize(1);
    }

    /** The request waits on, and is asked again, while attempts are answered that were given up. */
    @Test
    void a_service_that_answers_too_late_is_not_silent_until_it_answers_nothing() {
        ResponseGapDetector watch = new ResponseGapDetector();
        watch.startsAt(0);
        watch.due(0);
        for (long at = 50 * MS; at <= 2_000 * MS; at += 50 * MS) {
            watch.answeredLate(at);
        }
        assertThat(watch.end(5_000 * MS).silences())
                .containsExactly(new Silence(2_000 * MS, 2_000 * MS, 5_000 * MS, 5_000 * MS));
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
        ResponseGapDetector watch = new ResponseGapDetector();
        watch.startsAt(0);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (long at = 0; at < 50_000 * MS; at += MS) {
            watch.due(at);
            watch.answered(at + (at % (1_000 * MS) == 0 ? 500 * MS : 0), MS, at % 3 == 0);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, 50_000L);
    }

    /** A service that answers each 10 ms for 200 ms, in 2 ms. */
    private static ResponseGapDetector warm() {
        ResponseGapDetector watch = watch(0, 200, 10, 0, 0, 0);
        assertThat(watch.answers()).isEqualTo(20);
        return watch;
    }

    @Test
    void a_silence_is_caught_up_when_eight_answers_in_a_row_are_prompt_again() {
        assertThat(watch(0, 10_000, 10, 0, 4_000, 5_000)
                        .end(10_000 * MS)
                        .silences()
                        .get(0)
                        .caughtUpNanos())
                .isEqualTo(5_002 * MS);

        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.answered(600 * MS, 400 * MS, true);
        for (int i = 1; i <= 7; i++) {
            watch.answered((600 + i) * MS, 4 * MS, true);
        }
        watch.answered(608 * MS, 5 * MS, true); // twice the usual 2 ms is prompt, more is not
        for (int i = 9; i <= 16; i++) {
            watch.answered((600 + i) * MS, 4 * MS, true);
        }
        assertThat(watch.end(620 * MS).silences()).containsExactly(new Silence(192 * MS, 200 * MS, 600 * MS, 609 * MS));
    }

    @Test
    void a_silence_is_caught_up_with_a_prompt_answer_when_nobody_else_waits() {
        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.answered(600 * MS, 400 * MS, false);
        watch.answered(800 * MS, 5 * MS, false); // as slow as a backlog
        watch.answered(1_000 * MS, 2 * MS, false);
        watch.answered(1_200 * MS, 5 * MS, false);
        assertThat(watch.end(1_300 * MS).silences().get(0).caughtUpNanos()).isEqualTo(1_000 * MS);
    }

    @Test
    void before_anybody_knows_what_is_usual_an_answer_to_a_later_request_is_prompt() {
        ResponseGapDetector watch = new ResponseGapDetector();
        watch.startsAt(0);
        watch.due(0);
        watch.answered(500 * MS, 500 * MS, true);
        watch.answered(510 * MS, 500 * MS, true);
        for (int i = 0; i < 8; i++) {
            watch.answered((520 + i) * MS, 5 * MS, true);
        }
        assertThat(watch.end(600 * MS).silences()).containsExactly(new Silence(0, 0, 500 * MS, 520 * MS));
    }

    @Test
    void what_is_not_caught_up_ends_with_the_next_silence_or_the_run() {
        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.answered(600 * MS, 400 * MS, false);
        watch.due(700 * MS);
        watch.answered(1_100 * MS, 400 * MS, false);
        assertThat(watch.end(1_200 * MS).silences())
                .containsExactly(
                        new Silence(192 * MS, 200 * MS, 600 * MS, 700 * MS),
                        new Silence(600 * MS, 700 * MS, 1_100 * MS, 1_200 * MS));
    }

    @Test
    void a_silence_of_a_quarter_of_a_second_is_reported_and_a_shorter_one_is_not() {
        for (int millis : List.of(249, 250)) {
            ResponseGapDetector watch = warm();
            watch.due(200 * MS);
            watch.answered((200 + millis) * MS, millis * MS, false);
            assertThat(watch.end(500 * MS).silences()).hasSize(millis - 249);
        }
    }

    @Test
    void the_current_silence_is_reported_once_while_requests_wait() {
        ResponseGapDetector watch = warm();
        assertThat(watch.silentNanos(300 * MS)).isEqualTo(-1);
        watch.due(200 * MS);
        assertThat(watch.silentNanos(250 * MS)).isEqualTo(50 * MS);
        assertThat(watch.takeSilentNanos(299 * MS)).isZero();
        assertThat(watch.takeSilentNanos(300 * MS)).isEqualTo(100 * MS);
        assertThat(watch.silentNanos(150 * MS, 350 * MS)).isEqualTo(150 * MS);
        assertThat(watch.silentNanos(250 * MS, 350 * MS)).isEqualTo(100 * MS);
        assertThat(watch.takeSilentNanos(450 * MS)).isEqualTo(150 * MS);
        watch.answered(500 * MS, 300 * MS, false);
        assertThat(watch.takeSilentNanos(510 * MS)).isEqualTo(50 * MS);
        assertThat(watch.takeSilentNanos(520 * MS)).isZero();
        assertThat(watch.silentNanos(100 * MS, 400 * MS)).isEqualTo(200 * MS);
        assertThat(watch.silentNanos(300 * MS, 700 * MS)).isEqualTo(200 * MS);
        assertThat(watch.silentNanos(500 * MS, 700 * MS)).isZero();
        assertThat(watch.answers()).isEqualTo(21);
    }

    /** Half a second after it was due somebody gave up. */
    private static ResponseGapDetector gaveUp(boolean stillWaiting) {
        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.gaveUp(700 * MS, stillWaiting);
        return watch;
    }

    private static List<Long> endsOfSilences(ResponseGapDetector watch, long endAt) {
        return watch.end(endAt).silences().stream().map(Silence::toNanos).toList();
    }

    @Test
    void who_gave_up_all_and_asked_nothing_for_a_second_does_not_know_whether_it_was_silent() {
        ResponseGapDetector paused = gaveUp(false);
        assertThat(paused.silentNanos(800 * MS)).isEqualTo(-1);
        paused.due(1_701 * MS);
        assertThat(paused.silentNanos(1_751 * MS)).isEqualTo(50 * MS);
        paused.answered(1_703 * MS, 2 * MS, false);
        assertThat(endsOfSilences(paused, 1_800 * MS)).containsExactly(700 * MS);

        ResponseGapDetector asking = gaveUp(false);
        asking.due(1_700 * MS);
        asking.answered(1_703 * MS, 3 * MS, false);
        assertThat(endsOfSilences(asking, 1_800 * MS)).containsExactly(1_703 * MS);

        ResponseGapDetector waiting = gaveUp(true);
        assertThat(waiting.silentNanos(800 * MS)).isEqualTo(600 * MS);
        assertThat(endsOfSilences(waiting, 900 * MS)).containsExactly(900 * MS);

        assertThat(endsOfSilences(gaveUp(false), 900 * MS)).containsExactly(700 * MS);
    }

    @Test
    void a_pause_of_50_ms_is_reported_and_a_shorter_one_is_not() {
        ResponseGapDetector watch = warm();
        watch.paused(10 * MS, 60 * MS);
        watch.paused(100 * MS, 150 * MS - 1);
        assertThat(watch.end(200 * MS).pauses()).containsExactly(new Pause(10 * MS, 60 * MS));
    }

    @Test
    void a_cold_start_lasts_until_the_first_answer_or_the_end() {
        ResponseGapDetector none = new ResponseGapDetector();
        none.startsAt(100 * MS);
        none.startsCold();
        assertThat(none.end(600 * MS).startingNanos()).isEqualTo(500 * MS);
        ResponseGapDetector one = new ResponseGapDetector();
        one.startsAt(100 * MS);
        one.startsCold();
        one.answered(170 * MS, 10 * MS, false);
        assertThat(one.end(600 * MS).startingNanos()).isEqualTo(70 * MS);
        assertThat(warm().end(600 * MS).startingNanos()).isZero();
    }

    @ParameterizedTest(name = "others wait: {0}")
    @ValueSource(booleans = {false, true})
    void nobody_waits_after_the_last_request_was_withdrawn(boolean stillWaiting) {
        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.withdrawn(stillWaiting);
        assertThat(watch.silentNanos(500 * MS)).isEqualTo(stillWaiting ? 300 * MS : -1);
        watch.answered(600 * MS, 2 * MS, false);
        assertThat(watch.end(700 * MS).silences()).hasSize(stillWaiting ? 1 : 0);
    }

    @Test
    void an_answer_that_is_too_late_ends_a_silence_all_the_same() {
        ResponseGapDetector watch = warm();
        watch.due(200 * MS);
        watch.answeredLate(600 * MS);
        watch.answeredLate(699 * MS);
        watch.answered(798 * MS, 598 * MS, false);
        assertThat(watch.takeSilentNanos(800 * MS)).isEqualTo(400 * MS);
        assertThat(endsOfSilences(watch, 800 * MS)).containsExactly(600 * MS);
    }

    @ParameterizedTest(name = "{0} answers")
    @ValueSource(ints = {15, 16})
    void sixteen_answers_show_what_is_usual(int count) {
        ResponseGapDetector watch = watch(0, 10 * count, 10, 0, 0, 0);
        watch.due(200 * MS);
        watch.answered(600 * MS, 400 * MS, true);
        for (int i = 0; i < 8; i++) {
            watch.answered((610 + i) * MS, 5 * MS, true); // more than twice the usual 2 ms
        }
        assertThat(watch.end(700 * MS).silences().get(0).caughtUpNanos()).isEqualTo(count < 16 ? 610 * MS : 700 * MS);
    }

    @Test
    void the_last_four_silences_are_remembered() {
        ResponseGapDetector watch = warm();
        for (int second = 1; second <= 5; second++) {
            watch.due(second * 1_000 * MS);
            watch.answered((second * 1_000 + 100) * MS, 100 * MS, false);
            assertThat(watch.silentNanos(0, 9_000 * MS)).isEqualTo(Math.min(4, second) * 100 * MS);
        }
        assertThat(watch.silentNanos(0, 1_500 * MS)).isZero();
        assertThat(watch.silentNanos(1_500 * MS, 2_500 * MS)).isEqualTo(100 * MS);
    }
}
