package dev.downbeat.watch.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HighValueDetectorTest {
    private static List<Event> of(double floor, double... values) {
        HighValueDetector spells = new HighValueDetector(EventKind.SERIES, floor, value -> "up to " + value);
        for (int i = 0; i < values.length; i++) {
            spells.add(i, i + 1, values[i]);
        }
        return spells.events();
    }

    @Test
    void what_is_above_three_times_the_median_is_high_and_neighbours_are_one_event() {
        assertThat(of(0, 10, 11, 10, 40, 50, 10, 9, 29, 10, 45, 10))
                .containsExactly(
                        new Event(EventKind.SERIES, 3, 2, "up to 50.0"),
                        new Event(EventKind.SERIES, 9, 1, "up to 45.0"));
    }

    @Test
    void a_series_that_is_mostly_zero_is_high_when_it_is_not() {
        assertThat(of(0, 0, 0, 2, 0, 0)).containsExactly(new Event(EventKind.SERIES, 2, 1, "up to 2.0"));
    }

    @Test
    void below_the_floor_nothing_is_high() {
        assertThat(of(5, 0, 0, 2, 0, 6, 0)).containsExactly(new Event(EventKind.SERIES, 4, 1, "up to 6.0"));
    }

    @Test
    void a_series_that_is_always_high_is_normal() {
        assertThat(of(0, 90, 100, 95, 110, 99)).isEmpty();
    }

    private static HighValueDetector small() {
        return new HighValueDetector(EventKind.PROCESSOR_WAIT, 1, value -> "up to " + value, 100);
    }

    @Test
    void in_a_long_series_high_values_are_found_to_the_end() {
        HighValueDetector spells = small();
        for (int i = 0; i < 1_000; i++) {
            spells.add(i, i + 1, i == 10 || i == 990 ? 300 : 5 + i % 7);
        }
        assertThat(spells.events()).extracting(Event::startNanos).containsExactly(10L, 990L);
        assertThat(spells.note()).as("nothing high is missing").isEmpty();
    }

    @Test
    void of_too_many_high_values_the_highest_of_the_whole_series_are_kept_with_a_note() {
        HighValueDetector spells = small();
        for (int i = 0; i < 3_000; i++) {
            spells.add(i, i + 1, i % 3 == 0 ? 10 + i % 100 : 0);
        }
        assertThat(spells.note()).contains("only the highest run-queue waits are kept");
        List<Event> events = spells.events();
        assertThat(events).hasSizeBetween(10, 100);
        assertThat(events).extracting(Event::startNanos).isSorted();
        assertThat(events.get(0).startNanos()).isLessThan(300);
        assertThat(events.get(events.size() - 1).startNanos()).isGreaterThan(2_700);
    }

    @Test
    void too_many_equal_values_are_not_all_dropped() {
        HighValueDetector spells = small();
        for (int i = 0; i < 3_000; i++) {
            spells.add(i, i + 1, i % 3 == 0 ? 5 : 0);
        }
        assertThat(spells.events()).hasSizeBetween(50, 100);
        assertThat(spells.note()).isPresent();
    }

    @Test
    void a_value_that_stays_takes_no_more_room() {
        HighValueDetector spells = small();
        for (int i = 0; i < 3_000; i++) {
            spells.add(i, i + 1, i < 1_000 ? 5 : 0);
        }
        assertThat(spells.events()).containsExactly(new Event(EventKind.PROCESSOR_WAIT, 0, 1_000, "up to 5.0"));
        assertThat(spells.note()).isEmpty();
    }

    @Test
    void where_the_usual_value_falls_later_a_note_says_that_lower_ones_are_missing() {
        HighValueDetector spells = small();
        for (int i = 0; i < 1_000; i++) {
            spells.add(i, i + 1, i < 200 ? 10 + i % 2 : 0);
        }
        assertThat(spells.note()).isPresent();
    }

    @Test
    void of_too_many_events_the_longest_are_kept_with_a_note() {
        EventLog log = new EventLog(3);
        for (int i = 0; i < 10; i++) {
            log.add(EventKind.PARKED, i, i % 5, "");
        }
        assertThat(log.events())
                .extracting(Event::lengthNanos)
                .containsOnly(3L, 4L)
                .hasSize(3);
        assertThat(log.note()).contains("only the longest 3 of 10 events are kept");
    }

    @Test
    void an_event_of_which_half_lies_within_another_is_covered_by_it() {
        assertThat(Overlaps.notCovered(
                        List.of(
                                new Event(EventKind.SAFEPOINT, 40, 10, "alone"),
                                new Event(EventKind.SAFEPOINT, 0, 10, "half"),
                                new Event(EventKind.SAFEPOINT, 20, 10, "less than half")),
                        List.of(
                                new Event(EventKind.COLLECTION_PAUSE, 26, 10, ""),
                                new Event(EventKind.COLLECTION_PAUSE, 5, 10, ""))))
                .extracting(Event::detail)
                .containsExactly("less than half", "alone");
    }

    @Test
    void many_threads_that_wait_for_one_thing_are_one_event() {
        assertThat(Overlaps.merged(List.of(
                        new Event(EventKind.LOCK_WAIT, 0, 10, "A"),
                        new Event(EventKind.LOCK_WAIT, 5, 10, "A"),
                        new Event(EventKind.LOCK_WAIT, 5, 10, "B"),
                        new Event(EventKind.LOCK_WAIT, 16, 1, "A"))))
                .containsExactlyInAnyOrder(
                        new Event(EventKind.LOCK_WAIT, 0, 15, "A"),
                        new Event(EventKind.LOCK_WAIT, 5, 10, "B"),
                        new Event(EventKind.LOCK_WAIT, 16, 1, "A"));
    }
}
