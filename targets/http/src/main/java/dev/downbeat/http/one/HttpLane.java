package dev.downbeat.http.one;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.one.ResponseParser.KnownHead;
import dev.downbeat.http.wire.ConnectionTally;
import dev.downbeat.http.wire.Conversation;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.http.wire.Openings;
import dev.downbeat.http.wire.Openings.Preconnect;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    private final Deque<HttpConnection> replacements = new ArrayDeque<>();
    private final Conversation conversation;
    private final long maxIdleNanos;
    private final int capacity;
    private final int replaceAfter;
    private @Nullable Outcome brokenWhileIdle;
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
        this.capacity = capacity;
        this.replaceAfter = destination.options().replaceAfter();
        HttpFailures failures = destination.failures();
        this.polling = common.polling();
        this.openings = destination.openings(polling.selector(), clock, tally, room, failures, List.of());
        polling.lookAfter(openings);
        int places = replaceAfter == Integer.MAX_VALUE ? capacity : 2 * capacity;
        this.connections = new HttpConnection[places];
        this.bySlot = new HttpConnection[common.slots()];
        this.idle = new ArrayDeque<>(places + 1);
        this.closed = new ArrayDeque<>(places + 1);
        this.conversation = new Conversation(common.writer(), failures, clock, listener);
        ByteBuffer request = destination.encoded();
        KnownHead known = new KnownHead();
        for (int i = 0; i < places; i++) {
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
        return capacity;
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
        HttpConnection soon = replacements.poll(); // nearer to being open than any other
        if (soon == null) {
            return closed.pop();
        }
        soon.replaces = null;
        return soon;
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
        polling.until(untilAt, busy > 0, busy == capacity);
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
        replacements.remove(connection);
        HttpConnection old = connection.replaces;
        connection.replaces = null;
        if (old != null && old.isReplaced && idle.remove(old)) { // else it goes when its request has ended
            retire(old);
        }
    }

    /** Opens another in its place, ahead of its end; if one is there already, it goes at once. */
    private boolean isRetired(HttpConnection connection) {
        if (connection.position() < replaceAfter) {
            return false;
        }
        if (connection.isReplaced) {
            return isReplacementReady(connection);
        }
        if (connections.length - closed.size() - replacements.size() > capacity) {
            return true; // there are more than enough
        }
        if (closed.isEmpty()) {
            return false;
        }
        connection.isReplaced = true;
        HttpConnection fresh = closed.removeLast();
        fresh.replaces = connection;
        replacements.addLast(fresh);
        fresh.open(clock.nanoTime());
        return false;
    }

    private boolean isReplacementReady(HttpConnection connection) {
        for (HttpConnection other : connections) {
            if (other.replaces == connection) {
                return false;
            }
        }
        return true;
    }

    private void retire(HttpConnection connection) {
        connection.link().close();
        tally.closedByUs();
        closed.push(connection);
    }

    @Override
    public void brokenWhileIdle(Outcome why) {
        brokenWhileIdle = why;
    }

    @Override
    public @Nullable Outcome brokenWhileIdle() {
        return brokenWhileIdle;
    }

    @Override
    public void notOpened(HttpConnection connection) {
        HttpConnection old = connection.replaces;
        replacements.remove(connection);
        if (old != null) {
            connection.replaces = null;
            old.isReplaced = false;
        }
        closed.addLast(connection);
    }

    @Override
    public void ended(HttpConnection connection, Exchange exchange) {
        busy--;
        if (!connection.isIdle()) {
            closed.push(connection);
        } else if (isRetired(connection)) {
            retire(connection);
        } else {
            idle.addLast(connection);
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
