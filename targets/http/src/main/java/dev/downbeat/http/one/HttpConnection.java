package dev.downbeat.http.one;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.one.ResponseParser.KnownHead;
import dev.downbeat.http.wire.ConnectionTally;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.Link;
import dev.downbeat.http.wire.Openings;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.http.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/1.1 use of a link: one request at a time, over an existing connection or one opened for it. It reports
 * events to the lane, which does the accounting.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
public final class HttpConnection implements Link.User {
    private static final int LEAST_ROOM = 256;

    /** RFC 9110, 9.2.2: sending these twice has the same effect as sending them once. */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

    private static final int LONGEST_METHOD = 8;

    /** The lane, as seen by its connections. */
    interface Owner {
        ConnectionTally tally();

        /** The read buffer shared by all connections of the lane. */
        ReadBuffer room();

        long now();

        int maxRequests();

        ByteBuffer requestBuffer(int bytes);

        boolean sendsAgain();

        boolean keepsAlive();

        /** The outcome of a complete response. */
        Outcome outcome(Exchange exchange);

        /** A preopened connection is ready; no request waits for it. */
        void openedIdle(HttpConnection connection);

        /** A preopened connection failed. */
        void notOpened(HttpConnection connection);

        /** A connection that carried nothing broke. */
        void brokenWhileIdle(Outcome why);

        /** An exchange has ended: records how long its end lay unread. */
        void read(Exchange exchange, long now);

        /** A request has ended. */
        void ended(HttpConnection connection, Exchange exchange);
    }

    private final Owner lane;
    private final Link link;
    private final ResponseParser parser;
    private ByteBuffer request;
    private @Nullable ByteBuffer own;
    private @Nullable Exchange exchange;
    private int position;
    private long idleSince;
    private boolean isSentAgain;

    /** Whose place it takes once it is open. */
    @Nullable
    HttpConnection replaces;

    /** Whether another is being opened, or is open, in its place. */
    boolean isReplaced;

    /** The request's bytes may be shared; only the position is its own. */
    public HttpConnection(Owner lane, Openings openings, ByteBuffer request, boolean neverBody, KnownHead known) {
        this.lane = lane;
        this.link = new Link(openings, this);
        this.request = request.duplicate();
        this.parser = new ResponseParser(neverBody, known);
    }

    /** Sets the request to send from now on. */
    void carry(OutgoingRequest outgoing) {
        request = outgoing.bytes();
        parser.reset(outgoing.expectsNoBody(), outgoing.sink());
    }

