package dev.downbeat.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StallTest {
    private static final long MS = 1_000_000;

    static LongStream fifty() {
        return LongStream.rangeClosed(1, 50);
    }

    @ParameterizedTest
    @CsvSource({
        "1s@5s, 4999, 4999",
        "1s@5s, 5000, 6000",
        "1s@5s, 5999, 6000",
        "1s@5s, 6000, 6000",
        "every 10s for 200ms, 0, 0",
        "every 10s for 200ms, 199, 199",
        "every 10s for 200ms, 10000, 10200",
        "every 10s for 200ms, 10200, 10200",
        "every 10s for 200ms, 30100, 30200"
    })
    void what_is_due_in_a_stall_waits_for_its_end(String text, long dueMillis, long resumeMillis) {
        assertThat(Stall.resumeNanos(List.of(Stall.parse(text)), dueMillis * MS))
                .isEqualTo(resumeMillis * MS);
    }

    @ParameterizedTest
    @CsvSource({
        "1s@5s, 0, 5000",
        "1s@5s, 4999, 5000",
        "every 10s for 200ms, 0, 10000",
        "every 10s for 200ms, 10000, 20000",
        "every 10s for 200ms, 10100, 20000",
        "every 10s for 200ms, 19999, 20000",
        "every 10s for 200ms, 20000, 30000"
    })
    void the_next_stall_starts_after_the_time(String text, long millis, long startMillis) {
        assertThat(Stall.parse(text).startAfter(millis * MS)).isEqualTo(startMillis * MS);
    }

    @Test
    void after_the_start_of_the_only_stall_there_is_none() {
        assertThat(Stall.parse("1s@5s").startAfter(5_000 * MS)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fifty")
    void the_resume_time_is_the_first_moment_that_no_stall_covers(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int horizon = 2000;
        boolean[] stalled = new boolean[2 * horizon];
        List<Stall> stalls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int length = random.nextInt(1, 40);
            int at = random.nextInt(horizon);
            stalls.add(new Stall(at, length, 0));
            cover(stalled, at, length);
        }
        for (int i = 0; i < 2; i++) {
            int period = random.nextInt(20, 200);
            int length = random.nextInt(1, period / 3);
            stalls.add(new Stall(period, length, period));
            for (int at = period; at < stalled.length; at += period) {
                cover(stalled, at, length);
            }
        }
        for (int due = 0; due < horizon; due++) {
            int free = due;
            while (stalled[free]) {
                free++;
            }
            assertThat(Stall.resumeNanos(stalls, due))
                    .as("due at %d in %s", due, stalls)
                    .isEqualTo(free);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1s@5s", "every 10s for 200ms", "1.5ms@0s"})
    void a_stall_is_described_in_the_words_it_is_read_from(String text) {
        assertThat(Stall.parse(text).describe()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1s | a stall is like 1s@5s (length, start) or 'every 10s for 200ms', but was '1s'",
                "every 0s for 200ms | a stall is like 1s@5s (length, start) or 'every 10s for 200ms', but was 'every 0s for 200ms'",
                "0s@5s | a stall must last at least 1 ns and start at 0 or later, but lasts 0 ns and starts at 5000000000 ns",
                "every 1s for 1s | a stall must be shorter than its period, but lasts 1 s every 1 s",
            })
    void an_invalid_stall_is_refused_in_one_line(String text, String message) {
        assertThatThrownBy(() -> Stall.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void periodic_stalls_that_leave_no_time_are_refused() {
        Stall half = new Stall(2, 1, 2);
        assertThatThrownBy(() -> Stall.checked(List.of(half, half)))
                .hasMessageContaining("must leave time between them, but take 100 %");
    }

    @Test
    void a_stall_may_begin_at_once_and_leave_a_nanosecond() {
        assertThat(new Stall(0, 1, 0).startNanos()).isZero();
        assertThat(new Stall(0, 9, 10).lengthNanos()).isEqualTo(9);
        assertThatThrownBy(() -> new Stall(0, 10, 10)).hasMessageContaining("shorter than its period");
        assertThatThrownBy(() -> new Stall(-1, 1, 0)).hasMessageContaining("start at 0 or later");
        List<Stall> most = List.of(new Stall(2, 1, 2), new Stall(4, 1, 4), new Stall(0, 1_000, 0));
        assertThat(Stall.checked(most)).isEqualTo(most);
        assertThat(Stall.share(most)).isEqualTo(0.75);
    }

    private static void cover(boolean[] stalled, int at, int length) {
        for (int i = at; i < Math.min(stalled.length, at + length); i++) {
            stalled[i] = true;
        }
    }
}
