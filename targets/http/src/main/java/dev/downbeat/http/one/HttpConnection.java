package dev.downbeat.http.one;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.OutgoingRequest;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.ResponseSink;
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
 * What one link is used for: it carries one request at a time, over a connection that is there or is opened for it. What
 * it meets it tells the lane, which keeps the books.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
public final class HttpConnection implements Link.User {
    private static final int LEAST_ROOM = 256;

    /** RFC 9110, 9.2.2: to send them twice does what sending them once does. */
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

    private static final int LONGEST_METHOD = 8;

    /** The lane, as its connections see it. */
    interface Owner {
        ConnectionTally tally();

        /** Where all connections of the lane read into, one after the other. */
        ReadBuffer room();

        long now();

        int maxRequests();

        ByteBuffer requestBuffer(int bytes);

        boolean sendsAgain();

        boolean keepsAlive();

        /** What a complete response means. */
        Outcome outcome(Exchange exchange);

        /** Opened beforehand: nobody waits for it yet. */
        void openedIdle(HttpConnection connection);

        /** Opened beforehand, in vain. */
        void notOpened(HttpConnection connection);

        /** A connection that carried nothing broke. */
        void brokenWhileIdle(Outcome why);

        /** An exchange has ended: notes for how long its end lay unread. */
        void read(Exchange exchange, long now);

        /** A request is over. */
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

    /** The request's bytes may be shared with others: only the place in them is its own. */
    public HttpConnection(Owner lane, Openings openings, ByteBuffer request, boolean neverBody, KnownHead known) {
        this.lane = lane;
        this.link = new Link(openings, this);
        this.request = request.duplicate();
        this.parser = new ResponseParser(neverBody, known);
    }

    /** Changes what is sent from the next request on. */
    void carry(OutgoingRequest outgoing) {
        request = outgoing.bytes();
        parser.reset(outgoing.expectsNoBody(), outgoing.sink());
    }

    /** The same, of bytes that are used again at once. */
    void carry(RequestBytes bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {
        if (own == null || own.capacity() < bytes.length()) {
            int room = Math.max(LEAST_ROOM, Integer.highestOneBit(bytes.length()) * 2);
            own = lane.requestBuffer(room);
        }
        own.clear().put(bytes.array(), 0, bytes.length()).flip();
        request = own;
        parser.reset(expectsNoBody, sink);
    }

    /** Whether it is open and carries no request. */
    boolean isIdle() {
        return link.isOpen() && exchange == null;
    }

    /** Whether it is open and carries a request. */
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

    /** Since when it has had nothing to do, if it is idle. */
    long idleSince() {
        return idleSince;
    }

    /** Sends the request of this exchange, over a new connection if it has none. */
    void send(Exchange next, long now) {
        exchange = next;
        isSentAgain = false;
        if (link.isOpen()) {
            write();
        } else if (!link.isOpening()) { // else it is being opened ahead of time
            open(now);
        }
    }

    /** Begins to open the connection. */
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

    /** Returns whether the connection still stands. */
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
        } else if (!goesAgain()) {
            end(why, lane.now());
        }
    }

    /**
     * A kept connection may be closed at any moment: what was sent on it meanwhile and had no answer is sent once more if it
     * may be (RFC 9112, 9.3.1). It counts from its intended time all the same.
     */
    private boolean goesAgain() {
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
     * Nothing can be sent any more. What had come before may be the whole response: a server that takes no body so long
     * answers and resets the connection.
     */
    private void readRest(IOException failed) {
        Wire cut = wire();
        try {
            int read = cut.read(lane.room().buffer());
            while (read > 0) {
                take(read);
                if (!link.isOpen() || wire() != cut) { // the response has ended it; what follows may have opened it
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

    /** Takes so many bytes that have come. */
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
            if (!goesAgain()) {
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
            lane.tally()
                    .closedByUs(); // as planned, or since bytes after the end of a response belong to nothing we have
            // asked
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

    /** A response can come before its request has left: the rest would be taken for the next request's beginning. */
    private boolean isHalfSent() {
        try {
            return request.hasRemaining() || !wire().flush();
        } catch (IOException broken) {
            return true;
        }
    }

    /** Nothing is expected: it can only be the end, or bytes that answer no request. */
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

    /** Forgets the exchange and closes. */
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
