package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchResultTest {
    private static final long MILLI = 1_000_000;

    private static Event event(EventKind kind, long fromMillis, long lengthMillis, String detail) {
        return new Event(kind, fromMillis * MILLI, lengthMillis * MILLI, detail);
    }

    private static WatchResult seen(String source, long uncertaintyNanos, Event... events) {
        return new WatchResult(source, List.of(events), 0, 1000 * MILLI, uncertaintyNanos, List.of());
    }

    @Test
    void a_stop_of_a_JVM_that_two_witnesses_name_differently_counts_once() {
        WatchResult jvm = seen(
                "jvm:7",
                0,
                event(EventKind.FULL_COLLECTION, 100, 80, "SerialOld, Allocation Failure"),
                event(EventKind.COLLECTION_PAUSE, 300, 1, "DefNew"));
        Event missed = event(EventKind.FULL_COLLECTION, 500, 80, "Full (Allocation Failure)");
        WatchResult log = seen(
                "gc.log",
                2 * MILLI,
                event(EventKind.FULL_COLLECTION, 101, 79, "Full (Allocation Failure)"),
                event(EventKind.SAFEPOINT, 302, 1, "GenCollect"),
                missed);
        WatchResult fresh = log.without(jvm);
        assertThat(fresh.events()).containsExactly(missed);
        assertThat(fresh.notes()).containsExactly("2 events were also seen by jvm:7");
        assertThat(fresh.toNanos()).isEqualTo(log.toNanos());
    }

    @Test
    void waits_of_threads_are_the_same_only_with_the_same_detail() {
        Event lock = event(EventKind.LOCK_WAIT, 100, 50, "Object in Shop.price");
        Event other = event(EventKind.LOCK_WAIT, 100, 50, "Object in Shop.stock");
        WatchResult fresh = seen("app.jfr", MILLI, lock, other).without(seen("jvm:7", 0, lock));
        assertThat(fresh.events()).containsExactly(other);
        assertThat(fresh.notes()).containsExactly("1 event was also seen by jvm:7");
    }

    @Test
    void events_of_another_time_kind_or_length_are_kept() {
        WatchResult jvm = seen("jvm:7", 0, event(EventKind.COLLECTION_PAUSE, 100, 10, ""));
        WatchResult file = seen(
                "app.jfr",
                MILLI,
                event(EventKind.COLLECTION_PAUSE, 120, 10, ""),
                event(EventKind.COMPILATION, 100, 10, ""),
                event(EventKind.SAFEPOINT, 80, 40, "longer than what the other saw"),
                event(EventKind.COLLECTION_PAUSE, 200, 0, ""));
        assertThat(file.without(jvm)).isEqualTo(file);
    }

    @Test
    void a_longer_stop_near_a_short_one_is_another() {
        Event young = event(EventKind.COLLECTION_PAUSE, 100, 1, "");
        WatchResult dated = seen("gc.log", 2 * MILLI, event(EventKind.SAFEPOINT, 101, 4, ""));
        assertThat(dated.without(seen("jvm:7", 0, young))).isEqualTo(dated);
        WatchResult undated = seen(
                "b.log",
                10 * MILLI,
                event(EventKind.SAFEPOINT, 101, 15, ""),
                event(EventKind.FULL_COLLECTION, 90, 18, ""));
        assertThat(undated.without(seen("a.log", 10 * MILLI, young))).isEqualTo(undated);
    }

    @Test
    void many_short_stops_are_not_one_long_one() {
        Event[] pauses = IntStream.range(0, 10)
                .mapToObj(place -> event(EventKind.COLLECTION_PAUSE, 100 + 2L * place, 1, ""))
                .toArray(Event[]::new);
        WatchResult log = seen("gc.log", MILLI, event(EventKind.SAFEPOINT, 100, 20, ""));
        assertThat(log.without(seen("jvm:7", 0, pauses))).isEqualTo(log);
    }
}
