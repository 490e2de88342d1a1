package dev.downbeat.why;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.RunEvents;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import dev.downbeat.why.CauseFinder.Suspect;
import dev.downbeat.why.SimulatedCauses.Injected;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What is named for what was done to a simulated service; the tables are in jmh-benchmarks/results. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExplanationsTest {
    /** One in a build: each takes a third of a second. */
    private static final int RUNS = Replications.areWhole() ? 100 : 1;

    /** Of each pair, of which there are 45; in a build only those with one of the causes. */
    private static final int PAIR_RUNS = Replications.areWhole() ? 10 : 1;

    private static final Injected PARTNER = Injected.PAUSES;

    private static final int SECONDS = 60;

    private static List<Explanation> explained(RunResult result, List<WatchResult> watched) {
        return Explanations.of(result, watched, RunEvents.incidents(result));
    }

    /** The kinds that were named in each of so many runs, slow ones beyond p99. */
    private static List<Set<EventKind>> named(Set<Injected> injected, boolean areHidden, int runs) {
        return LongStream.range(0, runs)
                .mapToObj(seed -> new SimulatedCauses(seed, SECONDS, injected, areHidden).seen())
                .map(seen -> explained(seen.result(), seen.watched()).get(0))
                .map(ExplanationsTest::kinds)
                .toList();
    }

    private static Set<EventKind> kinds(Explanation explanation) {
        double sum = explanation.unexplained();
        for (EventCause cause : explanation.causes()) {
            sum += cause.share();
            assertThat(cause.shareLow()).isBetween(0.0, cause.share());
            assertThat(cause.shareHigh()).isBetween(cause.share(), 1.0);
            assertThat(cause.chance()).isLessThan(cause.share());
        }
        assertThat(sum).isBetween(1 - 1e-9, 1 + 1e-9);
        return explanation.causes().stream().map(EventCause::kind).collect(Collectors.toSet());
    }

    private static void write(String what, List<Set<EventKind>> named) {
        Map<Set<EventKind>, Long> counted =
                named.stream().collect(Collectors.groupingBy(kinds -> kinds, Collectors.counting()));
        Table.line("causes", "| " + what + " | " + named.size() + " | " + counted + " |");
    }

    @Test
    void of_ten_causes_nine_and_more_are_named_and_nothing_else_is() {
        int right = 0;
        for (Injected injected : Injected.values()) {
            List<Set<EventKind>> named = named(EnumSet.of(injected), false, RUNS);
            write(injected.kind.words(), named);
            assertThat(named).allMatch(kinds -> kinds.isEmpty() || kinds.equals(Set.of(injected.kind)));
            right += (int) named.stream().filter(kinds -> !kinds.isEmpty()).count();
        }
        assertThat(right).isGreaterThanOrEqualTo(9 * RUNS);
    }

    @Test
    void of_twenty_causes_seventeen_and_more_are_named_even_in_a_run_of_nine_seconds() {
        int right = 0;
        int wrong = 0;
        for (Injected injected : Injected.values()) {
            for (long seed = 0; seed < RUNS; seed++) {
                SimulatedCauses.Seen seen = new SimulatedCauses(seed, 9, EnumSet.of(injected), false, 7).seen();
                Set<EventKind> kinds =
                        kinds(explained(seen.result(), seen.watched()).get(0));
                right += kinds.equals(Set.of(injected.kind)) ? 1 : 0;
                wrong += Set.of(injected.kind).containsAll(kinds) ? 0 : 1;
            }
        }
        assertThat(right).isGreaterThanOrEqualTo(17 * RUNS / 2);
        assertThat(wrong).isLessThanOrEqualTo(RUNS / 10); // of ten causes: one in a hundred
    }

    /** A stop makes most of the tail, and hides the lock that is waited for time and again. */
    @Test
    void causes_hidden_by_incidents_are_found_outside_them() {
        Set<Injected> both = EnumSet.of(Injected.STOP, Injected.LOCK);
        int named = 0;
        for (long seed = 0; seed < 6; seed++) {
            SimulatedCauses.Seen seen = new SimulatedCauses(seed, SECONDS, both, false).seen();
            List<Set<EventKind>> kinds = explained(seen.result(), seen.watched()).stream()
                    .map(ExplanationsTest::kinds)
                    .toList();
            assertThat(kinds).allMatch(Set.of(EventKind.PROCESS_STOPPED, EventKind.LOCK_WAIT)::containsAll);
            named += kinds.stream().anyMatch(one -> one.contains(EventKind.LOCK_WAIT)) ? 1 : 0;
        }
        assertThat(named).isGreaterThanOrEqualTo(5);
    }

    @Test
    void of_two_causes_at_once_nothing_else_is_named() {
        int right = 0;
        int pairs = 0;
        for (Injected one : Injected.values()) {
            for (Injected other : Injected.values()) {
                if (one.compareTo(other) >= 0 || (!Replications.areWhole() && other != PARTNER)) {
                    continue;
                }
                List<Set<EventKind>> named = named(EnumSet.of(one, other), false, PAIR_RUNS);
                write(one.kind.words() + " and " + other.kind.words(), named);
                assertThat(named).allMatch(Set.of(one.kind, other.kind)::containsAll);
                right += (int) named.stream().filter(kinds -> !kinds.isEmpty()).count();
                pairs++;
            }
        }
        assertThat(right).isGreaterThanOrEqualTo((int) (0.95 * pairs * PAIR_RUNS));
    }

    @Test
    void of_coinciding_kinds_the_outermost_is_the_cause_and_the_others_are_listed() {
        SimulatedCauses.Seen seen = new SimulatedCauses(1, SECONDS, EnumSet.of(Injected.FULL_GC), false).seen();
        List<Event> events = new ArrayList<>(seen.watched().get(0).events());
        for (Event one : seen.watched().get(0).events()) {
            if (one.kind() == EventKind.FULL_COLLECTION) { // which used up what the container may have
                events.add(new Event(EventKind.THROTTLED, one.startNanos(), one.lengthNanos(), ""));
            }
        }
        WatchResult all = new WatchResult("jvm:1", events, 0, SECONDS * 1_000_000_000L, 0, List.of());
        assertThat(explained(seen.result(), List.of(all)).get(0).causes())
                .singleElement()
                .satisfies(cause -> {
                    assertThat(cause.kind()).isEqualTo(EventKind.THROTTLED);
                    assertThat(cause.together()).containsExactly(EventKind.FULL_COLLECTION, EventKind.SAFEPOINT);
                });
    }

    @Test
    void events_that_have_nothing_to_do_with_slow_requests_are_hardly_ever_a_cause() {
        int claims = 0;
        for (Injected injected : Injected.values()) {
            List<Set<EventKind>> named = named(EnumSet.of(injected), true, RUNS);
            write(injected.kind.words() + ", elsewhere", named);
            claims += (int) named.stream().filter(kinds -> !kinds.isEmpty()).count();
        }
        assertThat(claims).isLessThanOrEqualTo(Math.max(1, 3 * 10 * RUNS / 100));
    }

    @Test
    void a_known_cause_needs_less_evidence_in_an_incident() {
        SimulatedCauses.Seen seen = new SimulatedCauses(1, SECONDS, EnumSet.of(Injected.LOCK), false).seen();
        long end = SECONDS * 1_000_000_000L;
        List<Suspect> suspects = Suspect.of(seen.watched(), 0, end);
        Suspect lock = suspects.stream()
                .filter(one -> one.events().get(0).detail().equals("Cache in Cache.get"))
                .findFirst()
                .orElseThrow();
        Event held = lock.events().get(0);
        List<KeptRequest> hit = seen.result().kept().slowest().stream()
                .filter(one -> one.completedNanos() > held.startNanos() && one.dispatchedNanos() < held.endNanos())
                .filter(one -> one.responseNanos() > 40_000_000)
                .toList();
        SlowRequests slow = SlowRequests.of(hit, seen.result().kept().slowest(), 40_000_000, 2_000_000);
        int more = 10_000; // than any one of so many questions could prove
        CauseFinder alone = new CauseFinder(slow, List.of(), LoadLevels.even(0, end));
        alone.test(suspects, more, Set.of());
        assertThat(alone.causes()).isEmpty();
        assertThat(alone.notes("the time beyond p99"))
                .anyMatch(note -> note.startsWith("lock waits coincide with")
                        && note.contains(" % of the time beyond p99. Unrelated"));
        CauseFinder known = new CauseFinder(slow, List.of(), LoadLevels.even(0, end));
        known.test(suspects, more, Set.of(lock));
        assertThat(known.causes()).extracting(EventCause::kind).containsExactly(EventKind.LOCK_WAIT);
    }

    @Test
    void a_cause_is_named_also_where_slow_requests_take_most_of_the_time_of_all() {
        for (long seed = 0; seed < 4; seed++) {
            SimulatedCauses.Seen seen = new SimulatedCauses(seed, 10, EnumSet.of(Injected.BACKEND), false).seen();
            assertThat(kinds(explained(seen.result(), seen.watched()).get(0)))
                    .as("seed %d", seed)
                    .containsExactly(EventKind.SOCKET_READ);
        }
    }

    @Test
    void events_lasting_nearly_the_whole_run_are_no_cause() {
        long ms = 1_000_000;
        List<KeptRequest> slow = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long at = i * 50L * ms;
            if (i < 100 || i > 104) {
                slow.add(new KeptRequest(i, 0, at, at, at, at + 40 * ms, at + 40 * ms, 0, 0, true));
            }
        }
        Event before = new Event(EventKind.PROCESSOR_WAIT, 0, 5_000 * ms, "");
        Event after = new Event(EventKind.PROCESSOR_WAIT, 5_250 * ms, 4_750 * ms, "");
        WatchResult watched = new WatchResult("pid:1", List.of(before, after), 0, 10_000 * ms, 0, List.of());
        CauseFinder trial = new CauseFinder(
                SlowRequests.of(slow, slow, 20 * ms, 2 * ms), List.of(), LoadLevels.even(0, 10_000 * ms));
        trial.test(Suspect.of(List.of(watched), 0, 10_000 * ms), 1, Set.of());
        assertThat(trial.causes()).isEmpty();
        assertThat(trial.unexplained()).isEqualTo(1);
    }
}
