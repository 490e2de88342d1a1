package dev.downbeat.http.one;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.one.ResponseParser.KnownHead;
import dev.downbeat.http.wire.ConnectionAttempts;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.Conversation;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.http.wire.Wire;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One generator thread's HTTP/1.1 connections, on one selector. A request uses the connection that has been idle
 * longest, or opens one if none is idle.
 */
public final class HttpLane implements OpenedLane {
    private static final int LEAST_BUFFER_BYTES = 256;

    /** RFC 9110, 9.2.2: sending these twice has the same effect as sending them once. */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

    private static final int LONGEST_METHOD = 8;

    private final Destination destination;
    private final NanoClock clock;
    private final ConnectionCounter counter = new ConnectionCounter();
    private final ReadBuffer readBuffer = new ReadBuffer();
    private final ConnectionAttempts attempts;
    private final Polling polling;
    private final Connection[] connections;
    private final Connection[] bySlot;
    private final Deque<Connection> idle;
    private final Deque<Connection> closed;
    private final Deque<Connection> replacements = new ArrayDeque<>();
    private final Conversation conversation;
    private final long maxIdleNanos;
    private final int capacity;
    private final int replaceAfter;
    private @Nullable Outcome brokenWhileIdle;
    private int busy;

    public HttpLane(
            Destination destination,
            int capacity,
            SharedThreadState shared,
            NanoClock clock,
            Exchange.Listener listener) {
        this.destination = destination;
        this.clock = clock;
        this.maxIdleNanos = destination.options().maxIdleNanos();
        this.capacity = capacity;
        this.replaceAfter = destination.options().replaceAfter();
        HttpFailures failures = destination.failures();
        this.polling = shared.polling();
        this.attempts = destination.newAttempts(polling.selector(), clock, counter, readBuffer, failures, List.of());
        polling.add(attempts);
        int places = replaceAfter == Integer.MAX_VALUE ? capacity : 2 * capacity;
        this.connections = new Connection[places];
        this.bySlot = new Connection[shared.slots()];
        this.idle = new ArrayDeque<>(places + 1);
        this.closed = new ArrayDeque<>(places + 1);
        this.conversation = new Conversation(shared.writer(), failures, clock, listener);
        KnownHead known = new KnownHead();
        for (int i = 0; i < places; i++) {
            connections[i] = new Connection(known);
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
        attempts.openBeforehand(count, now -> closed.removeFirst().open(now), this::poll);
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
            send(exchange, prepared(writer, exchange));
        }
    }

    private Connection prepared(RequestWriter writer, Exchange exchange) {
        Connection connection = next();
        connection.prepare(conversation.written(), writer.closesConnection(), writer.sink(exchange));
        return connection;
    }

    @Override
    public void send(Exchange exchange, OutgoingRequest outgoing) {
        Connection connection = next();
        connection.prepare(outgoing);
        send(exchange, connection);
    }

    private void send(Exchange exchange, Connection connection) {
        busy++;
        exchange.unconnected = !connection.isIdle();
        bySlot[exchange.slot] = connection;
        connection.send(exchange, exchange.startedAt);
    }

    private Connection next() {
        for (Connection first = idle.poll(); first != null; first = idle.poll()) {
            if (first.isIdle()) {
                if (maxIdleNanos == Long.MAX_VALUE || clock.nanoTime() - first.idleSince < maxIdleNanos) {
                    return first;
                }
                first.link.close();
                counter.closedByUs();
            }
            closed.push(first); // otherwise the server closed it while it was idle
        }
        Connection opening = replacements.poll(); // nearer to being open than any other
        if (opening == null) {
            return closed.pop();
        }
        opening.replaces = null;
        return opening;
    }

