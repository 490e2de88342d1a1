package dev.downbeat.watch.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OverlapsTest {
    private static Event wait(long from, long to, String detail) {
        return new Event(EventKind.LOCK_WAIT, from, to - from, detail);
    }

    @Test
    void events_of_one_kind_and_detail_that_touch_are_one() {
        assertThat(Overlaps.merged(List.of(wait(20, 30, "a"), wait(0, 15, "a"), wait(5, 20, "a"), wait(6, 7, "a"))))
                .containsExactly(wait(0, 30, "a"));
        assertThat(Overlaps.merged(List.of(wait(0, 10, "a"), wait(11, 12, "a"), wait(3, 4, "b"))))
                .containsExactlyInAnyOrder(wait(0, 10, "a"), wait(11, 12, "a"), wait(3, 4, "b"));
        assertThat(Overlaps.merged(
                        List.of(wait(0, 10, "a"), new Event(EventKind.PARKED, 5, 10, "a"), wait(10, 11, "a"))))
                .containsExactlyInAnyOrder(wait(0, 11, "a"), new Event(EventKind.PARKED, 5, 10, "a"));
        assertThat(Overlaps.merged(List.of())).isEmpty();
    }

    @Test
    void an_event_half_of_which_is_in_another_is_covered() {
        Event other = wait(100, 200, "other");
        assertThat(Overlaps.notCovered(List.of(wait(90, 110, "a")), List.of(other)))
                .isEmpty();
        assertThat(Overlaps.notCovered(List.of(wait(89, 110, "a")), List.of(other)))
                .hasSize(1);
        assertThat(Overlaps.notCovered(List.of(wait(190, 210, "a")), List.of(other)))
                .isEmpty();
        assertThat(Overlaps.notCovered(List.of(wait(190, 211, "a")), List.of(other)))
                .hasSize(1);
        assertThat(Overlaps.notCovered(List.of(wait(150, 160, "a")), List.of(other)))
                .isEmpty();
        assertThat(Overlaps.notCovered(List.of(wait(50, 250, "a")), List.of(other)))
                .isEmpty();
        assertThat(Overlaps.notCovered(List.of(wait(50, 251, "a")), List.of(other)))
                .hasSize(1);
        assertThat(Overlaps.notCovered(List.of(wait(0, 10, "a")), List.of(other)))
                .hasSize(1);
    }

    /** An instant lies in another from its begin to its end. */
    @Test
    void several_others_are_looked_through_in_order() {
        List<Event> others = List.of(wait(100, 200, ""), wait(0, 10, ""), wait(20, 30, ""));
        List<Event> instants = List.of(wait(200, 200, "a"), wait(10, 10, "a"), wait(15, 15, "a"), wait(25, 25, "a"));
        assertThat(Overlaps.notCovered(instants, others)).containsExactly(wait(15, 15, "a"));
        assertThat(Overlaps.notCovered(List.of(wait(201, 201, "a")), others)).hasSize(1);
    }
}
