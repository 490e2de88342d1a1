package dev.downbeat.run.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.run.agenda.DueRequests.Agenda;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several generators share one plan: together they want what one would. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AgendaTest {
    private static final long SECOND = 1_000_000_000L;

    private static RunPlan.Builder lasting(Workload workload) {
        return RunPlan.builder(workload).duration(Duration.ofSeconds(10));
    }

    private static long planned(RunPlan plan, int shares) {
        long planned = 0;
        for (int share = 0; share < shares; share++) {
            planned += DueRequests.agenda(plan, share, shares).plannedBefore(10 * SECOND);
        }
        return planned;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void shares_add_up_to_the_whole_with_and_without_a_number_of_requests(int shares) {
        Workload open = new Workload.Open(new Poisson(Rate.perSecond(300), 5));
        assertThat(planned(lasting(open).build(), shares))
                .isEqualTo(planned(lasting(open).build(), 1))
                .isPositive();
        assertThat(planned(lasting(open).maxRequests(100).build(), shares)).isEqualTo(100);
    }

    @Test
    void a_stop_after_the_load_has_ended_does_not_make_the_drain_longer() {
        RunPlan plan = lasting(new Workload.Open(new Constant(Rate.perSecond(1))))
                .drain(Duration.ofSeconds(3))
                .build();
        DueRequests late = new DueRequests(plan, 0, 0);
        late.startsAt(0);
        late.stop(12 * SECOND, false);
        assertThat(late.isDrained(13 * SECOND - 1)).isFalse();
        assertThat(late.isDrained(13 * SECOND)).isTrue();
        DueRequests early = new DueRequests(plan, 0, 0);
        early.startsAt(0);
        early.stop(4 * SECOND, false);
        assertThat(early.isDrained(7 * SECOND - 1)).isFalse();
        early.stop(5 * SECOND, true);
        assertThat(early.isDrained(6 * SECOND)).isTrue();
    }

    /** As the generators are dealt whole sessions, one of them may have more than another. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7})
    void a_number_of_requests_is_that_of_the_first_sessions_however_many_share_them(int shares) {
        Workload sessions =
                new Workload.PartlyOpen(new Constant(Rate.perSecond(1)), 10, new ThinkTime.Constant(SECOND / 10));
        for (RunPlan plan : List.of(
                lasting(sessions).maxRequests(95).build(),
                RunPlan.builder(sessions).maxRequests(95).build())) {
            Set<Long> indexes = new TreeSet<>();
            for (int share = 0; share < shares; share++) {
                Agenda agenda = DueRequests.agenda(plan, share, shares);
                Exchange exchange = new Exchange(0);
                while (agenda.nextNanos() != Agenda.NONE) {
                    long nanos = agenda.take(exchange);
                    assertThat(exchange.index).isEqualTo(10 * exchange.session + exchange.step);
                    assertThat(indexes.add(exchange.index)).isTrue();
                    agenda.ended(exchange, nanos);
                }
                assertThat(agenda.plannedBefore(60 * SECOND)).isEqualTo(agenda.taken());
                assertThat(agenda.backlogAt(60 * SECOND)).isZero();
            }
            assertThat(indexes)
                    .containsExactlyElementsOf(LongStream.range(0, 95).boxed().toList());
        }
    }

    /** A client repeats its script; each time is a session of its own. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void sessions_of_clients_are_numbered_round_by_round_over_all_shares(int shares) {
        ThinkTime pause = new ThinkTime.Constant(SECOND / 10);
        RunPlan plan = lasting(new Workload.Closed(5, new ThinkTime.ByStep(List.of(pause, pause, pause))))
                .build();
        for (int share = 0; share < shares; share++) {
            Agenda agenda = DueRequests.agenda(plan, share, shares);
            Exchange exchange = new Exchange(0);
            long[] taken = new long[5];
            while (agenda.nextNanos() < 2 * SECOND) {
                long nanos = agenda.take(exchange);
                int client = share + exchange.client * shares;
                assertThat(exchange.step).isEqualTo((int) (taken[client] % 3));
                assertThat(exchange.session).isEqualTo(client + 5 * (taken[client] / 3));
                taken[client]++;
                agenda.ended(exchange, nanos);
            }
            for (int client = 0; client < 5; client++) {
                assertThat(taken[client]).isEqualTo(client % shares == share ? 20 : 0);
            }
        }
    }

    /** A script of three requests, and data for ten sessions. */
    @Test
    void clients_use_every_number_of_a_session_although_one_waits_for_its_first_answer() {
        ThinkTime script = new ThinkTime.ByStep(List.of(ThinkTime.none(), ThinkTime.none(), ThinkTime.none()));
        RunPlan plan =
                RunPlan.builder(new Workload.Closed(3, script)).maxRequests(30).build();
        Agenda agenda = DueRequests.agenda(plan, 0, 1);
        Exchange slow = new Exchange(0);
        agenda.take(slow);
        Set<Long> sessions = new TreeSet<>();
        Set<Long> indexes = new TreeSet<>();
        Exchange exchange = new Exchange(1);
        while (agenda.nextNanos() != Agenda.NONE) {
            long nanos = agenda.take(exchange);
            sessions.add(exchange.session);
            indexes.add(exchange.index);
            agenda.ended(exchange, nanos);
        }
        assertThat(agenda.taken()).isEqualTo(1 + 27);
        assertThat(sessions)
                .containsExactlyElementsOf(LongStream.range(1, 10).boxed().toList());
        assertThat(indexes).hasSize(27).doesNotContain(slow.index).allMatch(index -> index < 30);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void a_number_of_requests_is_divided_like_the_clients(int steps) {
        ThinkTime script = new ThinkTime.ByStep(Collections.nCopies(steps, new ThinkTime.Constant(1)));
        RunPlan plan = RunPlan.builder(new Workload.Closed(3, script))
                .maxRequests(1_000)
                .build();
        List<Long> taken = new ArrayList<>();
        for (int share = 0; share < 2; share++) {
            Agenda agenda = DueRequests.agenda(plan, share, 2);
            Exchange exchange = new Exchange(0);
            while (agenda.nextNanos() != Agenda.NONE) {
                agenda.ended(exchange, agenda.take(exchange));
            }
            taken.add(agenda.taken());
        }
        assertThat(taken.get(0) + taken.get(1)).isEqualTo(1_000);
        assertThat(taken.get(1)).isBetween(330L, 336L);
    }

    /** When a request of a session ends that was intended then. */
    private static long end(Exchange exchange, long intendedNanos) {
        return intendedNanos + exchange.index * 7919 % 1_000 * SECOND / 1_000;
    }

    /** All that one of several generators intends, by number; each is sent and ends in order of these times. */
    private static Map<Long, Long> intended(RunPlan plan, int share, int shares) {
        record Sent(Exchange exchange, long endNanos) {}
        Map<Long, Long> intended = new TreeMap<>();
        Agenda agenda = DueRequests.agenda(plan, share, shares);
        PriorityQueue<Sent> sent = new PriorityQueue<>(Comparator.comparingLong(Sent::endNanos));
        while (agenda.nextNanos() != Agenda.NONE || !sent.isEmpty()) {
            if (!sent.isEmpty() && sent.element().endNanos <= agenda.nextNanos()) {
                Sent first = sent.remove();
                agenda.ended(first.exchange, first.endNanos);
            } else {
                Exchange exchange = new Exchange(0);
                long nanos = agenda.take(exchange);
                assertThat(intended.put(exchange.index, nanos)).isNull();
                sent.add(new Sent(exchange, end(exchange, nanos)));
            }
        }
        assertThat(agenda.plannedBefore(60 * SECOND)).isEqualTo(agenda.taken()).isEqualTo(intended.size());
        return intended;
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void a_session_wants_its_next_request_a_pause_after_the_end_of_the_one_before_whoever_sends_it(long seed) {
        int requests = 1 + (int) (seed % 5);
        ThinkTime think = new ThinkTime.Exponential(seed % 3 * SECOND / 4, seed);
        Workload sessions = new Workload.PartlyOpen(new Poisson(Rate.perSecond(20), seed), requests, think);
        RunPlan.Builder builder = lasting(sessions);
        RunPlan plan = (seed % 2 == 0 ? builder : builder.maxRequests(301)).build();
        Map<Long, Long> whole = intended(plan, 0, 1);
        Exchange before = new Exchange(0);
        whole.forEach((index, nanos) -> {
            if (index % requests > 0) {
                before.index = index - 1;
                long endNanos = end(before, whole.getOrDefault(index - 1, 0L));
                assertThat(nanos).isEqualTo(endNanos + think.pauseNanos(index / requests, index % requests));
            }
        });
        Map<Long, Long> shared = new TreeMap<>();
        for (int share = 0; share < 3; share++) {
            shared.putAll(intended(plan, share, 3));
        }
        assertThat(shared).isEqualTo(whole).hasSizeGreaterThan(100);
    }

    /** Two are in flight, one thinks, and one has not begun. */
    @Test
    void nothing_follows_what_is_in_flight_or_was_never_sent() {
        Workload sessions =
                new Workload.PartlyOpen(new Constant(Rate.perSecond(1)), 3, new ThinkTime.Constant(SECOND / 2));
        Agenda agenda = DueRequests.agenda(lasting(sessions).build(), 0, 1);
        Exchange first = new Exchange(0);
        Exchange second = new Exchange(1);
        Exchange third = new Exchange(2);
        long firstNanos = agenda.take(first);
        agenda.take(second);
        long thirdNanos = agenda.take(third);
        agenda.ended(first, thirdNanos);
        List<Long> left = new ArrayList<>();
        agenda.abandonRest(firstNanos + 3 * SECOND + 1, new Exchange(3), left::add);
        assertThat(left).containsExactly(thirdNanos + SECOND / 2, firstNanos + 3 * SECOND);
        assertThat(agenda.plannedBefore(firstNanos + 3 * SECOND + 1)).isEqualTo(5);
    }

    /** By client, if each is answered at once. */
    private static Map<Integer, List<Long>> intendedByClient(Workload.Closed workload, int shares) {
        Map<Integer, List<Long>> intended = new TreeMap<>();
        for (int share = 0; share < shares; share++) {
            Agenda agenda = DueRequests.agenda(lasting(workload).build(), share, shares);
            Exchange exchange = new Exchange(0);
            while (agenda.nextNanos() < 5 * SECOND) {
                long nanos = agenda.take(exchange);
                intended.computeIfAbsent(share + exchange.client * shares, first -> new ArrayList<>())
                        .add(nanos);
                agenda.ended(exchange, nanos);
            }
        }
        return intended;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7})
    void a_client_thinks_as_long_whichever_generator_it_belongs_to(int shares) {
        Workload.Closed clients = new Workload.Closed(7, new ThinkTime.Exponential(SECOND / 5, 3));
        Map<Integer, List<Long>> whole = intendedByClient(clients, 1);
        assertThat(whole).hasSize(7);
        assertThat(whole.get(1)).isNotEqualTo(whole.get(2));
        assertThat(intendedByClient(clients, shares)).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void every_request_is_taken_or_left_and_none_twice(int shares) {
        Workload sessions =
                new Workload.PartlyOpen(new Poisson(Rate.perSecond(40), 3), 3, new ThinkTime.Exponential(SECOND, 9));
        Workload closed = new Workload.Closed(20, new ThinkTime.Constant(SECOND / 3));
        for (RunPlan plan : List.of(
                lasting(sessions).build(),
                lasting(sessions).maxRequests(150).build(),
                lasting(closed).build(),
                lasting(closed).maxRequests(33).build())) {
            for (int share = 0; share < shares; share++) {
                Agenda agenda = DueRequests.agenda(plan, share, shares);
                Exchange exchange = new Exchange(0);
                long taken = 0;
                while (agenda.nextNanos() < 5 * SECOND) {
                    long nanos = agenda.take(exchange);
                    agenda.ended(exchange, nanos + SECOND / 50);
                    taken++;
                }
                assertThat(agenda.backlogAt(5 * SECOND)).isNotNegative();
                List<Long> left = new ArrayList<>();
                agenda.abandonRest(10 * SECOND, new Exchange(0), left::add);
                assertThat(agenda.plannedBefore(10 * SECOND)).isEqualTo(taken + left.size());
                assertThat(agenda.taken()).isEqualTo(taken + left.size());
            }
        }
    }
}
