package dev.downbeat.http.two;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.two.StreamSlots.LeastLoaded;
import dev.downbeat.record.Part;
import dev.downbeat.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which connection takes a request, and who gets a stream that becomes free: in virtual time, without sockets. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StreamSlotsTest {
    private static final int MOST = 100;

    private final ManualClock clock = new ManualClock(1_000);
    private final List<String> started = new ArrayList<>();
    private long idleNanos;
    private final StreamSlots<Carrier> slots = new StreamSlots<>(MOST, clock, () -> idleNanos, this::start);

    /** A connection that allows so many streams at once. */
    private static final class Carrier implements StreamSlots.Carrier<Carrier> {
        private final LeastLoaded.Place<Carrier> standing = new LeastLoaded.Place<>(this);
        private final String name;
        private int limit;
        private int open;

        Carrier(String name, int limit) {
            this.name = name;
            this.limit = limit;
        }

        @Override
        public LeastLoaded.Place<Carrier> standing() {
            return standing;
        }

        @Override
        public int load() {
            return open < limit ? open : -1;
        }
    }

    private void start(H2Stream stream, Carrier carrier) {
        carrier.open++;
        started.add(stream.carried().index + " on " + carrier.name);
        slots.moved(carrier);
    }

    private void end(Carrier carrier) {
        carrier.open--;
        slots.changed(carrier);
    }

    private Carrier opened(String name, int limit) {
        Carrier carrier = new Carrier(name, limit);
        slots.changed(carrier);
        return carrier;
    }

    private H2Stream request(long index) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        exchange.begin(clock.nanoTime(), clock.nanoTime(), clock.nanoTime());
        exchange.onStream = true;
        H2Stream stream = new H2Stream();
        stream.begin(exchange, new byte[0]);
        return stream;
    }

    /** Sends it, or lets it wait. */
    private H2Stream send(long index) {
        H2Stream stream = request(index);
        Carrier least = slots.least();
        if (least == null) {
            slots.await(stream);
        } else {
            start(stream, least);
        }
        return stream;
    }

    @Test
    void the_connection_with_the_fewest_streams_is_next_and_of_several_the_one_that_was_so_for_longest() {
        opened("a", 3);
        Carrier b = opened("b", 3);
        for (int i = 1; i <= 4; i++) {
            send(i);
        }
        assertThat(started).containsExactly("1 on a", "2 on b", "3 on a", "4 on b");
        end(b);
        send(5);
        send(6);
        assertThat(started).endsWith("5 on b", "6 on a");
    }

    @Test
    void a_request_that_finds_no_stream_gets_the_next_that_ends_and_its_wait_is_for_a_stream() {
        Carrier only = opened("a", 1);
        send(1);
        H2Stream second = send(2);
        H2Stream third = send(3);
        assertThat(slots.hasWaiting()).isTrue();
        assertThat(second.waitsForStream).isTrue();
        clock.advanceNanos(5_000);
        end(only);
        assertThat(started).containsExactly("1 on a", "2 on a");
        assertThat(second.waitsForStream).isFalse();
        assertThat(second.carried().firstByteAt).isEqualTo(second.carried().startedAt);
        assertThat(Part.STREAM_WAIT.nanosOf(second.carried())).isEqualTo(5_000);
        assertThat(Part.BACKLOG_WAIT.nanosOf(second.carried())).isZero();
        clock.advanceNanos(2_000);
        end(only);
        assertThat(Part.STREAM_WAIT.nanosOf(third.carried())).isEqualTo(7_000);
        assertThat(slots.hasWaiting()).isFalse();
    }

    @Test
    void what_of_a_wait_for_a_stream_was_spent_on_waiting_cannot_be_ours() {
        Carrier only = opened("a", 1);
        send(1);
        idleNanos = 70_000;
        H2Stream second = send(2);
        second.carried().stalledNanos = 100; // it had waited before for a slot
        clock.advanceNanos(5_000);
        idleNanos += 4_000;
        end(only);
        assertThat(second.carried().stalledNanos).isEqualTo(4_100);
        assertThat(second.carried().possiblyOwnNanos()).isEqualTo(900);
    }

    @Test
    void a_resent_request_is_not_a_new_one() {
        Carrier only = opened("a", 1);
        send(1);
        H2Stream again = send(2);
        again.keepsStart = true;
        long before = again.carried().startedAt;
        clock.advanceNanos(5_000);
        end(only);
        assertThat(started).endsWith("2 on a");
        assertThat(again.carried().startedAt).as("its wait is service time").isEqualTo(before);
    }

    @Test
    void an_abandoned_request_waits_no_longer() {
        Carrier only = opened("a", 1);
        send(1);
        H2Stream tired = send(2);
        send(3);
        slots.giveUp(tired);
        end(only);
        assertThat(started).containsExactly("1 on a", "3 on a");
    }

    @Test
    void a_connection_that_is_gone_gets_nothing_and_one_that_allows_more_is_filled() {
        Carrier gone = opened("a", 5);
        Carrier small = opened("b", 1);
        slots.gone(gone);
        for (int i = 1; i <= 3; i++) {
            send(i);
        }
        assertThat(started).containsExactly("1 on b");
        small.limit = 3; // SETTINGS_MAX_CONCURRENT_STREAMS
        slots.changed(small);
        assertThat(started).containsExactly("1 on b", "2 on b", "3 on b");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void no_stream_stays_free_while_somebody_waits_and_none_is_used_twice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Carrier> carriers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            carriers.add(opened("c" + i, 1 + random.nextInt(4)));
        }
        for (int step = 0; step < 10_000; step++) {
            clock.advanceNanos(1);
            Carrier any = carriers.get(random.nextInt(carriers.size()));
            if (random.nextInt(3) > 0) {
                @Nullable Carrier least = slots.least();
                int fewest = carriers.stream()
                        .mapToInt(Carrier::load)
                        .filter(load -> load >= 0)
                        .min()
                        .orElse(-1);
                assertThat(least == null ? -1 : least.load()).isEqualTo(fewest);
                send(step);
            } else if (any.open > 0) {
                end(any);
            }
            boolean isFull = carriers.stream().allMatch(one -> one.open == one.limit);
            assertThat(!slots.hasWaiting() || isFull).isTrue();
            assertThat(carriers).allMatch(one -> one.open <= one.limit);
        }
    }
}
