package dev.downbeat.http;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One place for a connection: it is opened, carries one request at a time, is closed, and is opened again. What it meets
 * it tells the lane, which keeps the books.
 *
 * <p>Longer than most: the states of one connection and the ways between them are one thing, and splitting them would
 * hide which event may come in which state.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
final class HttpConnection {
    enum State {
        CLOSED,
        LOOKING_UP,
        QUEUE_FULL,
        CONNECTING,
        HANDSHAKING,
        IDLE,
        BUSY
    }

    private static final int LEAST_ROOM = 256;

    private final HttpLane lane;
    private final int place;
    private final ResponseParser parser;
    private ByteBuffer request;
    private @Nullable ByteBuffer own;
    private State state = State.CLOSED;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable Wire wire;
    private @Nullable Exchange exchange;
    private int position;
    private long attempt;
    private long openingAt;
    private long lookedUpAt;
    private long connectedAt;
    private long openedAt;
    private long idleSince;

    /** The request's bytes may be shared with others: only the place in them is its own. */
    HttpConnection(HttpLane lane, int place, ByteBuffer request, boolean neverBody, KnownHead known) {
        this.lane = lane;
        this.place = place;
        this.request = request.duplicate();
        this.parser = new ResponseParser(neverBody, known);
    }

    /** Changes what is sent from the next request on. */
    void carry(Outgoing outgoing) {
        request = outgoing.bytes();
        parser.reset(outgoing.expectsNoBody(), outgoing.sink());
    }

