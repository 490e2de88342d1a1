package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import dev.downbeat.time.ManualClock;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeliveriesTest {
    private final ManualClock clock = new ManualClock(0);
    private final List<Call> calls = new ArrayList<>();
    private final List<Exchange> told = new ArrayList<>();
    private final CallLane lane = new CallLane(4, clock, told::add, calls::add);
    private final Deliveries deliveries = new Deliveries("r");

    @AfterEach
    void close() {
        deliveries.close();
    }

    private Deliveries.Delivery begin(int index) {
        Exchange exchange = new Exchange(index);
        exchange.index = index;
        exchange.begin(0, 0, 0);
        lane.send(exchange);
        return deliveries.begin(calls.get(calls.size() - 1), new CallObservation());
    }

    private long count(String name) {
        Map<String, Long> counts = new TreeMap<>();
        deliveries.count(counts);
        return counts.getOrDefault(name, -1L);
    }

    @Test
    void a_message_is_answered_when_it_has_arrived() {
        Deliveries.Delivery delivery = begin(0);
        assertThat(count("messages in flight")).isEqualTo(1);
        deliveries.sent(delivery);
        assertThat(count("messages not arrived")).isEqualTo(1);
        assertThat(Deliveries.arrive("r", 0, 900)).isTrue();
        clock.moveTo(5_000);
        lane.poll(5_000);
        assertThat(told).hasSize(1);
        assertThat(told.get(0).responseNanos()).isEqualTo(900);
        assertThat(count("messages delivered")).isEqualTo(1);
        assertThat(count("messages not arrived")).isZero();
    }

    @Test
    void a_message_may_arrive_before_its_send_is_answered() {
        Deliveries.Delivery delivery = begin(0);
        Deliveries.arrive("r", 0, 900);
        lane.poll(0);
        assertThat(told).isEmpty();
        deliveries.sent(delivery);
        lane.poll(0);
        assertThat(told.get(0).responseNanos()).isEqualTo(900);
    }

    @Test
    void a_second_arrival_is_a_duplicate() {
        deliveries.sent(begin(0));
        Deliveries.arrive("r", 0, 900);
        Deliveries.arrive("r", 0, 950);
        lane.poll(0);
        assertThat(told).hasSize(1);
        assertThat(count("messages delivered")).isEqualTo(1);
        assertThat(count("messages duplicated")).isEqualTo(1);
    }

    @Test
    void an_arrival_after_the_giving_up_is_late_and_not_lost() {
        Exchange exchange = new Exchange(1);
        exchange.index = 1;
        lane.send(exchange);
        deliveries.sent(deliveries.begin(calls.get(0), new CallObservation()));
        lane.abandon(exchange);
        assertThat(count("messages not arrived")).isEqualTo(1);
        Deliveries.arrive("r", 1, 900);
        assertThat(count("messages delivered")).isZero();
        assertThat(count("messages delivered after the timeout")).isEqualTo(1);
        assertThat(count("messages not arrived")).isZero();
    }

    @Test
    void a_send_that_failed_is_a_failure_unless_the_message_arrived() {
        Outcome refused = Outcome.failed("throttled");
        deliveries.sendFailed(begin(0), refused, MessageFate.NOT_SENT);
        Deliveries.Delivery second = begin(1);
        Deliveries.arrive("r", 1, 700);
        deliveries.sendFailed(second, refused, MessageFate.NOT_SENT);
        lane.poll(0);
        assertThat(told).extracting(exchange -> exchange.outcome.fate()).containsExactly(Fate.FAILED, Fate.ANSWERED);
        assertThat(count("messages not sent")).isEqualTo(2);
        assertThat(count("messages delivered though the send failed")).isEqualTo(1);
        assertThat(count("messages not arrived")).isZero();
    }

    @Test
    void a_message_of_unknown_fate_is_neither_sent_nor_not_sent() {
        deliveries.sendFailed(begin(0), Outcome.failed("no answer"), MessageFate.UNKNOWN);
        deliveries.sendFailed(begin(1), Outcome.failed("checksum"), MessageFate.SENT);
        assertThat(count("messages of unknown fate")).isEqualTo(1);
        assertThat(count("messages sent")).isEqualTo(1);
        assertThat(count("messages not sent")).isZero();
        assertThat(count("messages not arrived")).isEqualTo(1);
        Deliveries.arrive("r", 1, 900);
        assertThat(count("messages not arrived")).isZero();
    }

    @Test
    void foreign_messages_are_recognised() {
        assertThat(Deliveries.arrive("somebody", 1, 0)).isFalse();
        assertThat(MessageMark.of("text")).isEmpty();
        assertThat(MessageMark.of("a/b/c/d/e/f")).isEmpty();
        assertThat(MessageMark.of("run/lane/7/0/3/99")).hasValue(new MessageMark("run", "lane", 7, 0, 3, 99));
    }

    @Test
    void a_message_that_was_never_sent_is_not_ours_whatever_its_mark_says() {
        deliveries.sent(begin(0));
        for (long index : new long[] {1, Integer.MAX_VALUE, 1L << 31, Long.MAX_VALUE, -1}) {
            assertThat(Deliveries.arrive("r", index, 900)).as("%d", index).isFalse();
        }
        begin(1);
        assertThat(Deliveries.arrive("r", 1, 900)).as("it is on its way").isTrue();
    }

    @Test
    void a_shard_hears_from_another_process_that_its_message_has_arrived() throws IOException {
        deliveries.sent(begin(0));
        clock.moveTo(5_000_000_000L);
        Instant now = Instant.now();
        try (LocalListener here = SiblingShards.listen((lane, index, at) ->
                        Deliveries.arrive(lane, index, clock.nanoTime() - at.until(now, ChronoUnit.NANOS)));
                SiblingShards.PeerConnections peers = new SiblingShards.PeerConnections()) {
            assertThat(peers.forward(new MessageMark("run", "r", 0, here.port(), 0, 0), now.minusNanos(1_000_000)))
                    .isTrue();
            assertThat(peers.forward(new MessageMark("run", "gone", 0, here.port(), 0, 0), now))
                    .isFalse();
        }
        lane.poll(0);
        assertThat(told.get(0).responseNanos()).isEqualTo(4_999_000_000L);
        assertThat(count("messages delivered")).isEqualTo(1);
    }
}
