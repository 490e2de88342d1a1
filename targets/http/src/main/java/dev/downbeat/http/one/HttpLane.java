package dev.downbeat.http.one;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.OutgoingRequest;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.wire.ConnectionTally;
import dev.downbeat.http.wire.Conversation;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.Openings;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.http.wire.Preconnect;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.http.wire.SharedThreadState;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One generator thread's HTTP/1.1 connections, on one selector. A request uses the connection that has been idle
 * longest, or opens one if none is idle.
 */
public final class HttpLane implements OpenedLane, HttpConnection.Owner {
    private final Destination destination;
    private final NanoClock clock;
    private final ConnectionTally tally = new ConnectionTally();
    private final ReadBuffer room = new ReadBuffer();
    private final Openings openings;
    private final Polling polling;
    private final HttpConnection[] connections;
    private final HttpConnection[] bySlot;
    private final Deque<HttpConnection> idle;
    private final Deque<HttpConnection> closed;
    private final Conversation conversation;
    private final long maxIdleNanos;
    private int busy;

    public HttpLane(
            Destination destination,
            int capacity,
            SharedThreadState common,
            NanoClock clock,
            Exchange.Listener listener) {
        this.destination = destination;
        this.clock = clock;
        this.maxIdleNanos = destination.options().maxIdleNanos();
        HttpFailures failures = destination.failures();
        this.polling = common.polling();
        this.openings = destination.openings(polling.selector(), clock, tally, room, failures, List.of());
        polling.lookAfter(openings);
        this.connections = new HttpConnection[capacity];
        this.bySlot = new HttpConnection[common.slots()];
        this.idle = new ArrayDeque<>(capacity + 1);
        this.closed = new ArrayDeque<>(capacity + 1);
        this.conversation = new Conversation(common.writer(), failures, clock, listener);
        ByteBuffer request = destination.encoded();
        KnownHead known = new KnownHead();
        for (int i = 0; i < capacity; i++) {
            connections[i] = new HttpConnection(this, openings, request, destination.expectsNoBody(), known);
            closed.add(connections[i]);
        }
    }

    /**
     * Opens this many connections before the clock starts.
     *
     * @throws IOException with the reason, if the server does not respond
     */
    @Override
    public void openBeforehand(int count) throws IOException {
        new Preconnect(openings, tally, clock, now -> closed.removeFirst().open(now), this::poll).open(count);
    }

    @Override
    public int capacity() {
        return connections.length;
    }

    @Override
    public void send(Exchange exchange) {
        RequestWriter writer = conversation.writer();
        if (writer == null) {
            send(exchange, next());
        } else if (conversation.writes(writer, exchange)) {
            send(exchange, carrying(writer, exchange));
        }
    }

    private HttpConnection carrying(RequestWriter writer, Exchange exchange) {
        HttpConnection connection = next();
        connection.carry(conversation.written(), writer.expectsNoBody(), writer.sink(exchange));
        return connection;
    }

    @Override
    public Outcome outcome(Exchange exchange) {
        return conversation.outcome(exchange);
    }

    @Override
    public void send(Exchange exchange, OutgoingRequest outgoing) {
        HttpConnection connection = next();
        connection.carry(outgoing);
        send(exchange, connection);
    }

    private void send(Exchange exchange, HttpConnection connection) {
        busy++;
        exchange.unconnected = !connection.isIdle();
        bySlot[exchange.slot] = connection;
        connection.send(exchange, exchange.startedAt);
    }

    private HttpConnection next() {
        for (HttpConnection first = idle.poll(); first != null; first = idle.poll()) {
            if (first.isIdle()) {
                if (maxIdleNanos == Long.MAX_VALUE || clock.nanoTime() - first.idleSince() < maxIdleNanos) {
                    return first;
                }
                first.link().close();
                tally.closedByUs();
            }
            closed.push(first); // otherwise the server closed it while it was idle
        }
        return closed.pop();
    }

    @Override
    public void abandon(Exchange exchange) {
        HttpConnection connection = bySlot[exchange.slot];
        if (connection.link().isOpening()) {
            openings.givenUp(connection.link());
        } else {
            tally.closedByUs();
        }
        connection.abandon();
        closed.push(connection);
        busy--;
    }

    @Override
    public void poll(long untilAt) {
        polling.until(untilAt, busy > 0, busy == connections.length);
    }

    @Override
    public void read(Exchange exchange, long now) {
        polling.read(exchange, now);
    }

    @Override
    public long idleWhenFullNanos() {
        return polling.idleWhenFullNanos();
    }

    // Interface to the connections.

    @Override
    public ConnectionTally tally() {
        return tally;
    }

    @Override
    public ReadBuffer room() {
        return room;
    }

    @Override
    public long now() {
        return clock.nanoTime();
    }

    @Override
    public int maxRequests() {
        return destination.options().maxRequests();
    }

    @Override
    public ByteBuffer requestBuffer(int bytes) {
        return destination.buffer(bytes);
    }

    @Override
    public boolean sendsAgain() {
        return destination.options().sendsAgain();
    }

    @Override
    public boolean keepsAlive() {
        return destination.options().keepAlive();
    }

    @Override
    public void openedIdle(HttpConnection connection) {
        idle.addLast(connection);
    }

    @Override
    public void notOpened(HttpConnection connection) {
        closed.addLast(connection);
    }

    @Override
    public void ended(HttpConnection connection, Exchange exchange) {
        busy--;
        if (connection.isIdle()) {
            idle.addLast(connection);
        } else {
            closed.push(connection);
        }
        RequestWriter writer = conversation.writer();
        if (conversation.goesOn(exchange) && writer != null) {
            busy++;
            HttpConnection next = carrying(writer, exchange);
            bySlot[exchange.slot] = next;
            next.send(exchange, clock.nanoTime());
        }
    }

    @Override
    public TargetCounts counts() {
        return conversation.counts(tally);
    }

    @Override
    public ConnectionCounts connections() {
        long open = 0;
        long inUse = 0;
        for (HttpConnection connection : connections) {
            inUse += connection.isBusy() ? 1 : 0;
            open += connection.link().isOpen() ? 1 : 0;
        }
        return tally.counts(open, inUse).with(tally.streams(0, 0));
    }

    @Override
    public void close() {
        for (HttpConnection connection : connections) {
            connection.abandon();
        }
        openings.close();
        polling.close();
    }
}
