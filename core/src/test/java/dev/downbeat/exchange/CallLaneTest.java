package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Part;
import dev.downbeat.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CallLaneTest {
    private static final Outcome BROKEN = Outcome.failed("broken");

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 500); // instants go round
    private final List<Call> started = new ArrayList<>();
    private final List<Exchange> told = new ArrayList<>();
    private final CallLane lane = lane(4, started::add);

    private CallLane lane(int capacity, CallClient client) {
        return new CallLane(capacity, clock, told::add, client, clock::advanceNanos);
    }

    private Exchange exchange(int slot) {
        Exchange exchange = new Exchange(slot);
        long now = clock.nanoTime();
        exchange.index = 100L + slot;
        exchange.begin(now - 30, now - 20, now);
        return exchange;
    }

    private Exchange sent(int slot) {
        Exchange exchange = exchange(slot);
        lane.send(exchange);
        return exchange;
    }

    @Test
    void a_listener_that_throws_takes_no_other_end_with_it() {
        List<Exchange> heard = new ArrayList<>();
        Exchange.Listener breaks = exchange -> {
            heard.add(exchange);
            if (heard.size() == 1) {
                throw new IllegalStateException("broken");
            }
        };
        CallLane broken = new CallLane(4, clock, breaks, started::add, clock::advanceNanos);
        Exchange first = exchange(0);
        Exchange second = exchange(1);
        broken.send(first);
        broken.send(second);
        started.forEach(call -> call.complete(BROKEN));

        assertThatThrownBy(() -> broken.poll(clock.nanoTime())).hasMessage("broken");
        broken.end();

        assertThat(heard).containsExactly(first, second);
    }

    @Test
    void an_end_is_stamped_when_it_happens_and_reported_by_the_next_poll() {
        Exchange exchange = sent(2);
        long startedAt = clock.nanoTime();
        clock.advanceNanos(1_000);
        assertThat(started.get(0).complete(BROKEN)).isTrue();
        clock.advanceNanos(5_000);
        assertThat(told).isEmpty();

        lane.poll(clock.nanoTime() + 9_999);

        assertThat(told).containsExactly(exchange);
        assertThat(exchange.completedAt - startedAt).isEqualTo(1_000);
        assertThat(exchange.outcome).isSameAs(BROKEN);
        assertThat(clock.nanoTime() - startedAt).isEqualTo(6_000);
    }

    @Test
    void a_request_without_a_connection_was_not_sent_however_it_ends() {
        Exchange refused = sent(0);
        Exchange late = sent(1);
        Exchange left = sent(2);
        Exchange flying = sent(3);
        started.forEach(call -> call.unconnected(true));
        started.get(0).complete(BROKEN);
        lane.poll(clock.nanoTime());
        assertThat(lane.abandonUnlessEnded(late)).isTrue();
        lane.abandon(left);
        lane.end();
        assertThat(List.of(refused, late, left, flying)).allMatch(exchange -> exchange.unconnected);
    }

    @Test
    void a_request_with_a_connection_was_sent() {
        Exchange answered = sent(0);
        Exchange late = sent(1);
        Exchange flying = sent(2);
        started.forEach(call -> call.unconnected(true));
        started.forEach(call -> call.unconnected(false));
        started.get(0).complete(Outcome.answered());
        lane.poll(clock.nanoTime());
        lane.abandon(late);
        lane.end();
        assertThat(List.of(answered, late, flying)).noneMatch(exchange -> exchange.unconnected);
    }

    /** At most until its deadline, since a request that timed out lasted as long. */
    @Test
    void a_call_that_still_waits_for_a_connection_when_it_is_abandoned_had_no_service_time() {
        Exchange due = exchange(0);
        due.deadlineAt = due.startedAt + 900;
        lane.send(due);
        List<Exchange> all = List.of(due, sent(1), sent(2), sent(3));
        started.forEach(call -> call.waits(true));
        started.get(3).waits(false);
        long startedAt = all.get(3).startedAt;
        clock.advanceNanos(1_000);
        long nowAt = clock.nanoTime();
        lane.abandon(all.get(0));
        assertThat(lane.abandonUnlessEnded(all.get(1))).isTrue();
        lane.end();
        assertThat(all)
                .extracting(exchange -> exchange.startedAt)
                .containsExactly(nowAt - 100, nowAt, nowAt, startedAt);
    }

    @Test
    void a_call_knows_its_request() {
        Exchange exchange = sent(3);
        Call call = started.get(0);
        assertThat(call.index()).isEqualTo(103);
        assertThat(call.intendedAt()).isEqualTo(exchange.intendedAt);
        assertThat(call.startedAt()).isEqualTo(exchange.startedAt);
        assertThat(call.now()).isEqualTo(clock.nanoTime());
    }

    @Test
    void ends_are_reported_in_order() {
        Exchange first = sent(0);
        Exchange second = sent(1);
        Exchange third = sent(2);
        started.get(1).complete(Outcome.answered());
        started.get(2).complete(Outcome.answered());
        started.get(0).complete(Outcome.answered());
        lane.poll(clock.nanoTime());
        assertThat(told).containsExactly(second, third, first);
    }

    @Test
    void the_first_end_counts() {
        Exchange exchange = sent(0);
        Call call = started.get(0);
        assertThat(call.complete(BROKEN)).isTrue();
        assertThat(call.complete(Outcome.answered())).isFalse();
        assertThat(call.isOver()).isTrue();
        lane.poll(clock.nanoTime());
        lane.poll(clock.nanoTime());
        assertThat(told).containsExactly(exchange);
        assertThat(exchange.outcome).isSameAs(BROKEN);
    }

    @Test
    void an_end_after_the_giving_up_is_dropped_also_if_the_slot_is_in_use_again() {
        Exchange exchange = sent(0);
        AtomicInteger cancelled = new AtomicInteger();
        Call late = started.get(0);
        late.onAbandon(cancelled::incrementAndGet);
        lane.abandon(exchange);
        assertThat(cancelled).hasValue(1);
        assertThat(late.complete(Outcome.answered())).isFalse();
        exchange.begin(clock.nanoTime(), clock.nanoTime(), clock.nanoTime());
        lane.send(exchange);
        lane.poll(clock.nanoTime());
        assertThat(told).isEmpty();
        started.get(1).complete(BROKEN);
        lane.poll(clock.nanoTime());
        assertThat(told).containsExactly(exchange);
        assertThat(exchange.outcome).isSameAs(BROKEN);
    }

    @Test
    void an_end_that_is_on_its_way_when_the_call_is_abandoned_is_dropped_too() {
        Exchange exchange = sent(0);
        started.get(0).complete(Outcome.answered());
        lane.abandon(exchange);
        lane.poll(clock.nanoTime());
        assertThat(told).isEmpty();
    }

    @Test
    void a_call_that_has_ended_is_reported_not_abandoned() {
        Exchange ended = sent(0);
        Exchange open = sent(1);
        started.get(0).complete(BROKEN);
        assertThat(lane.abandonUnlessEnded(ended)).isFalse();
        assertThat(lane.abandonUnlessEnded(open)).isTrue();
        assertThat(started.get(1).complete(BROKEN)).isFalse();
        lane.poll(clock.nanoTime());
        assertThat(told).containsExactly(ended);
        assertThat(sent(1)).isNotNull(); // its slot is free
    }

    @Test
    void an_end_after_the_deadline_is_ignored_noticed_or_not() {
        Exchange exchange = exchange(0);
        exchange.deadlineAt = clock.nanoTime() + 1_000;
        lane.send(exchange);
        lane.send(exchange(1));
        AtomicInteger cancelled = new AtomicInteger();
        started.get(0).onAbandon(cancelled::incrementAndGet);
        clock.advanceNanos(1_001);
        assertThat(started.get(0).complete(Outcome.answered())).isFalse();
        assertThat(started.get(0).isOver()).isTrue();
        assertThat(started.get(1).complete(Outcome.answered())).isTrue();
        assertThat(lane.abandonUnlessEnded(exchange)).isTrue();
        assertThat(cancelled).hasValue(0); // its client may be at the next request
    }

    @Test
    void at_the_end_only_finished_calls_are_reported() {
        Exchange ended = sent(0);
        sent(1);
        started.get(0).complete(BROKEN);
        lane.end();
        assertThat(told).containsExactly(ended);
        assertThat(started.get(1).complete(BROKEN)).isFalse();
    }

    /** A lane whose nap is what a thread of the client does meanwhile. */
    private CallLane turning(LongUnaryOperator sleepsUntil, Runnable meanwhile) {
        Exchange.Listener listener = new Exchange.Listener() {
            @Override
            public void completed(Exchange exchange) {
                told.add(exchange);
            }

            @Override
            public long sleepsUntil(long untilAt) {
                return sleepsUntil.applyAsLong(untilAt);
            }
        };
        return new CallLane(2, clock, listener, started::add, nanos -> {
            meanwhile.run();
            clock.advanceNanos(Math.min(nanos, 1_000));
        });
    }

    @ParameterizedTest(name = "sleeps {0} ns longer")
    @ValueSource(longs = {0, 5_000, -1})
    void a_free_thread_reports_the_end_while_the_generator_sleeps(long longer) {
        CallLane turning = turning(untilAt -> untilAt + longer, () -> {
            if (started.get(0).completeBeforeTurn(BROKEN)) {
                assertThat(told).isEmpty();
                started.get(0).turn();
                assertThat(told).hasSize(1);
            }
        });
        turning.send(exchange(0));
        long beginAt = clock.nanoTime();
        turning.poll(beginAt + 10_000);
        assertThat(told).hasSize(1);
        assertThat(clock.nanoTime() - beginAt).isEqualTo(longer < 0 ? 1_000 : 10_000 + longer);
    }

    @ParameterizedTest(name = "{0} ns too late")
    @ValueSource(longs = {200_000, 200_001})
    void a_turn_long_after_its_time_is_the_generators_which_measures_the_pause(long lateNanos) {
        List<Integer> reported = new ArrayList<>();
        CallLane turning = turning(untilAt -> untilAt - 1, () -> {
            clock.advanceNanos(10_000 + lateNanos);
            started.get(0).completeBeforeTurn(BROKEN);
            started.get(0).turn();
            reported.add(told.size());
        });
        turning.send(exchange(0));
        turning.poll(clock.nanoTime() + 10_000);
        assertThat(reported).containsExactly(lateNanos > 200_000 ? 0 : 1);
        assertThat(told).hasSize(1);
    }

    @Test
    void the_thread_that_stands_by_does_the_turn_when_it_is_due() {
        List<Long> turns = new ArrayList<>();
        List<Long> waits = new ArrayList<>();
        long beginAt = clock.nanoTime();
        CallLane turning = turning(
                untilAt -> {
                    turns.add(clock.nanoTime() - beginAt);
                    return turns.size() == 1 ? untilAt + 90_000 : untilAt - 1;
                },
                () -> waits.add(started.get(0).standBy()));
        turning.send(exchange(0));
        turning.poll(beginAt + 70_000);
        assertThat(turns).containsExactly(70_000L, 160_000L);
        assertThat(waits).startsWith(10_000L, 9_000L).endsWith(0L);
        assertThat(clock.nanoTime() - beginAt).isEqualTo(161_000);
        assertThat(told).isEmpty();
    }

    @Test
    void an_end_during_the_turn_of_the_thread_that_stands_by_is_reported_by_it() {
        Thread other = new Thread(() -> {
            started.get(0).completeBeforeTurn(BROKEN);
            started.get(0).turn(); // which is taken
        });
        AtomicInteger turns = new AtomicInteger();
        List<Integer> reported = new ArrayList<>();
        CallLane turning = turning(
                untilAt -> {
                    if (turns.incrementAndGet() == 1) {
                        other.start();
                        assertThatCode(other::join).doesNotThrowAnyException();
                    }
                    return turns.get() == 1 ? untilAt + 90_000 : untilAt - 1;
                },
                () -> {
                    started.get(0).standBy();
                    reported.add(told.size());
                });
        turning.send(exchange(0));
        turning.poll(clock.nanoTime() + 1_000);
        assertThat(turns).hasValue(2);
        assertThat(reported).containsExactly(0, 1);
    }

    @Test
    void the_generator_does_the_turn_of_a_thread_that_stands_by_too_long() {
        CallLane turning = turning(untilAt -> untilAt - 1, () -> {
            if (clock.nanoTime() - started.get(0).startedAt() < 50_000) {
                started.get(0).standBy();
            }
        });
        turning.send(exchange(0));
        turning.poll(started.get(0).startedAt() + 70_000);
        assertThat(clock.nanoTime() - started.get(0).startedAt()).isEqualTo(220_000);
    }

    @Test
    void a_thread_that_has_other_work_gives_the_next_turn_back() {
        CallLane turning = turning(untilAt -> untilAt - 1, () -> {
            started.get(0).standBy();
            if (clock.nanoTime() - started.get(0).startedAt() == 50_000) {
                assertThat(started.get(0).standDown(false)).isTrue();
                clock.advanceNanos(20_000);
            }
        });
        turning.send(exchange(0));
        turning.poll(started.get(0).startedAt() + 70_000);
        assertThat(clock.nanoTime() - started.get(0).startedAt()).isEqualTo(71_000);
    }

    @Test
    void one_thread_stands_by_and_none_for_a_generator_at_work() throws InterruptedException {
        List<Long> others = new ArrayList<>();
        Thread other = new Thread(() -> others.add(started.get(0).standBy()));
        CallLane turning = turning(untilAt -> untilAt - 1, () -> {
            if (others.isEmpty()) {
                assertThat(started.get(0).standBy()).isPositive().isLessThan(Long.MAX_VALUE);
                other.start();
                assertThatCode(other::join).doesNotThrowAnyException();
            }
        });
        turning.send(exchange(0));
        long first = started.get(0).standBy();
        assertThat(started.get(0).standBy()).isEqualTo(2 * first).isPositive();
        turning.poll(clock.nanoTime() + 100_000);
        assertThat(others).containsExactly(Long.MAX_VALUE);
    }

    @Test
    void no_client_thread_takes_the_turn_of_a_working_generator() {
        sent(0);
        started.get(0).completeBeforeTurn(BROKEN);
        started.get(0).turn();
        assertThat(told).isEmpty();
        lane.poll(clock.nanoTime());
        assertThat(told).hasSize(1);
    }

    @Test
    void an_exception_in_a_turn_breaks_the_poll() {
        CallLane broken = new CallLane(
                1,
                clock,
                exchange -> {
                    throw new IllegalStateException("no");
                },
                started::add,
                nanos -> {
                    started.get(0).completeBeforeTurn(BROKEN);
                    started.get(0).turn();
                });
        broken.send(exchange(0));
        assertThatThrownBy(() -> broken.poll(clock.nanoTime() + 1_000)).hasMessage("no");
    }

    @Test
    void time_with_every_slot_in_use_is_idle_until_a_turn_and_after_it() {
        CallLane turning = turning(untilAt -> untilAt, () -> {
            clock.advanceNanos(2_000);
            Call last = started.get(started.size() - 1);
            if (last.completeBeforeTurn(BROKEN)) {
                clock.advanceNanos(500); // ours
                last.turn();
            }
        });
        turning.send(exchange(0));
        turning.send(exchange(1));
        turning.poll(clock.nanoTime() + 9_000);
        assertThat(turning.idleWhenFullNanos()).isEqualTo(2_000);
    }

    @Test
    void what_to_do_on_giving_up_is_done_once_also_if_it_is_said_too_late() {
        AtomicInteger cancelled = new AtomicInteger();
        Exchange exchange = sent(0);
        lane.abandon(exchange);
        started.get(0).onAbandon(cancelled::incrementAndGet);
        assertThat(cancelled).hasValue(1);
    }

    @Test
    void calls_that_are_out_when_the_lane_closes_are_abandoned() {
        AtomicInteger cancelled = new AtomicInteger();
        sent(0);
        started.get(0).onAbandon(cancelled::incrementAndGet);
        lane.close();
        assertThat(cancelled).hasValue(1);
        assertThat(told).isEmpty();
    }

    @Test
    void an_exception_at_the_start_is_a_failure_reported_by_the_next_poll() {
        CallLane refusing = lane(1, call -> {
            throw new IllegalStateException("no");
        });
        refusing.send(exchange(0));
        refusing.poll(clock.nanoTime());
        assertThat(told).hasSize(1);
        assertThat(told.get(0).outcome.reason()).isEqualTo("IllegalStateException");
    }

    @Test
    void a_poll_without_ends_returns_at_its_time() {
        sent(0);
        long until = clock.nanoTime() + 123_456;
        lane.poll(until);
        assertThat(clock.nanoTime()).isEqualTo(until);
        lane.poll(until - 5);
        assertThat(clock.nanoTime()).isEqualTo(until);
    }

    @Test
    void a_wait_in_the_client_is_backlog_wait_and_not_service_time() {
        Exchange exchange = sent(0);
        Call call = started.get(0);
        long startedAt = call.startedAt();
        clock.advanceNanos(10_000);
        call.waited(4_000);
        call.lookup(100);
        call.connected(200);
        call.handshake(300);
        call.firstByteAt(startedAt + 9_000);
        call.position(7);
        call.complete(Outcome.answered());
        lane.poll(clock.nanoTime());

        assertThat(exchange.backlogWaitNanos()).isEqualTo(4_020);
        assertThat(exchange.serviceNanos()).isEqualTo(6_000);
        assertThat(exchange.responseNanos()).isEqualTo(10_030);
        assertThat(exchange.position).isEqualTo(7);
        assertThat(Part.FIRST_BYTE.nanosOf(exchange)).isEqualTo(4_400);
        assertThat(Part.READING.nanosOf(exchange)).isEqualTo(1_000);
    }

    @Test
    void until_a_thread_takes_it_up_a_call_waits_for_us_and_for_a_slot_only_if_there_was_none_left() {
        Exchange first = sent(0);
        Exchange last = first;
        for (int slot = 1; slot < lane.capacity(); slot++) {
            last = sent(slot);
        }
        clock.advanceNanos(4_000);
        for (Call call : started) {
            call.workStarted();
        }
        clock.advanceNanos(6_000);
        for (Call call : started) {
            call.complete(Outcome.answered());
        }
        lane.poll(clock.nanoTime());
        assertThat(first.serviceNanos()).isEqualTo(6_000);
        assertThat(last.serviceNanos()).isEqualTo(6_000);
        assertThat(first.latenessNanos() - last.latenessNanos()).isEqualTo(4_000);
        assertThat(last.backlogWaitNanos() - first.backlogWaitNanos()).isEqualTo(4_000);
        assertThat(first.responseNanos()).isEqualTo(10_030);
    }

    @Test
    void time_with_nothing_to_answer_is_in_no_time_that_is_recorded() {
        Exchange exchange = sent(0);
        clock.advanceNanos(10_000);
        started.get(0).idle(9_000);
        started.get(0).complete(Outcome.answered());
        lane.poll(clock.nanoTime());
        assertThat(exchange.serviceNanos()).isEqualTo(1_000);
        assertThat(exchange.responseNanos()).isEqualTo(1_030);
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_parts_add_up_whatever_a_client_reports(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Exchange exchange = sent(0);
        Call call = started.get(0);
        clock.advanceNanos(random.nextLong(1_000));
        if (random.nextBoolean()) {
            call.workStarted();
        }
        call.waited(random.nextLong(-100, 600));
        call.lookup(random.nextLong(-100, 600));
        call.connected(random.nextLong(-100, 600));
        call.handshake(random.nextLong(-100, 600));
        call.idle(random.nextLong(-100, 600));
        if (random.nextBoolean()) {
            call.firstByteAt(call.startedAt() + random.nextLong(-100, 1_200));
        }
        call.completeAt(Outcome.answered(), clock.nanoTime() - random.nextLong(200));
        lane.poll(clock.nanoTime());
        long sum = 0;
        for (Part part : Part.values()) {
            assertThat(part.nanosOf(exchange)).as(part.words()).isNotNegative();
            sum += part.nanosOf(exchange);
        }
        assertThat(sum).isEqualTo(exchange.responseNanos());
    }

    @Test
    void idle_with_every_slot_in_use_lasts_until_the_first_end() {
        CallLane full = new CallLane(1, clock, told::add, started::add, nanos -> {
            clock.advanceNanos(2_000);
            started.get(started.size() - 1).complete(Outcome.answered());
            clock.advanceNanos(700); // we wake up late: this is ours
        });
        full.send(exchange(0));
        full.poll(clock.nanoTime() + 1_000_000);
        assertThat(told).hasSize(1);
        assertThat(full.idleWhenFullNanos()).isEqualTo(2_000);
        full.send(exchange(0));
        full.poll(clock.nanoTime() + 1_000_000);
        assertThat(full.idleWhenFullNanos()).as("in use again").isEqualTo(4_000);
        Exchange abandoned = exchange(0);
        full.send(abandoned);
        full.abandon(abandoned);
        full.poll(clock.nanoTime());
        assertThat(full.idleWhenFullNanos()).as("free").isEqualTo(4_000);
        full.send(abandoned);
        assertThat(full.abandonUnlessEnded(abandoned)).isTrue();
        full.send(exchange(0));
        full.poll(clock.nanoTime() + 1_000_000);
        assertThat(full.idleWhenFullNanos()).isEqualTo(6_000);
    }

    @Test
    void a_lane_needs_a_slot() {
        assertThatThrownBy(() -> lane(0, started::add))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity must be at least 1, but was 0");
    }

    @Test
    void a_call_without_a_lane_tells_of_its_end_and_has_no_turn() {
        Exchange exchange = exchange(3);
        exchange.client = 9;
        List<Call> ended = new ArrayList<>();
        Call alone = Call.alone(clock, exchange, ended::add);
        assertThat(alone.client()).isEqualTo(9);
        assertThat(alone.standBy()).isEqualTo(Long.MAX_VALUE);
        assertThat(alone.standDown(true)).isFalse();
        assertThat(alone.isOver()).isFalse();
        assertThat(alone.completeBeforeTurn(BROKEN)).isTrue();
        alone.turn();
        assertThat(ended).containsExactly(alone);
        alone.fill(exchange);
        assertThat(exchange.outcome).isSameAs(BROKEN);
    }

    @Test
    void counts_of_two_lanes_are_added_by_name() {
        TargetCounts one = new TargetCounts(Map.of("operations", 10L, "attempts", 15L));
        TargetCounts other = new TargetCounts(Map.of("operations", 10L, "attempts", 10L, "lost", 1L));
        TargetCounts sum = one.plus(other);
        assertThat(sum.byName())
                .containsExactly(Map.entry("attempts", 25L), Map.entry("lost", 1L), Map.entry("operations", 20L));
        assertThat(sum.amplification()).hasValue(1.25);
        assertThat(TargetCounts.NONE.amplification()).isEmpty();
        assertThatThrownBy(() -> new TargetCounts(Map.of("lost", -1L)))
                .hasMessage("lost must be at least 0, but was -1");
    }
}
