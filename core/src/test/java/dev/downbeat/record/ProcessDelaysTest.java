package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessDelaysTest {
    private static ProcessDelays kept(long runDelay, long hiccup, long gc) {
        return new ProcessDelays(runDelay, hiccup, gc, 0, 0, 0);
    }

    @Test
    void an_interval_is_starved_if_it_was_kept_from_its_work_for_more_than_a_twentieth_of_the_answering() {
        assertThat(kept(50, 900, 0).judged(1_000, 1_000)).isEqualTo(kept(50, 900, 0));
        assertThat(kept(51, 0, 0).judged(1_000, 1_000).starvedNanos()).isEqualTo(1_000);
        assertThat(kept(50, 0, 1).judged(1_000, 1_000).isStarved()).isTrue();
        assertThat(kept(26, 0, 0).judged(1_000, 500).isStarved()).isTrue();
        assertThat(kept(900, 0, 900).judged(1_000, 0).isStarved()).isFalse();
        assertThat(kept(51, 0, 0).isStarved()).isFalse();
    }

    @Test
    void where_the_system_does_not_say_how_long_a_thread_waited_its_hiccups_stand_for_it() {
        assertThat(kept(-1, 51, 0).judged(1_000, 1_000).isStarved()).isTrue();
        assertThat(kept(-1, 50, 0).judged(1_000, 1_000).isStarved()).isFalse();
        assertThat(kept(0, 900, 0).judged(1_000, 1_000).isStarved()).isFalse();
    }

    @Test
    void who_is_never_idle_while_no_slot_is_free_starves_his_answers() {
        assertThat(ProcessDelays.isNeverIdle(90, 100)).isTrue();
        assertThat(ProcessDelays.isNeverIdle(89, 100)).isFalse();
        assertThat(new ProcessDelays(0, 0, 0, 100, 90, 0).judged(1_000, 1_000).isStarved())
                .isTrue();
        assertThat(new ProcessDelays(0, 0, 0, 100, 89, 0).judged(1_000, 1_000).isStarved())
                .isFalse();
        assertThat(new ProcessDelays(0, 0, 0, 50, 50, 0).judged(1_000, 1_000).isStarved())
                .isFalse();
        assertThat(new ProcessDelays(0, 0, 0, 100, -1, 0).judged(1_000, 1_000).isStarved())
                .isFalse();
        assertThat(new ProcessDelays(0, 0, 0, 0, 0, 0).judged(1_000, 1_000).isStarved())
                .isFalse();
    }

    @Test
    void concurrent_delays_combine_by_maximum_and_consecutive_ones_by_sum() {
        ProcessDelays one = new ProcessDelays(1, 20, 3, 40, 5, 60);
        ProcessDelays other = new ProcessDelays(10, 2, 30, 4, 50, 6);
        assertThat(one.beside(other)).isEqualTo(new ProcessDelays(10, 20, 30, 40, 50, 60));
        assertThat(one.then(other)).isEqualTo(new ProcessDelays(11, 22, 33, 44, 55, 66));
        ProcessDelays untold = new ProcessDelays(-1, 0, 0, 0, -1, 0);
        assertThat(one.beside(untold))
                .isEqualTo(untold.beside(one))
                .isEqualTo(new ProcessDelays(-1, 20, 3, 40, -1, 60));
        assertThat(one.then(untold)).isEqualTo(untold.then(one)).isEqualTo(new ProcessDelays(-1, 20, 3, 40, -1, 60));
    }
}