    @Override
    public void abandon(Exchange exchange) {
        Connection connection = bySlot[exchange.slot];
        if (connection.link.isOpening()) {
            attempts.abandoned(connection.link);
        } else {
            counter.closedByUs();
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
    public long idleWhenFullNanos() {
        return polling.idleWhenFullNanos();
    }

    /** A connection opened ahead of time is ready; no request waits for it. */
    private void openedIdle(Connection connection) {
        idle.addLast(connection);
        replacements.remove(connection);
        Connection old = connection.replaces;
        connection.replaces = null;
        if (old != null && old.isReplaced && idle.remove(old)) { // else it goes when its request has ended
            if (old.isIdle()) {
                retire(old);
            } else {
                closed.push(old); // its end was counted when the server closed it
            }
        }
    }

    /** Whether a connection at its limit of requests can be closed; if one is needed, its replacement is opened first. */
    private boolean isRetired(Connection connection) {
        if (connection.position < replaceAfter) {
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
        Connection fresh = closed.removeLast();
        fresh.replaces = connection;
        replacements.addLast(fresh);
        fresh.open(clock.nanoTime());
        return false;
    }

    private boolean isReplacementReady(Connection connection) {
        for (Connection other : connections) {
            if (other.replaces == connection) {
                return false;
            }
        }
        return true;
    }

    private void retire(Connection connection) {
        connection.link.close();
        counter.closedByUs();
        closed.push(connection);
    }

    @Override
    public @Nullable Outcome brokenWhileIdle() {
        return brokenWhileIdle;
    }

    private void notOpened(Connection connection) {
        Connection old = connection.replaces;
        replacements.remove(connection);
        if (old != null) {
            connection.replaces = null;
            old.isReplaced = false;
        }
        closed.addLast(connection);
    }

    private void ended(Connection connection, Exchange exchange) {
        busy--;
        if (!connection.isIdle()) {
            closed.push(connection);
        } else if (isRetired(connection)) {
            retire(connection);
        } else {
            idle.addLast(connection);
        }
        RequestWriter writer = conversation.writer();
        if (conversation.hasFollowUp(exchange) && writer != null) {
            busy++;
            Connection next = prepared(writer, exchange);
            bySlot[exchange.slot] = next;
            next.send(exchange, clock.nanoTime());
        }
    }

    @Override
    public TargetCounts counts() {
        return conversation.counts(counter);
    }

    @Override
    public ConnectionCounts connections() {
        long open = 0;
        long inUse = 0;
        for (Connection connection : connections) {
            inUse += connection.isBusy() ? 1 : 0;
            open += connection.link.isOpen() ? 1 : 0;
        }
        return counter.counts(open, inUse).with(counter.streams(0, 0));
    }

    @Override
    public void close() {
        for (Connection connection : connections) {
            connection.abandon();
        }
        attempts.close();
        polling.close();
    }

    /** The HTTP/1.1 use of a link: one request at a time, over an existing connection or one opened for it. */
    private final class Connection implements Link.User {
        private final Link link = new Link(attempts, this);
        private final ResponseParser parser;
        private ByteBuffer request;
        private @Nullable ByteBuffer ownBuffer;
        private @Nullable Exchange exchange;

        private int position;

        private long idleSince;

        private boolean isSentAgain;

        private boolean closesConnection;

        /** The connection that it replaces once it is open. */
        @Nullable
        Connection replaces;

        /** Whether its replacement is being opened, or is open. */
        boolean isReplaced;

        /** The request's bytes may be shared; only the position is its own. */
        Connection(KnownHead known) {
            this.request = destination.encoded().duplicate();
            this.parser = new ResponseParser(destination.expectsNoBody(), known);
            this.closesConnection = destination.closesConnection();
        }

        void prepare(OutgoingRequest outgoing) {
            request = outgoing.bytes();
            closesConnection = outgoing.closesConnection();
            byte[] bytes = outgoing.bytes().array();
            parser.reset(RequestBytes.isHead(bytes, bytes.length), outgoing.sink());
        }

        /** Sets a request from a buffer that will be reused at once. */
        void prepare(RequestBytes bytes, boolean closes, @Nullable ResponseSink sink) {
            closesConnection = closes;
            if (ownBuffer == null || ownBuffer.capacity() < bytes.length()) {
                ownBuffer = destination.buffer(Math.max(LEAST_BUFFER_BYTES, Integer.highestOneBit(bytes.length()) * 2));
            }
            ownBuffer.clear().put(bytes.array(), 0, bytes.length()).flip();
            request = ownBuffer;
            parser.reset(RequestBytes.isHead(bytes.array(), bytes.length()), sink);
        }

        /** Whether it is open without a request. */
        boolean isIdle() {
            return link.isOpen() && exchange == null;
        }

        /** Whether it is open with a request. */
        boolean isBusy() {
            return link.isOpen() && exchange != null;
        }

        /** Sends the request of this exchange, opening a connection if necessary. */
        void send(Exchange next, long now) {
            exchange = next;
            isSentAgain = false;
            if (link.isOpen()) {
                write();
            } else if (!link.isOpening()) { // else it is being opened ahead of time
                open(now);
            }
        }

        void open(long now) {
            position = 0;
            isReplaced = false;
            link.open(now);
        }

        @Override
        public void opened() {
            Exchange waiting = exchange;
            if (waiting == null) {
                idleSince = link.openedAt();
                openedIdle(this);
            } else {
                link.charge(waiting, link.openedAt());
                waiting.unconnected = false;
                write();
            }
        }

        @Override
        public void failedToOpen(Outcome why) {
            if (exchange == null) {
                notOpened(this);
            } else {
                end(why, clock.nanoTime());
            }
        }

        @Override
        public void ready() throws IOException {
            if (exchange == null) {
                onIdle();
                return;
            }
            boolean isReadable = link.isReadable();
            if (link.isWritable() && !writeRest()) {
                return;
            }
            if (isReadable) {
                read();
            }
        }

        /** Returns whether the connection is still usable. */
        private boolean writeRest() {
            try {
                if (wire().flush() && wire().write(request)) {
                    link.awaitWritable(false);
                }
                return true;
            } catch (IOException failed) {
                readRest(failed);
                return false;
            }
        }

        @Override
        public void broken(Outcome why) {
            counter.closedByServer(false);
            if (exchange == null) {
                brokenWhileIdle = why;
            } else if (!sendAgainIfSafe()) {
                end(why, clock.nanoTime());
            }
        }

        /**
         * A persistent connection may close at any time. A request sent meanwhile without a response is retried once if
         * permitted (RFC 9112, 9.3.1). Its time still counts from the intended start.
         */
        private boolean sendAgainIfSafe() {
            if (position < 2
                    || isSentAgain
                    || parser.hasStarted()
                    || !destination.options().sendsAgain()
                    || !isIdempotent()) {
                return false;
            }
            isSentAgain = true;
            counter.sentAgain();
            open(clock.nanoTime());
            return true;
        }

        private boolean isIdempotent() {
            StringBuilder method = new StringBuilder();
            for (int i = 0; i < LONGEST_METHOD && request.get(i) != ' '; i++) {
                method.append((char) request.get(i));
            }
            return IDEMPOTENT.contains(method.toString());
        }

        private void write() {
            parser.reset();
            busy().position = ++position;
            request.rewind();
            counter.sending(request.remaining());
            try {
                if (!wire().write(request)) {
                    link.awaitWritable(true);
                }
            } catch (IOException failed) {
                readRest(failed);
            }
        }

        /**
         * Nothing more can be sent, but data already received may be the whole response: a server that rejects a long
         * body responds and resets the connection.
         */
        private void readRest(IOException failed) {
            Wire cut = wire();
            try {
                int read = cut.read(readBuffer.buffer());
                while (read > 0) {
                    consume(read);
                    if (!link.isOpen() || wire() != cut) { // closed, and perhaps opened again
                        return;
                    }
                    read = cut.read(readBuffer.buffer());
                }
            } catch (IOException gone) {
                // The first of two errors is the cause.
            }
            link.broken(failed);
        }

        private void read() throws IOException {
            int read = wire().read(readBuffer.buffer());
            if (read > 0) {
                consume(read);
            } else if (read < 0) {
                onEndOfStream(clock.nanoTime());
            }
        }

        private void consume(int read) {
            long now = clock.nanoTime();
            counter.received(read);
            if (!parser.hasStarted()) {
                busy().firstByteAt = now;
            }
            byte[] bytes = readBuffer.bytes();
            int used = parser.feed(bytes, 0, read);
            Outcome failure = parser.failure();
            if (failure != null) {
                link.close();
                counter.closedByUs();
                end(failure, now);
            } else if (parser.isDone()) {
                onResponse(used == read, now);
            } else if (wire().ended()) {
                onEndOfStream(now);
            }
        }

        private void onEndOfStream(long now) {
            boolean complete = wire().endIsGenuine() && parser.endOfStream();
            link.close();
            if (complete) {
                counter.closedByServer(true);
                endWithStatus(now);
            } else {
                counter.closedByServer(false);
                if (!sendAgainIfSafe()) {
                    end(prematureEnd(), now);
                }
            }
        }

        private Outcome prematureEnd() {
            if (parser.hasStarted()) {
                return HttpFailures.CLOSED_IN_MID_RESPONSE;
            }
            return position < 2 ? HttpFailures.CLOSED_BEFORE_RESPONSE : HttpFailures.KEPT_BUT_CLOSED;
        }

        private void onResponse(boolean nothingMore, long now) {
            boolean mustClose = closesConnection
                    || !destination.options().keepAlive()
                    || position >= destination.options().maxRequests()
                    || isHalfSent();
            if (mustClose || (parser.keepsAlive() && !nothingMore)) {
                link.close();
                counter.closedByUs(); // as planned, or because bytes after a response belong to no request
            } else if (!parser.keepsAlive()) {
                link.close();
                counter.closedByServer(true);
            } else if (wire().ended()) {
                link.close();
                counter.closedByServer(false);
            } else {
                idleSince = now;
            }
            endWithStatus(now);
        }

        private void endWithStatus(long now) {
            Exchange answered = busy();
            answered.status = parser.status();
            end(conversation.outcome(answered), now);
        }

        /**
         * A response may arrive before its request is fully sent; the rest would be read as the start of the next
         * request.
         */
        private boolean isHalfSent() {
            try {
                return request.hasRemaining() || !wire().flush();
            } catch (IOException broken) {
                return true;
            }
        }

        /** No response is expected: this can only be the end, or unsolicited bytes. */
        private void onIdle() throws IOException {
            int read = wire().read(readBuffer.buffer());
            if (read < 0) {
                link.close();
                counter.closedByServer(false);
            } else if (read > 0) {
                link.close();
                counter.closedByUs();
            }
        }

        private void end(Outcome outcome, long now) {
            Exchange ended = busy();
            exchange = null;
            ended.outcome = outcome;
            ended.completedAt = now;
            polling.read(ended, now);
            HttpLane.this.ended(this, ended);
        }

        void abandon() {
            exchange = null;
            link.close();
        }

        private Wire wire() {
            return link.wire();
        }

        private Exchange busy() {
            Exchange current = exchange;
            if (current == null) {
                throw new IllegalStateException("the connection carries no request");
            }
            return current;
        }
    }
}