    /** The same, of bytes that are used again at once. */
    void carry(RequestBytes bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {
        if (own == null || own.capacity() < bytes.length()) {
            int room = Math.max(LEAST_ROOM, Integer.highestOneBit(bytes.length()) * 2);
            own = lane.encrypted() ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
        }
        own.clear().put(bytes.array(), 0, bytes.length()).flip();
        request = own;
        parser.reset(expectsNoBody, sink);
    }

    State state() {
        return state;
    }

    boolean isOpening() {
        return switch (state) {
            case LOOKING_UP, QUEUE_FULL, CONNECTING, HANDSHAKING -> true;
            case CLOSED, IDLE, BUSY -> false;
        };
    }

    /** When the last attempt to open it began. */
    long openingAt() {
        return openingAt;
    }

    /** Number of the last attempt to open it. */
    long attempt() {
        return attempt;
    }

    @Nullable
    Exchange exchange() {
        return exchange;
    }

    /** Sends the request of this exchange, over a new connection if it has none. */
    void send(Exchange next, long now) {
        exchange = next;
        if (state == State.IDLE) {
            write();
        } else {
            open(now);
        }
    }

    /** Begins to open the connection. */
    void open(long now) {
        openingAt = now;
        attempt++;
        position = 0;
        state = State.LOOKING_UP;
        lane.opening(this);
        if (!lane.lookup(this)) {
            lookedUpAt = now;
            connect();
        }
    }

    /** The look-up this attempt waited for has an answer; the attempt may have been given up meanwhile. */
    void lookedUp(long answered, @Nullable IOException failure) {
        if (state != State.LOOKING_UP || answered != attempt) {
            return;
        }
        lookedUpAt = lane.now();
        if (failure == null) {
            connect();
        } else {
            failedToOpen(lane.failures().of(failure));
        }
    }

    /** Asks again for a place in the server's queue; the attempt may have been given up meanwhile. */
    void retry() {
        if (state == State.QUEUE_FULL) {
            connect();
        }
    }

    private void connect() {
        try {
            SocketAddress address = lane.address();
            boolean unix = address instanceof UnixDomainSocketAddress;
            SocketChannel opened = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
            channel = opened;
            state = State.CONNECTING;
            opened.configureBlocking(false);
            if (!unix) {
                lane.configure(opened);
            }
            boolean connected = opened.connect(address);
            key = lane.register(opened, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
            if (connected) {
                onConnected();
            }
        } catch (IOException failed) {
            if (state == State.CONNECTING && Failures.isQueueFull(failed)) {
                close();
                state = State.QUEUE_FULL;
                lane.retryLater(this);
            } else {
                failedToOpen(lane.failures().of(failed));
            }
        } catch (UnresolvedAddressException | UnsupportedAddressTypeException failed) {
            failedToOpen(Outcome.failed("the address cannot be connected to"));
        }
    }

    /** The selector says that something can be done. */
    void ready() {
        try {
            switch (state) {
                case CONNECTING -> {
                    if (channel().finishConnect()) {
                        onConnected();
                    }
                }
                case HANDSHAKING -> onHandshake();
                case BUSY -> onBusy();
                case IDLE -> onIdle();
                case CLOSED, LOOKING_UP, QUEUE_FULL -> {}
            }
        } catch (IOException failed) {
            broken(lane.failures().of(failed));
        }
    }

    private void onConnected() throws IOException {
        connectedAt = lane.now();
        wire = newWire();
        state = State.HANDSHAKING;
        onHandshake();
    }

    private Wire newWire() throws SSLException {
        SSLEngine engine = lane.newEngine(place);
        if (engine == null) {
            return new Wire.Plain(channel());
        }
        return new TlsWire(channel(), engine, lane.tlsRoom(engine));
    }

    private void onHandshake() throws IOException {
        boolean established = wire().handshake();
        key().interestOps(wire().flush() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if (!established) {
            return;
        }
        openedAt = lane.encrypted() ? lane.now() : connectedAt;
        Exchange waiting = exchange;
        if (waiting == null) {
            becomeIdle(openedAt);
            lane.opened(this, wire().resumed());
        } else {
            lane.opened(this, wire().resumed());
            waiting.lookupNanos = lookedUpAt - openingAt;
            waiting.connectNanos = Math.max(1, connectedAt - lookedUpAt);
            waiting.handshakeNanos = lane.encrypted() ? Math.max(1, openedAt - connectedAt) : 0;
            waiting.unconnected = false;
            write();
        }
    }

    private void write() {
        state = State.BUSY;
        parser.reset();
        busy().position = ++position;
        request.rewind();
        lane.sending(request.remaining());
        try {
            if (!wire().write(request)) {
                key().interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            }
        } catch (IOException failed) {
            broken(lane.failures().of(failed));
        }
    }

    private void onBusy() throws IOException {
        if (key().isWritable() && wire().flush() && wire().write(request)) {
            key().interestOps(SelectionKey.OP_READ);
        }
        if (key().isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        ByteBuffer buffer = lane.readBuffer();
        int read = wire().read(buffer);
        if (read == 0) {
            return;
        }
        long now = lane.now();
        if (read < 0) {
            onEndOfStream(now);
            return;
        }
        lane.received(read);
        if (!parser.hasStarted()) {
            busy().firstByteAt = now;
        }
        byte[] bytes = lane.readBytes(buffer);
        int used = parser.feed(bytes, 0, read);
        Outcome failure = parser.failure();
        if (failure != null) {
            close();
            lane.closedByUs();
            end(failure, now);
        } else if (parser.isDone()) {
            onResponse(used == read, now);
        } else if (wire().ended()) {
            onEndOfStream(now);
        }
    }

    private void onEndOfStream(long now) {
        boolean complete = wire().endIsGenuine() && parser.endOfStream();
        close();
        if (complete) {
            lane.closedByServer(true);
            endWithStatus(now);
        } else {
            lane.closedByServer(false);
            end(parser.hasStarted() ? Failures.CLOSED_IN_MID_RESPONSE : Failures.CLOSED_BEFORE_RESPONSE, now);
        }
    }

    private void onResponse(boolean nothingMore, long now) {
        boolean worn = !lane.keepsAlive() || position >= lane.maxRequests() || isHalfSent();
        if (worn || (parser.keepsAlive() && !nothingMore)) {
            close();
            lane.closedByUs(); // as planned, or since bytes after the end of a response belong to nothing we have asked
        } else if (!parser.keepsAlive()) {
            close();
            lane.closedByServer(true);
        } else if (wire().ended()) {
            close();
            lane.closedByServer(false);
        } else {
            becomeIdle(now);
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

    private void becomeIdle(long now) {
        state = State.IDLE;
        idleSince = now;
    }

    /** Since when it has had nothing to do, if it is idle. */
    long idleSince() {
        return idleSince;
    }

    /** Nothing is expected: it can only be the end, or bytes that answer no request. */
    private void onIdle() throws IOException {
        int read = wire().read(lane.readBuffer());
        if (read < 0) {
            close();
            lane.closedByServer(false);
        } else if (read > 0) {
            close();
            lane.closedByUs();
        }
    }

    /** An error on the way: the connection is gone, and with it the request. */
    private void broken(Outcome why) {
        if (isOpening()) {
            failedToOpen(why);
            return;
        }
        close();
        lane.closedByServer(false);
        if (exchange != null) {
            end(why, lane.now());
        }
    }

    /** Gives up an attempt to open. */
    void failedToOpen(Outcome why) {
        close();
        lane.failedToOpen(this, why);
        if (exchange != null) {
            end(why, lane.now());
        }
    }

    private void end(Outcome outcome, long now) {
        Exchange ended = busy();
        exchange = null;
        ended.outcome = outcome;
        ended.completedAt = now;
        ended.unreadNanos = lane.unreadNanos(ended, now);
        lane.ended(this, ended);
    }

    /** Forgets the exchange and closes. */
    void abandon() {
        exchange = null;
        close();
    }

    /** Closes the socket; harmless if it is closed. */
    void close() {
        state = State.CLOSED;
        SocketChannel open = channel;
        if (open != null) {
            channel = null;
            if (wire != null) {
                wire.release();
                wire = null;
            }
            key = null;
            try {
                open.close();
            } catch (IOException ignored) {
                // The socket is gone either way, and the request's outcome does not depend on it.
            }
        }
    }

    private SocketChannel channel() {
        return required(channel);
    }

    private SelectionKey key() {
        return required(key);
    }

    private Wire wire() {
        return required(wire);
    }

    private Exchange busy() {
        return required(exchange);
    }

    private static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the connection is closed");
        }
        return part;
    }
}
