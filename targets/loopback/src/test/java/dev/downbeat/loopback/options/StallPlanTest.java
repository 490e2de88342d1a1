package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StallPlanTest {
    private static final long MS = 1_000_000;

    @ParameterizedTest
    @CsvSource({"4999, 4999", "5000, 6000", "5500, 6000", "5999, 6000", "6000, 6000", "15000, 15000"})
    void an_answer_due_in_a_single_stall_leaves_at_its_end(long dueMillis, long resumeMillis) {
        assertThat(StallPlan.parse("1s@5s").resumeNanos(dueMillis * MS)).isEqualTo(resumeMillis * MS);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "199, 199", "10000, 10200", "10199, 10200", "10200, 10200", "30100, 30200"})
    void a_recurring_stall_first_comes_after_one_period(long dueMillis, long resumeMillis) {
        assertThat(StallPlan.parse("every 10s for 200ms").resumeNanos(dueMillis * MS))
                .isEqualTo(resumeMillis * MS);
    }

    @Test
    void a_stall_that_runs_into_another_ends_with_it() {
        StallPlan plan = StallPlan.parse("1s@2s").and(StallPlan.parse("1s@1s")).and(StallPlan.parse("1s@2500ms"));

        assertThat(plan.resumeNanos(1_000 * MS)).isEqualTo(3_500 * MS);
    }

    @Test
    void without_stalls_nothing_waits() {
        assertThat(StallPlan.NONE.isEmpty()).isTrue();
        assertThat(StallPlan.NONE.resumeNanos(123)).isEqualTo(123);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void the_resume_time_is_the_first_moment_that_no_stall_covers(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int horizon = 2000;
        boolean[] stalled = new boolean[2 * horizon];
        StallPlan plan = StallPlan.NONE;
        for (int i = 0; i < 4; i++) {
            int length = random.nextInt(1, 40);
            int at = random.nextInt(horizon);
            plan = plan.and(StallPlan.once(length, at));
            cover(stalled, at, length);
        }
        for (int i = 0; i < 2; i++) {
            int period = random.nextInt(20, 200);
            int length = random.nextInt(1, period / 3);
            plan = plan.and(StallPlan.every(period, length));
            for (int at = period; at < stalled.length; at += period) {
                cover(stalled, at, length);
            }
        }
        for (int due = 0; due < horizon; due++) {
            int free = due;
            while (stalled[free]) {
                free++;
            }
            assertThat(plan.resumeNanos(due)).as("due at %d in %s", due, plan).isEqualTo(free);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1s@5s", "every 10s for 200ms", "1500us@0ms"})
    void a_stall_is_described_in_the_words_it_is_read_from(String text) {
        assertThat(StallPlan.parse(text).stalls())
                .extracting(StallPlan.Stall::describe)
                .containsExactly(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1s | stall must be like 1s@5s or \"every 10s for 200ms\", but was \"1s\"",
                "1@5s | stall length must be a number with a unit (ns, us, ms, s, m, h) such as 2ms, but was \"1\"",
                "0s@5s | stall length must be from 1ns to 24h, but was 0ns",
                "every 1s for 1s | stall length must be less than its period 1s, but was 1s",
                "every 1s | stall must be like 1s@5s or \"every 10s for 200ms\", but was \"every 1s\"",
            })
    void an_invalid_stall_is_refused_in_one_line(String text, String message) {
        assertThatThrownBy(() -> StallPlan.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void recurring_stalls_that_leave_no_time_are_refused() {
        StallPlan.Stall half = new StallPlan.Every(2, 1);

        assertThatThrownBy(() -> new StallPlan(List.of(half, half)))
                .hasMessage("recurring stalls must take less than 100% of the time together, but took 100.0%");
    }

    private static void cover(boolean[] stalled, int at, int length) {
        for (int i = at; i < Math.min(stalled.length, at + length); i++) {
            stalled[i] = true;
        }
    }
}
