package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StepsTest {
    private static final long SECOND = 1_000_000_000L;

    private static Step step(long perSecond, long durationNanos) {
        return new Step(new Constant(Rate.perSecond(perSecond)), durationNanos);
    }

    @Test
    void each_step_starts_afresh_and_is_cut_at_its_end() {
        IntendedTimes times =
                new Steps(List.of(step(2, SECOND * 5 / 4), step(0, SECOND), step(1, Step.ENDLESS))).times();

        assertThat(LongStream.range(0, 5).map(i -> times.nextNanos()))
                .containsExactly(0L, SECOND / 2, SECOND, SECOND * 9 / 4, SECOND * 13 / 4);
        assertThat(times.index()).isEqualTo(4);
    }

    @Test
    void a_step_that_falls_silent_early_lasts_its_time_nevertheless() {
        IntendedTimes times = new Steps(List.of(new Step(Replay.of(3, 5), 100), step(1, 1))).times();

        assertThat(LongStream.range(0, 4).map(i -> times.nextNanos())).containsExactly(3L, 5L, 100L, IntendedTimes.END);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.index()).isEqualTo(2);
    }

    @Test
    void an_arrival_at_the_very_end_of_a_step_is_not_in_it() {
        IntendedTimes times = new Steps(List.of(step(1, SECOND), step(2, SECOND))).times();

        assertThat(LongStream.range(0, 4).map(i -> times.nextNanos()))
                .containsExactly(0L, SECOND, SECOND * 3 / 2, IntendedTimes.END);
    }

    @Test
    void requests_due_at_the_end_of_time_never_start() {
        IntendedTimes times = new Steps(List.of(step(0, Long.MAX_VALUE - SECOND), step(1, Step.ENDLESS))).times();

        assertThat(times.nextNanos()).isEqualTo(Long.MAX_VALUE - SECOND);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
        assertThat(times.index()).isZero();
    }

    @Test
    void a_first_step_without_arrivals_leaves_the_numbers_at_0() {
        IntendedTimes times = new Steps(List.of(step(0, 10), step(0, 10), step(1, 10))).times();

        assertThat(times.nextNanos()).isEqualTo(20);
        assertThat(times.index()).isZero();
    }

    @Test
    void beyond_the_range_of_a_long_is_the_end() {
        IntendedTimes times =
                new Steps(List.of(step(0, Long.MAX_VALUE - SECOND * 3 / 2), step(1, Step.ENDLESS))).times();

        assertThat(times.nextNanos()).isEqualTo(Long.MAX_VALUE - SECOND * 3 / 2);
        assertThat(times.nextNanos()).isEqualTo(Long.MAX_VALUE - SECOND / 2);
        assertThat(times.nextNanos()).isEqualTo(IntendedTimes.END);
    }

    @Test
    void values_out_of_range_are_rejected() {
        assertThatThrownBy(() -> new Steps(List.of())).hasMessage("steps must be at least 1, but were 0");
        assertThatThrownBy(() -> step(1, 0)).hasMessage("durationNanos must be at least 1, but was 0");
        assertThatThrownBy(() -> new Steps(List.of(step(1, 5), step(1, Step.ENDLESS), step(1, 5))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("less than 292 years in total, but step 2 ends later");
    }

    @Test
    void it_describes_itself() {
        Rate most = Rate.perSecond(5_000);
        Ramp ramp = new Ramp(Rate.perSecond(100), most, 120 * SECOND, new Spacing.Even());
        Steps steps = new Steps(List.of(
                step(100, 30 * SECOND), new Step(ramp, 120 * SECOND), new Step(new Constant(most), Step.ENDLESS)));

        assertThat(steps.describe())
                .isEqualTo("constant 100/s for 30 s, then ramp 100/s to 5,000/s over 2m, then constant 5,000/s");
        assertThat(steps.kind()).isEqualTo("steps");
    }
}
