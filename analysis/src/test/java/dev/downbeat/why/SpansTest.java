package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.downbeat.record.KeptRequests.KeptRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Times of events, of slow requests and of a watch, small enough to be counted. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SpansTest {
    static Spans spans(long... ends) {
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < ends.length; i += 2) {
            pairs.add(new long[] {ends[i], ends[i + 1]});
        }
        return Spans.of(pairs);
    }

    static List<Long> ends(Spans spans) {
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < spans.count(); i++) {
            ends.add(spans.from(i));
            ends.add(spans.to(i));
        }
        return ends;
    }

    @Test
    void spans_that_overlap_or_touch_are_one_and_empty_ones_are_none() {
        Spans spans = spans(20, 30, 0, 10, 25, 28, 10, 12, 40, 40, 50, 45, 29, 35);
        assertThat(ends(spans)).containsExactly(0L, 12L, 20L, 35L);
        assertThat(spans.totalNanos()).isEqualTo(27);
        assertThat(spans().totalNanos()).isZero();
    }

    @Test
    void the_first_span_after_an_instant_ends_later() {
        Spans spans = spans(0, 10, 20, 30, 40, 50);
        assertThat(spans.firstAfter(-5)).isZero();
        assertThat(spans.firstAfter(9)).isZero();
        assertThat(spans.firstAfter(10)).isEqualTo(1);
        assertThat(spans.firstAfter(29)).isEqualTo(1);
        assertThat(spans.firstAfter(30)).isEqualTo(2);
        assertThat(spans.firstAfter(50)).isEqualTo(3);
    }

    @Test
    void spans_cover_their_part_of_a_period() {
        Spans spans = spans(0, 10, 20, 30, 40, 50);
        assertThat(spans.coveredNanos(5, 45)).isEqualTo(5 + 10 + 5);
        assertThat(spans.coveredNanos(-10, 100)).isEqualTo(30);
        assertThat(spans.coveredNanos(10, 20)).isZero();
        assertThat(spans.coveredNanos(22, 24)).isEqualTo(2);
    }

    @Test
    void spans_are_added_and_subtracted() {
        Spans spans = spans(0, 10, 20, 30);
        assertThat(ends(spans.with(spans(5, 15, 40, 50)))).containsExactly(0L, 15L, 20L, 30L, 40L, 50L);
        assertThat(ends(spans.without(spans(2, 4, 6, 8, 9, 22, 29, 40))))
                .containsExactly(0L, 2L, 4L, 6L, 8L, 9L, 22L, 29L);
        assertThat(ends(spans.without(spans(0, 10)))).containsExactly(20L, 30L);
        assertThat(ends(spans.without(spans()))).containsExactly(0L, 10L, 20L, 30L);
    }

    @Test
    void an_event_ends_after_its_length_and_its_detail_is_cut() {
        assertThat(new Event(EventKind.LOCK_WAIT, -5, 20, "a").endNanos()).isEqualTo(15);
        assertThat(new Event(EventKind.LOCK_WAIT, 0, 0, "x".repeat(201)).detail())
                .isEqualTo("x".repeat(200));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Event(EventKind.LOCK_WAIT, 0, -1, ""))
                .withMessage("an event must last at least 0 ns, but lasted -1");
    }

    // ---- slow requests

    private static KeptRequest request(long index, long intended, long dispatched, long completed) {
        return new KeptRequest(index, 0, intended, dispatched, dispatched, completed, completed, 0, 0, true);
    }

    /** Typical are 10 ns, slow are more than 60 ns, and slower than usual is the fifth of the way from one to the other. */
    @Test
    void requests_that_are_slower_than_usual_are_in_flight_beside_the_slow_ones() {
        KeptRequest slow = request(1, 100, 105, 200);
        KeptRequest slower = request(2, 50, 50, 71);
        KeptRequest usual = request(3, 60, 60, 80);
        SlowRequests requests = SlowRequests.of(List.of(slow), List.of(usual, slow, slower, slower), 60, 10);
        assertThat(requests.count()).isEqualTo(2);
        assertThat(requests.from(0)).isEqualTo(50);
        assertThat(requests.to(0)).isEqualTo(71);
        assertThat(requests.isSlow(0)).isFalse();
        assertThat(requests.slowNanos(0)).isZero();
        assertThat(requests.from(1)).isEqualTo(105);
        assertThat(requests.isSlow(1)).isTrue();
        assertThat(requests.slowNanos(1)).isEqualTo(90);
        assertThat(requests.explicableNanos(1))
                .as("5 ns it waited for Downbeat")
                .isEqualTo(85);
        assertThat(requests.totalNanos()).isEqualTo(90);
        assertThat(requests.ends()).containsExactly(71, 200);
        assertThat(ends(requests.inFlight())).containsExactly(50L, 71L, 105L, 200L);
        assertThat(ends(requests.slowInFlight())).containsExactly(105L, 200L);
    }

    @Test
    void a_request_no_slower_than_a_typical_one_has_nothing_to_explain() {
        SlowRequests requests = SlowRequests.of(List.of(request(1, 0, 4, 12)), List.of(), 5, 12);
        assertThat(requests.totalNanos()).isZero();
        assertThat(requests.explicableNanos(0)).isZero();
        assertThat(requests.isSlow(0)).isFalse();
    }

    // ---- what was watched

    private static WatchResult watched(String source, long uncertainty, Event... events) {
        return new WatchResult(source, List.of(events), 0, 100, uncertainty, List.of());
    }

    private static Event pause(long at, long length) {
        return new Event(EventKind.SAFEPOINT, at, length, "");
    }

    @Test
    void a_watch_has_its_events_in_order_and_a_length() {
        assertThat(watched("a", 0, pause(20, 1), pause(10, 2)).events()).containsExactly(pause(10, 2), pause(20, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> watched("a", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new WatchResult("a", List.of(), 5, 4, 0, List.of()));
        assertThat(new WatchResult("a", List.of(), 5, 5, 0, List.of()).events()).isEmpty();
    }

    @Test
    void events_on_a_clock_that_is_known_to_10_ms_are_kept() {
        WatchResult exact = watched("a", 75_000_000, pause(1, 1)); // looks rarely, but on the run's clock
        for (long moreNanos : new long[] {0, 10_000_000}) {
            WatchResult kept = exact.within(moreNanos);
            assertThat(kept.uncertaintyNanos()).isEqualTo(75_000_000 + moreNanos);
            assertThat(kept.events()).hasSize(1);
            assertThat(kept.notes()).isEmpty();
        }
        WatchResult vague = exact.within(10_100_000);
        assertThat(vague.events()).isEmpty();
        assertThat(vague.toNanos()).isZero();
        assertThat(vague.notes())
                .containsExactly("its clock is known only to 10.1 ms, not to 10 ms: its events are left out");
    }

    @Test
    void of_more_events_than_are_kept_the_longest_of_all_watchers_are() {
        Event[] many = new Event[WatchResult.MOST];
        for (int i = 0; i < many.length; i++) {
            many[i] = pause(i, i < 2 ? 1 : 5);
        }
        WatchResult first = watched("first", 0, many);
        assertThat(WatchResult.longest(List.of(first))).containsExactly(first);
        WatchResult second = watched("second", 0, pause(0, 9));
        List<WatchResult> kept = WatchResult.longest(List.of(first, second));
        assertThat(kept.get(0).events()).hasSize(WatchResult.MOST - 1).doesNotContain(pause(1, 1));
        assertThat(kept.get(0).notes()).containsExactly("99,999 of 100,000 events of first were kept, the longest");
        assertThat(kept.get(1)).isEqualTo(second);
    }
}
