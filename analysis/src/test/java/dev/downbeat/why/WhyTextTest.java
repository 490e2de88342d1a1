package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.Incident;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WhyTextTest {
    private static final List<WatchResult> NOBODY = List.of();

    private static EventCause cause(EventKind kind, int events, double share, double chance, String detail) {
        return new EventCause(kind, List.of(), events, share, share - 0.05, share + 0.05, chance, detail);
    }

    private static Explanation beyondP99(double unexplained, EventCause... causes) {
        return new Explanation(new Explanation.Tail(99), 1_000_000, 400, List.of(causes), unexplained, List.of());
    }

    private static WatchResult seen(EventKind kind, int times) {
        Event[] events = new Event[times];
        Arrays.setAll(events, i -> new Event(kind, i, 1, ""));
        return new WatchResult("jvm:4711", List.of(events), 0, 10_000_000_000L, 0, List.of());
    }

    @Test
    void the_line_names_the_causes_the_chance_and_what_is_unexplained() {
        Explanation found = beyondP99(
                0.1,
                cause(EventKind.FULL_COLLECTION, 2, 0.81, 0.03, "G1 Full"),
                cause(EventKind.THROTTLED, 7, 0.09, 0.01, ""));
        assertThat(WhyText.line(found, NOBODY))
                .isEqualTo("2 full GCs (G1 Full) account for 81 % of the time beyond p99 (3 % by chance);"
                        + " CPU throttling 9 %; unexplained 10 %");
    }

    @Test
    void one_event_is_one_to_the_grammar() {
        assertThat(WhyText.line(beyondP99(0.31, cause(EventKind.LOCK_WAIT, 1, 0.69, 0.002, "")), NOBODY))
                .isEqualTo(
                        "1 lock wait accounts for 69 % of the time beyond p99 (under 1 % by chance); unexplained 31 %");
        assertThat(WhyText.line(beyondP99(0.4, cause(EventKind.THROTTLED, 12, 0.6, 0.1, "")), NOBODY))
                .isEqualTo(
                        "CPU throttling accounts for 60 % of the time beyond p99 (10 % by chance); unexplained 40 %");
    }

    @Test
    void coinciding_events_are_reported_together() {
        EventCause both = new EventCause(
                EventKind.FULL_COLLECTION,
                List.of(EventKind.SAFEPOINT, EventKind.THROTTLED),
                2,
                0.97,
                0.9,
                1,
                0.02,
                "Serial");
        assertThat(WhyText.line(beyondP99(0.03, both), NOBODY))
                .isEqualTo("2 full GCs (Serial; with safepoints and CPU throttling) account for 97 % of the time beyond"
                        + " p99 (2 % by chance); unexplained 3 %");
    }

    private static Explanation during(long at, EventCause... causes) {
        Incident incident = new Incident(
                at, 1_000_000_000L, 500, 0.2, 1_000_000_000L, Incident.Cause.SERVICE_SLOW, 0, false, false, "");
        return new Explanation(new Explanation.During(incident), 1_000_000, 500, List.of(causes), 0, List.of());
    }

    @Test
    void incidents_are_counted_by_what_explains_each_of_them() {
        EventCause lock = cause(EventKind.LOCK_WAIT, 1, 1, 0.01, "Object in Shop.price");
        EventCause throttled = cause(EventKind.THROTTLED, 1, 0.7, 0.01, "");
        assertThat(WhyText.incidents(
                        List.of(beyondP99(1), during(1, throttled, lock), during(2, lock), during(3, lock), during(4))))
                .isEqualTo(
                        "lock waits (Object in Shop.price) explain 2 of 4 incidents; CPU throttling explains 1 of 4 incidents");
        assertThat(WhyText.incidents(List.of(during(1, lock))))
                .isEqualTo("lock waits (Object in Shop.price) explain 1 of 1 incident");
        assertThat(WhyText.incidents(List.of(beyondP99(0, lock), during(1)))).isEmpty();
    }

    @Test
    void no_line_has_more_than_three_causes() {
        Explanation found = beyondP99(
                0,
                cause(EventKind.LOCK_WAIT, 3, 0.5, 0.01, ""),
                cause(EventKind.FILE_WRITE, 2, 0.2, 0.01, ""),
                cause(EventKind.PINNED, 1, 0.15, 0.01, ""),
                cause(EventKind.COMPILATION, 9, 0.1, 0.01, ""),
                cause(EventKind.CLASS_LOADING, 9, 0.05, 0.01, ""));
        assertThat(WhyText.line(found, NOBODY))
                .isEqualTo("3 lock waits account for 50 % of the time beyond p99 (1 % by chance); 2 file writes 20 %;"
                        + " 1 thread pinning 15 %; 2 more causes 15 %");
    }

    @Test
    void nothing_is_claimed_where_nothing_was_found() {
        List<WatchResult> watched = List.of(seen(EventKind.COLLECTION_PAUSE, 14), seen(EventKind.SAFEPOINT, 1));
        assertThat(WhyText.line(beyondP99(1), watched))
                .isEqualTo("no watched event explains the tail: 14 GC pauses, 1 safepoint coincided"
                        + " with slow requests no more often than by chance");
        assertThat(WhyText.line(beyondP99(1), List.of(seen(EventKind.SAFEPOINT, 0))))
                .isEqualTo("no event that could explain the tail was recorded");
        assertThat(WhyText.first(beyondP99(1), "it")).isEmpty();
    }

    @Test
    void an_incident_has_a_sentence_of_its_own() {
        EventCause stop = cause(EventKind.PROCESS_STOPPED, 1, 0.96, 0.04, "");
        Explanation stalled = new Explanation(new Explanation.Tail(99), 1, 100, List.of(stop), 0.04, List.of());
        assertThat(WhyText.incident(stalled))
                .isEqualTo("1 process suspension accounts for 96 % of the incident (4 % by chance); unexplained 4 %");
        assertThat(WhyText.first(stalled, "it")).isEqualTo("1 process suspension accounts for 96 % of it");
        assertThat(WhyText.incident(new Explanation(new Explanation.Tail(99), 1, 100, List.of(), 1, List.of())))
                .isEqualTo("no watched event explains it");
    }

    @ParameterizedTest
    @EnumSource(EventKind.class)
    void every_kind_can_be_counted(EventKind kind) {
        assertThat(kind.counted(1)).isNotBlank().doesNotContain("1 1");
        assertThat(kind.counted(1_234)).endsWith(kind.words());
    }
}
