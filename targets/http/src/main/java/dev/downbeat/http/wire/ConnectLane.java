package dev.downbeat.http.wire;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lane of a connect-only target: each exchange opens a connection, ends when it is ready, and closes it. */
public final class ConnectLane implements OpenedLane {
    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final ConnectionCounter counter = new ConnectionCounter();
    private final ConnectionAttempts attempts;
    private final Polling polling;
    private final Slot[] slots;
    private final Slot[] bySlot;
    private final Deque<Slot> free = new ArrayDeque<>();

    public ConnectLane(
            Destination destination,
            int capacity,
            SharedThreadState shared,
            NanoClock clock,
            Exchange.Listener listener) {
        this.clock = clock;
        this.listener = listener;
        this.polling = shared.polling();
        this.attempts = destination.newAttempts(
                polling.selector(), clock, counter, new ReadBuffer(), destination.failures(), List.of());
        polling.add(attempts);
        this.slots = new Slot[capacity];
        this.bySlot = new Slot[shared.slots()];
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot();
            free.add(slots[i]);
        }
    }

    /** Resolves the name and opens one connection, to check that the server responds. */
    @Override
    public void openBeforehand(int count) throws IOException {
        attempts.openBeforehand(1, now -> free.removeFirst().link.open(now), this::poll);
    }

    @Override
    public int capacity() {
        return slots.length;
    }

    @Override
    public void send(Exchange exchange) {
        Slot slot = free.removeFirst();
        slot.exchange = exchange;
        bySlot[exchange.slot] = slot;
        exchange.unconnected = true;
        slot.link.open(exchange.startedAt);
    }

    @Override
    public void send(Exchange exchange, OutgoingRequest outgoing) {
        throw new UnsupportedOperationException("a target that is only connected to takes no requests");
    }

    @Override
    public void abandon(Exchange exchange) {
        Slot slot = bySlot[exchange.slot];
        attempts.abandoned(slot.link);
        slot.link.close();
        slot.release();
    }

    @Override
    public void poll(long untilAt) {
        int busy = slots.length - free.size();
        polling.until(untilAt, busy > 0, busy == slots.length);
    }

    @Override
    public long idleWhenFullNanos() {
        return polling.idleWhenFullNanos();
    }

    @Override
    public ConnectionCounts connections() {
        return counter.counts(0, 0);
    }

    @Override
    public TargetCounts counts() {
        return TargetCounts.NONE;
    }

    @Override
    public void close() {
        for (Slot slot : slots) {
            slot.link.close();
        }
        attempts.close();
        polling.close();
    }

    private final class Slot implements Link.User {
        final Link link = new Link(attempts, this);

        @Nullable
        Exchange exchange;

        void release() {
            exchange = null;
            free.addLast(this);
        }

        @Override
        public void opened() {
            Exchange waiting = exchange;
            if (waiting != null) {
                link.charge(waiting, link.openedAt());
                waiting.unconnected = false;
                waiting.position = 1;
            }
            long openedAt = link.openedAt();
            link.close();
            counter.closedByUs();
            end(Outcome.answered(), openedAt);
        }

        @Override
        public void failedToOpen(Outcome why) {
            end(why, clock.nanoTime());
        }

        private void end(Outcome outcome, long now) {
            Exchange ended = exchange;
            release();
            if (ended != null) {
                ended.outcome = outcome;
                ended.firstByteAt = now;
                ended.completedAt = now;
                polling.read(ended, now);
                listener.completed(ended);
            }
        }

        @Override
        public void ready() {
            // The connection is closed as soon as it is open.
        }

        @Override
        public void broken(Outcome why) {
            // It cannot break after that.
        }
    }
}
