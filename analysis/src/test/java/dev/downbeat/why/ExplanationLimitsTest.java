package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.event.Incident;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests are explained, and what is said of them: ten seconds with a request every 5 ms, which takes 2 ms. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplanationLimitsTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    /** The response times of those that take longer, in milliseconds, by their number. */
    private final Map<Integer, Integer> slow = new TreeMap<>();

    private long everyMillis = 5;

    /** By how much the slow ones were noticed late. */
    private long lateNanos;

    private RunResult run(int kept) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        RequestKeeper keeper = new RequestKeeper(kept, 1);
        Exchange exchange = new Exchange(0);
        for (int i = 0; i < 10_000 / everyMillis; i++) {
            long intended = everyMillis * i * MS;
            long dispatched = intended + (slow.containsKey(i) ? lateNanos : 0);
            exchange.index = i;
            exchange.begin(intended, dispatched, dispatched);
            exchange.completedAt = intended + slow.getOrDefault(i, 2) * MS;
            recorder.planned(1);
            recorder.completed(exchange);
            keeper.ended(exchange, exchange.completedAt, true);
        }
        Recording recording = recorder.drain();
        Interval interval = new Interval(0, 10 * S, recording, ConnectionCounts.NONE, ProcessDelays.NONE);
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(200))))
                .duration(Duration.ofSeconds(10))
                .build();
        return RunResult.soFar(plan, recording, List.of(interval)).with(keeper.kept());
    }

    private static WatchResult watched(long fromNanos, long toNanos, Event... events) {
        return new WatchResult("pid:1", List.of(events), fromNanos, toNanos, 0, List.of());
    }

    private List<Explanation> explained(List<WatchResult> watched, Incident... incidents) {
        return Explanations.of(run(KeptRequests.MOST), watched, List.of(incidents));
    }

    private List<Explanation> explained(Incident... incidents) {
        return explained(List.of(watched(0, 10 * S)), incidents);
    }

    /** One in a hundred, each apart from the others by a different time. */
    private List<Integer> twentySlowOnes() {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            places.add(40 + 22 * i + 3 * i * i);
        }
        places.forEach(place -> slow.put(place, 100));
        return places;
    }

    @Test
    void nothing_is_explained_where_nothing_was_watched() {
        twentySlowOnes();
        assertThat(explained(List.of())).isEmpty();
        assertThat(explained(List.of(watched(S, S)))).isEmpty();
        assertThat(explained(List.of(watched(11 * S, 12 * S)))).isEmpty();
        assertThat(explained(List.of(watched(-2 * S, 0)))).isEmpty();
        assertThat(explained(List.of(watched(S, S + 1)))).hasSize(1);
    }

    /** More than a twentieth of the run. */
    @ParameterizedTest(name = "from {0} ms to {1} ms: \"{2}\"")
    @CsvSource({
        "0, 10000, ''",
        "-3000, 20000, ''",
        "0, 9500, ''",
        "500, 10000, ''",
        "0, 9400, the service was watched for 9.40 s of 10.0 s",
        "600, 10000, the service was watched for 9.40 s of 10.0 s"
    })
    void a_part_that_was_not_watched_is_noted(long from, long to, String note) {
        twentySlowOnes();
        assertThat(explained(List.of(watched(from * MS, to * MS))).get(0).notes())
                .isEqualTo(note.isEmpty() ? List.of() : List.of(note));
        assertThat(explained(List.of(watched(from * MS, to * MS), watched(0, 10 * S)))
                        .get(0)
                        .notes())
                .as("by another watcher it was")
                .isEmpty();
        assertThat(explained(List.of(watched(from * MS, to * MS), watched(0, 0)))
                        .get(0)
                        .notes())
                .as("one that saw nothing does not count")
                .isEqualTo(note.isEmpty() ? List.of() : List.of(note));
    }

    /** Each takes 98 ms longer than usual, of which 4.9 ms are a twentieth. */
    @Test
    void own_lateness_is_noted_if_it_is_more_than_a_twentieth() {
        twentySlowOnes();
        lateNanos = 4_900_000;
        assertThat(explained().get(0).notes()).isEmpty();
        lateNanos = 5_880_000;
        assertThat(explained().get(0).notes()).containsExactly("6 % of the time beyond p99 is Downbeat's own lateness");
    }

    @Test
    void requests_beyond_p99_are_explained() {
        assertThat(explained()).singleElement().satisfies(tail -> {
            assertThat(tail.requests()).isZero();
            assertThat(tail.causes()).isEmpty();
            assertThat(tail.unexplained()).isEqualTo(1);
            assertThat(tail.notes()).containsExactly("no request took longer than a typical one");
        });
        twentySlowOnes();
        assertThat(explained()).singleElement().satisfies(tail -> {
            assertThat(tail.subject()).isEqualTo(new Explanation.Tail(99));
            assertThat(tail.requests()).isEqualTo(20);
            assertThat((double) tail.fromNanos()).isCloseTo(2.0 * MS, within(0.01 * MS));
            assertThat(tail.unexplained()).isEqualTo(1);
        });
    }

    /** Eleven take 50 ms and five 100 ms, so that the ten slowest of 2,000 begin at 50 ms. */
    @Test
    void if_not_all_beyond_p99_were_kept_the_next_percentile_is_explained() {
        for (int i = 0; i < 16; i++) {
            slow.put(100 * i, i < 11 ? 50 : 100);
        }
        Explanation all =
                Explanations.of(run(17), List.of(watched(0, 10 * S)), List.of()).get(0);
        assertThat(all.subject()).isEqualTo(new Explanation.Tail(99));
        assertThat(all.requests()).isEqualTo(16);
        Explanation some =
                Explanations.of(run(7), List.of(watched(0, 10 * S)), List.of()).get(0);
        assertThat(some.subject().time()).isEqualTo("the time beyond p99.5");
        assertThat(some.requests()).isEqualTo(5);
        assertThat((double) some.fromNanos()).isCloseTo(50.0 * MS, within(0.1 * MS));
    }

    /** From 2 s to 3 s, and caught up at 3.5 s. */
    private static Incident incident(Incident.Cause cause) {
        return incident(cause, 0.4);
    }

    private static Incident incident(Incident.Cause cause, double tailShare) {
        return new Incident(2 * S, S, 10, tailShare, 200 * MS, cause, 500 * MS, false, false, "");
    }

    @Test
    void an_incident_hit_the_slow_requests_in_flight_until_the_service_had_caught_up() {
        slow.put(360, 200); // ended at 2 s
        slow.put(361, 196); // a millisecond later
        slow.put(420, 4); // twice as long as usual
        slow.put(440, 5);
        slow.put(699, 50);
        slow.put(700, 50); // started at 3.5 s
        List<Explanation> explained = explained(incident(Incident.Cause.SERVICE_STALL));
        assertThat(explained).hasSize(2);
        assertThat(explained.get(0).requests()).isEqualTo(6);
        assertThat(explained.get(1).subject().time()).isEqualTo("the time of the incident at 2.0 s");
        assertThat(explained.get(1).requests()).isEqualTo(3);
        assertThat(explained.get(1).fromNanos()).isEqualTo(4 * MS);
    }

    @Test
    void no_event_of_the_service_explains_a_pause_of_Downbeat() {
        twentySlowOnes();
        assertThat(explained(incident(Incident.Cause.OUR_PAUSE)).get(1)).satisfies(pause -> {
            assertThat(pause.requests()).isZero();
            assertThat(pause.unexplained()).isEqualTo(1);
            assertThat(pause.notes())
                    .containsExactly("Downbeat itself was paused, which no event of the service explains");
        });
    }

    /** The collection is in the burst of slow requests, as it would be by chance in one run of twenty or so. */
    @Test
    void what_the_tail_rules_out_is_not_asked_again_of_the_incident_that_makes_half_of_it() {
        for (int i = 0; i < 20; i++) {
            slow.put(400 + i, 600);
        }
        List<WatchResult> watched =
                List.of(watched(0, 10 * S, new Event(EventKind.FULL_COLLECTION, 2 * S, 150 * MS, "")));
        List<Explanation> small = explained(watched, incident(Incident.Cause.SERVICE_STALL, 0.49));
        assertThat(small.get(0).notes()).singleElement().asString().startsWith("full GCs coincide with");
        assertThat(small.get(1).notes()).singleElement().asString().startsWith("full GCs coincide with");
        List<Explanation> large = explained(watched, incident(Incident.Cause.SERVICE_STALL, 0.5));
        assertThat(large.get(1).notes()).isEmpty();
    }

    @Test
    void twenty_requests_outside_of_the_incidents_are_explained_on_their_own() {
        everyMillis = 4; // twenty-one are then less than a hundredth
        for (int i = 0; i < 20; i++) {
            slow.put(900 + 40 * i, 100);
        }
        Incident stall = incident(Incident.Cause.SERVICE_STALL);
        assertThat(explained(stall)).as("all are outside").hasSize(2);
        slow.put(600, 100);
        List<Explanation> explained = explained(stall);
        assertThat(explained).hasSize(3);
        assertThat(explained.get(2).subject().name()).isEqualTo("p99 outside the incidents");
        assertThat(explained.get(2).requests()).isEqualTo(20);
        slow.remove(900);
        assertThat(explained(stall)).as("nineteen are too few").hasSize(2);
    }

    private static Event covering(EventKind kind, int request, String detail) {
        return new Event(kind, 5L * request * MS, 98 * MS, detail);
    }

    /** Wilson's 95 % interval of 15 in 20 is 53.1 % to 88.8 %. */
    @Test
    void a_cause_explains_the_time_of_the_requests_that_its_events_cover() {
        List<Integer> places = twentySlowOnes();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            events.add(covering(EventKind.FULL_COLLECTION, places.get(i), i < 8 ? "heap full" : "System.gc()"));
        }
        events.add(covering(EventKind.FULL_COLLECTION, 1_800, "when nothing was slow"));
        Explanation tail = explained(List.of(watched(0, 10 * S, events.toArray(Event[]::new))))
                .get(0);
        assertThat(tail.unexplained()).isCloseTo(0.25, within(1e-9));
        assertThat(tail.causes()).singleElement().satisfies(cause -> {
            assertThat(cause.kind()).isEqualTo(EventKind.FULL_COLLECTION);
            assertThat(cause.together()).isEmpty();
            assertThat(cause.events()).isEqualTo(15);
            assertThat(cause.share()).isCloseTo(0.75, within(1e-9));
            assertThat(cause.shareLow()).isCloseTo(0.531, within(0.001));
            assertThat(cause.shareHigh()).isCloseTo(0.888, within(0.001));
            assertThat(cause.chance()).isBetween(0.0, 0.4);
            assertThat(cause.detail()).isEqualTo("heap full");
        });
    }

    @Test
    void the_cause_of_most_of_the_time_comes_first() {
        List<Integer> places = twentySlowOnes();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 18; i++) {
            events.add(covering(i % 9 < 4 ? EventKind.FULL_COLLECTION : EventKind.IO_STALL, places.get(i), ""));
        }
        Explanation tail = explained(List.of(watched(0, 10 * S, events.toArray(Event[]::new))))
                .get(0);
        assertThat(tail.causes())
                .extracting(EventCause::kind)
                .containsExactly(EventKind.IO_STALL, EventKind.FULL_COLLECTION);
        assertThat(tail.causes().get(0).share()).isCloseTo(0.5, within(1e-9));
        assertThat(tail.causes().get(1).share()).isCloseTo(0.4, within(1e-9));
        assertThat(tail.unexplained()).isCloseTo(0.1, within(1e-9));
    }

    /** Half of the growth of the first burst is half of its 1,050 ms, and all of the last request is 300 ms. */
    @Test
    void what_happens_while_requests_pile_up_explains_the_waits_after_it_and_so_for_the_last_of_them() {
        for (int i = 0; i < 20; i++) {
            slow.put(400 + i, 102 - 5 * i);
        }
        slow.put(1_600, 302);
        Event first = new Event(EventKind.FULL_COLLECTION, 1_800 * MS, 251 * MS, "");
        Event last = new Event(EventKind.FULL_COLLECTION, 7_800 * MS, 502 * MS, "");
        assertThat(explained(List.of(watched(0, 10 * S, first, last))).get(0).notes())
                .singleElement()
                .asString()
                .startsWith("full GCs coincide with 61 % of the time");
    }
}
