package dev.downbeat.load.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.record.Interruptions.Silence;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses that many threads report; times in milliseconds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveResponsesTest {
    private static final long MS = 1_000_000;

    /** Instants go round. */
    private static final long ORIGIN = Long.MAX_VALUE - 150 * MS;

    private final LiveResponses responses = new LiveResponses(ORIGIN);

    private void answered(long dueMillis, long atMillis) {
        responses.answered(ORIGIN + dueMillis * MS, ORIGIN + atMillis * MS);
    }

    private List<Silence> silences(long startMillis, long nowMillis, long oldestMillis) {
        return responses
                .take(ORIGIN + startMillis * MS, ORIGIN + nowMillis * MS, ORIGIN + oldestMillis * MS, 1, List.of())
                .silences();
    }

    private static Silence silence(long after, long from, long to) {
        return new Silence(after * MS, from * MS, to * MS, to * MS);
    }

    @ParameterizedTest(name = "the oldest waits since {0} ms")
    @CsvSource({"0, 2", "100, 100", "250, 250"})
    void a_stall_that_goes_on_is_reported_from_when_somebody_waited(long oldest, long from) {
        answered(0, 2);
        assertThat(silences(0, 500, oldest)).containsExactly(silence(2, from, 500));
    }

    @Test
    void nobody_has_waited_for_a_quarter_of_a_second_yet() {
        answered(0, 2);
        assertThat(silences(0, 500, 251)).isEmpty();
        assertThat(silences(0, 500, 500)).isEmpty();
    }

    @ParameterizedTest(name = "answered at {0} ms")
    @CsvSource({"251, 0", "252, 1"})
    void a_silence_lasts_a_quarter_of_a_second_at_least(long at, int count) {
        answered(0, 2);
        answered(0, at);
        assertThat(silences(0, at, at)).hasSize(count);
    }

    @Test
    void a_silence_begins_with_the_longest_wait_for_its_end_in_whatever_order_the_responses_come() {
        answered(0, 2);
        answered(100, 400);
        answered(140, 405); // waited less
        answered(50, 449);
        answered(20, 450); // too late to have waited for it
        assertThat(silences(0, 460, 460)).containsExactly(silence(2, 50, 400));
    }

    @Test
    void nobody_waits_for_a_response_before_the_last_one() {
        answered(0, 2);
        answered(1, 400);
        assertThat(silences(0, 400, 400)).containsExactly(silence(2, 2, 400));
        answered(401, 402);
        answered(410, 800);
        answered(300, 810);
        assertThat(silences(400, 810, 810)).containsExactly(silence(2, 2, 400));
    }

    @Test
    void each_report_has_its_own_silences_from_its_own_start() {
        answered(0, 100);
        answered(150, 500);
        assertThat(silences(20, 510, 510)).containsExactly(silence(80, 130, 480));
        assertThat(silences(510, 600, 600)).isEmpty();
        assertThat(silences(600, 900, 520)).as("began before the report").containsExactly(silence(0, 0, 300));
    }

    @Test
    void a_quiet_hour_leaves_room_for_the_stall_behind_it() {
        answered(0, 2);
        long millis = 2;
        for (int request = 0; request < 7_200; request++) {
            millis += 500;
            answered(millis - 5, millis);
        }
        answered(millis + 10, millis + 3_000);
        answered(millis + 3_495, millis + 3_500);
        long now = millis + 3_600;
        assertThat(silences(0, now, now)).containsExactly(silence(millis, millis + 10, millis + 3_000));
    }

    @Test
    void of_too_many_stalls_the_longest_are_kept() {
        answered(0, 2);
        for (int stall = 1; stall <= 300; stall++) {
            answered(1_000L * stall - 600, 1_000L * stall - (stall == 299 ? 0 : 200));
        }
        assertThat(silences(0, 300_000, 300_000)).hasSize(256).contains(silence(297_800, 298_400, 299_000));
    }

    @Test
    void the_mean_gap_stands_for_the_median() {
        List<Pause> pauses = List.of(new Pause(1, 2));
        Interruptions seen = responses.take(ORIGIN + 100, ORIGIN + 600, ORIGIN + 600, 10, pauses);
        assertThat(seen.medianGapNanos()).isEqualTo(50);
        assertThat(seen.pauses()).isEqualTo(pauses);
        assertThat(seen.isWatched()).isTrue();
        assertThat(responses
                        .take(ORIGIN + 0, ORIGIN + 500, ORIGIN + 500, 2, List.of())
                        .medianGapNanos())
                .isEqualTo(250);
        assertThat(responses
                        .take(ORIGIN + 0, ORIGIN + 500, ORIGIN + 500, 1, List.of())
                        .medianGapNanos())
                .isZero();
    }
}