    /** Sets a request from a buffer that will be reused at once. */
    void carry(RequestBytes bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {
        if (own == null || own.capacity() < bytes.length()) {
            int room = Math.max(LEAST_ROOM, Integer.highestOneBit(bytes.length()) * 2);
            own = lane.requestBuffer(room);
        }
        own.clear().put(bytes.array(), 0, bytes.length()).flip();
        request = own;
        parser.reset(expectsNoBody, sink);
    }

    /** Whether it is open without a request. */
    boolean isIdle() {
        return link.isOpen() && exchange == null;
    }

    /** Whether it is open with a request. */
    boolean isBusy() {
        return link.isOpen() && exchange != null;
    }

    public Link link() {
        return link;
    }

    /** How many requests it has carried. */
    int position() {
        return position;
    }

    /** When it became idle, if it is. */
    long idleSince() {
        return idleSince;
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

    /** Starts to open the connection. */
    public void open(long now) {
        position = 0;
        isReplaced = false;
        link.open(now);
    }

    @Override
    public void opened() {
        Exchange waiting = exchange;
        if (waiting == null) {
            idleSince = link.openedAt();
            lane.openedIdle(this);
        } else {
            if (link.openingAt() - waiting.startedAt < 0) { // ahead of time
                link.charge(waiting, link.openedAt());
            } else {
                waiting.lookupNanos = link.lookupNanos();
                waiting.connectNanos = link.connectNanos();
                waiting.handshakeNanos = link.handshakeNanos();
            }
            waiting.unconnected = false;
            write();
        }
    }

    @Override
    public void failedToOpen(Outcome why) {
        if (exchange == null) {
            lane.notOpened(this);
        } else {
            end(why, lane.now());
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
        lane.tally().closedByServer(false);
        if (exchange == null) {
            lane.brokenWhileIdle(why);
        } else if (!sendAgainIfSafe()) {
            end(why, lane.now());
        }
    }

    /**
     * A persistent connection may close at any time. A request sent meanwhile without a response is retried once if
     * permitted (RFC 9112, 9.3.1). Its time still counts from the intended start.
     */
    private boolean sendAgainIfSafe() {
        if (position < 2 || isSentAgain || parser.hasStarted() || !lane.sendsAgain() || !isIdempotent()) {
            return false;
        }
        isSentAgain = true;
        lane.tally().sentAgain();
        open(lane.now());
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
        lane.tally().sending(request.remaining());
        try {
            if (!wire().write(request)) {
                link.awaitWritable(true);
            }
        } catch (IOException failed) {
            readRest(failed);
        }
    }

    /**
     * Nothing more can be sent, but data already received may be the whole response: a server that rejects a long body
     * responds and resets the connection.
     */
    private void readRest(IOException failed) {
        Wire cut = wire();
        try {
            int read = cut.read(lane.room().buffer());
            while (read > 0) {
                take(read);
                if (!link.isOpen() || wire() != cut) { // closed, and perhaps opened again
                    return;
                }
                read = cut.read(lane.room().buffer());
            }
        } catch (IOException gone) {
            // The first of two errors is the cause.
        }
        link.broken(failed);
    }

    private void read() throws IOException {
        int read = wire().read(lane.room().buffer());
        if (read > 0) {
            take(read);
        } else if (read < 0) {
            onEndOfStream(lane.now());
        }
    }

    /** Consumes this many received bytes. */
    private void take(int read) {
        long now = lane.now();
        lane.tally().received(read);
        if (!parser.hasStarted()) {
            busy().firstByteAt = now;
        }
        byte[] bytes = lane.room().bytes();
        int used = parser.feed(bytes, 0, read);
        Outcome failure = parser.failure();
        if (failure != null) {
            link.close();
            lane.tally().closedByUs();
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
            lane.tally().closedByServer(true);
            endWithStatus(now);
        } else {
            lane.tally().closedByServer(false);
            if (!sendAgainIfSafe()) {
                end(early(), now);
            }
        }
    }

    private Outcome early() {
        if (parser.hasStarted()) {
            return HttpFailures.CLOSED_IN_MID_RESPONSE;
        }
        return position < 2 ? HttpFailures.CLOSED_BEFORE_RESPONSE : HttpFailures.KEPT_BUT_CLOSED;
    }

    private void onResponse(boolean nothingMore, long now) {
        boolean worn = !lane.keepsAlive() || position >= lane.maxRequests() || isHalfSent();
        if (worn || (parser.keepsAlive() && !nothingMore)) {
            link.close();
            lane.tally().closedByUs(); // as planned, or because bytes after a response belong to no request
        } else if (!parser.keepsAlive()) {
            link.close();
            lane.tally().closedByServer(true);
        } else if (wire().ended()) {
            link.close();
            lane.tally().closedByServer(false);
        } else {
            idleSince = now;
        }
        endWithStatus(now);
    }

    private void endWithStatus(long now) {
        Exchange answered = busy();
        answered.status = parser.status();
        end(lane.outcome(answered), now);
    }

    /**
     * A response may arrive before its request is fully sent; the rest would be read as the start of the next request.
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
        int read = wire().read(lane.room().buffer());
        if (read < 0) {
            link.close();
            lane.tally().closedByServer(false);
        } else if (read > 0) {
            link.close();
            lane.tally().closedByUs();
        }
    }

    private void end(Outcome outcome, long now) {
        Exchange ended = busy();
        exchange = null;
        ended.outcome = outcome;
        ended.completedAt = now;
        lane.read(ended, now);
        lane.ended(this, ended);
    }

    /** Drops the exchange and closes. */
    public void abandon() {
        exchange = null;
        link.close();
    }

    private Wire wire() {
        return link.wire();
    }

    private Exchange busy() {
        Exchange carried = exchange;
        if (carried == null) {
            throw new IllegalStateException("the connection carries no request");
        }
        return carried;
    }
}
