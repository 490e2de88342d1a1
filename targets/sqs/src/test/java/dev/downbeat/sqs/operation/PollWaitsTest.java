package dev.downbeat.sqs.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Two polls hold the connections, and a third receive finds none: whose limit that was. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PollWaitsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Outcome SLOW = Outcome.failed("no connection");
    private static final Outcome OURS = SqsFailures.CONNECTIONS_WAIT;

    private final ManualClock clock = new ManualClock(0);
    private final List<Call> calls = new ArrayList<>();
    private final Map<Long, String> ended = new TreeMap<>();
    private final CallLane lane = new CallLane(
            8,
            clock,
            one -> ended.put(one.index, one.outcome.reason() + " after " + one.responseNanos() / SECOND),
            calls::add);
    private final PollWaits waits = new PollWaits(Duration.ofSeconds(20));

    private Call start(PollWaits polls, int index) {
        Exchange exchange = new Exchange(index);
        exchange.index = index;
        exchange.begin(clock.nanoTime(), clock.nanoTime(), clock.nanoTime());
        exchange.deadlineAt = 1_000 * SECOND;
        lane.send(exchange);
        Call call = calls.get(calls.size() - 1);
        polls.started(call);
        return call;
    }

    private Call start(int index) {
        return start(waits, index);
    }

    private void unserved(Call call) {
        waits.unserved(call, SLOW).ifPresent(call::complete);
        lane.poll(clock.nanoTime());
    }

    private void answered(Call call, boolean isIdle) {
        waits.ended(call, isIdle);
        lane.poll(clock.nanoTime());
    }

    @Test
    void a_poll_that_ended_idle_during_the_wait_says_so_at_once() {
        Call first = start(0);
        start(1);
        Call third = start(2);
        clock.moveTo(8 * SECOND);
        answered(first, true);
        clock.moveTo(10 * SECOND);
        unserved(third);
        assertThat(ended).isEqualTo(Map.of(2L, OURS.reason() + " after 10"));
    }

    @Test
    void after_filled_polls_the_answer_waits_for_those_that_are_out() {
        answered(start(0), false);
        answered(start(1), false);
        Call fourth = start(2);
        Call fifth = start(3);
        Call sixth = start(4);
        clock.moveTo(10 * SECOND);
        unserved(sixth);
        answered(fourth, false);
        assertThat(ended).isEmpty();
        clock.moveTo(20 * SECOND);
        answered(fifth, true);
        assertThat(ended).as("at the time when it failed").isEqualTo(Map.of(4L, OURS.reason() + " after 10"));
    }

    @Test
    void if_none_of_the_older_polls_was_idle_the_service_was_slow() {
        Call first = start(0);
        Call second = start(1);
        Call third = start(2);
        clock.moveTo(10 * SECOND);
        unserved(third);
        Call later = start(3);
        answered(first, false);
        assertThat(ended).isEmpty();
        answered(second, false);
        assertThat(ended).isEqualTo(Map.of(2L, SLOW.reason() + " after 10"));
        answered(later, true);
        assertThat(ended).hasSize(1);
    }

    @Test
    void an_idle_poll_before_the_wait_proves_nothing() {
        answered(start(0), true);
        clock.moveTo(SECOND);
        Call second = start(1);
        Call third = start(2);
        clock.moveTo(11 * SECOND);
        unserved(third);
        answered(second, false);
        assertThat(ended).isEqualTo(Map.of(2L, SLOW.reason() + " after 10"));
    }

    @Test
    void a_service_that_answers_no_poll_within_its_wait_is_slow() {
        start(0);
        Call second = start(1);
        clock.moveTo(10 * SECOND);
        unserved(second);
        Call third = start(2);
        assertThat(ended).isEmpty();
        clock.moveTo(22 * SECOND);
        unserved(third);
        assertThat(ended).isEqualTo(Map.of(1L, SLOW.reason() + " after 10", 2L, SLOW.reason() + " after 12"));
    }

    @Test
    void polls_that_do_not_wait_hold_connections_only_if_the_service_is_slow() {
        PollWaits none = new PollWaits(Duration.ZERO);
        start(none, 0);
        assertThat(none.unserved(start(none, 1), SLOW)).hasValue(SLOW);
    }
}
