package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.TargetCounts.Reading;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Counts of lanes side by side, and of one period after another. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CountsTest {
    private static ConnectionCounts counts(long factor) {
        return new ConnectionCounts(
                factor,
                2 * factor,
                3 * factor,
                4 * factor,
                5 * factor,
                6 * factor,
                7 * factor,
                8 * factor,
                new StreamCounts(9 * factor, 10 * factor, 11 * factor, 12 * factor));
    }

    @Test
    void lanes_side_by_side_have_the_events_and_the_open_connections_of_both() {
        assertThat(counts(1).plus(counts(10))).isEqualTo(counts(11));
        assertThat(counts(3).plus(ConnectionCounts.NONE)).isEqualTo(counts(3));
    }

    @Test
    void a_later_period_adds_its_events_and_has_the_last_word_on_what_is_open() {
        assertThat(counts(1).then(counts(10)))
                .isEqualTo(new ConnectionCounts(11, 22, 33, 44, 55, 66, 70, 80, new StreamCounts(99, 110, 110, 120)));
    }

    @Test
    void what_happened_since_leaves_out_what_was_counted_before_but_not_what_is_open() {
        assertThat(counts(10).since(counts(1)))
                .isEqualTo(new ConnectionCounts(9, 18, 27, 36, 45, 54, 70, 80, new StreamCounts(81, 90, 110, 120)));
        StreamCounts streams = new StreamCounts(1, 2, 3, 4);
        assertThat(counts(1).with(streams)).isEqualTo(new ConnectionCounts(1, 2, 3, 4, 5, 6, 7, 8, streams));
        assertThat(new ConnectionCounts(1, 2, 3, 4, 5, 6, 7, 8))
                .isEqualTo(counts(1).with(StreamCounts.NONE));
    }

    private static final TargetCounts SAMPLED = new TargetCounts(Map.of("logins", 3L))
            .with(Map.of("pinned", List.of(new Reading(10, 2), new Reading(30, 1))));

    @Test
    void of_a_sampled_value_the_greatest_and_the_last_are_shown() {
        assertThat(SAMPLED.all()).isEqualTo(Map.of("logins", 3L, "pinned (most)", 2L, "pinned (at the end)", 1L));
        assertThat(SAMPLED.with(Map.of("pinned", List.of())).all()).isEqualTo(Map.of("logins", 3L));
        assertThat(SAMPLED.count("logins")).isEqualTo(3);
        assertThat(SAMPLED.count("pinned")).isZero();
    }

    @Test
    void samples_of_two_lanes_are_in_order_of_time_and_move_with_their_run() {
        TargetCounts other = TargetCounts.NONE.with(Map.of("pinned", List.of(new Reading(20, 7))));
        assertThat(SAMPLED.plus(other).courses())
                .isEqualTo(Map.of("pinned", List.of(new Reading(10, 2), new Reading(20, 7), new Reading(30, 1))));
        assertThat(SAMPLED.later(100).courses())
                .isEqualTo(Map.of("pinned", List.of(new Reading(110, 2), new Reading(130, 1))));
        assertThat(SAMPLED.later(100).byName()).isEqualTo(SAMPLED.byName());
    }

    @Test
    void counts_are_empty_only_without_either_kind() {
        assertThat(TargetCounts.NONE.isEmpty()).isTrue();
        assertThat(SAMPLED.with(Map.of()).isEmpty()).isFalse();
        assertThat(TargetCounts.NONE.with(SAMPLED.courses()).isEmpty()).isFalse();
    }

    @Test
    void retries_multiply_the_load_only_where_operations_and_attempts_are_known() {
        assertThat(new TargetCounts(Map.of("operations", 10L)).amplification()).isEmpty();
        assertThat(new TargetCounts(Map.of("operations", 0L, "attempts", 0L)).amplification())
                .isEmpty();
        assertThat(new TargetCounts(Map.of("operations", 1L, "attempts", 3L)).amplification())
                .hasValue(3);
    }

    @Test
    void connections_are_shared_out_evenly_and_every_generator_needs_one() throws IOException {
        assertThat(List.of(
                        Target.share("connections", 8, 0, 3),
                        Target.share("connections", 8, 1, 3),
                        Target.share("connections", 8, 2, 3)))
                .containsExactly(3, 3, 2);
        assertThat(Target.share("connections", 3, 2, 3)).isOne();
        assertThatThrownBy(() -> Target.share("connections", 2, 0, 3))
                .hasMessage("3 generators need at least 3 connections (given: 2)");
    }
}
