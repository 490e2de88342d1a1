package dev.downbeat.http.wire;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/**
 * A connection slot, from closed to a usable wire: lookup, connect, handshake. It can be closed and opened again. It
 * reports events to its user and to the openings, which time all attempts.
 *
 * <p>Not thread-safe: belongs to its lane's thread.
 */
public final class Link implements ConnectionAttempts.Attempt {
    private enum State {
        CLOSED,
        LOOKING_UP,
        QUEUE_FULL,
        CONNECTING,
        HANDSHAKING,
        OPEN
    }

    /** The user of a link. */
    public interface User {
        /** The wire is ready. */
        void opened();

        /** The attempt failed; nothing is open. */
        void failedToOpen(Outcome why);

        /** Data has arrived, or more can be sent. */
        void ready() throws IOException;

        /** A connection error; the connection is closed. */
        void broken(Outcome why);
    }

    private final ConnectionAttempts attempts;
    private final User user;
    private final int place;
    private State state = State.CLOSED;
    private @Nullable SocketAddress address;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private @Nullable Wire wire;
    private long attempt;
    private long openingAt;
    private long lookedUpAt;
    private long connectedAt;
    private long openedAt;
    private boolean isHttp2Refused;

    public Link(ConnectionAttempts attempts, User user) {
        this(attempts, user, attempts.newPlace());
    }

    /** A link for a slot, identified by its number, that may follow another there. */
    public Link(ConnectionAttempts attempts, User user, int place) {
        this.attempts = attempts;
        this.user = user;
        this.place = place;
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    public boolean isOpening() {
        return switch (state) {
            case LOOKING_UP, QUEUE_FULL, CONNECTING, HANDSHAKING -> true;
            case CLOSED, OPEN -> false;
        };
    }

    @Override
    public Outcome timedOut() {
        return switch (state) {
            case LOOKING_UP -> HttpFailures.LOOKUP_TIMED_OUT;
            case HANDSHAKING -> HttpFailures.HANDSHAKE_TIMED_OUT;
            case CLOSED, QUEUE_FULL, CONNECTING, OPEN -> HttpFailures.CONNECT_TIMED_OUT;
        };
    }

    /** When the last attempt to open it began. */
    @Override
    public long openingAt() {
        return openingAt;
    }

    /** Whether the server refused HTTP/2 in the last attempt's handshake. */
    public boolean isHttp2Refused() {
        return isHttp2Refused;
    }

    /** When it became ready, if it is open. */
    public long openedAt() {
        return openedAt;
    }

    /**
     * Adds the connection's cost to a request, which may have begun after the attempt, or have used another connection
     * before. Connecting includes waits for the server's accept queue.
     *
     * @param readyAt when its user could first send, possibly after it was open
     */
    public void charge(Exchange exchange, long readyAt) {
        long begun = later(exchange.startedAt, openingAt);
        long lookedUp = later(begun, lookedUpAt);
        long connected = later(lookedUp, connectedAt);
        long rest = later(connected, readyAt) - connected;
        boolean isEncrypted = attempts.encrypted();
        exchange.lookupNanos += lookedUp - begun;
        exchange.connectNanos += connected - lookedUp + (isEncrypted ? 0 : rest);
        exchange.handshakeNanos += isEncrypted ? rest : 0;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    public void open(long now) {
        openingAt = now;
        long number = ++attempt;
        state = State.LOOKING_UP;
        address = null;
        isHttp2Refused = false;
        attempts.began(this);
        if (!attempts.lookup(failure -> lookedUp(number, failure))) {
            lookedUpAt = now;
            connect();
        }
    }

    /** The lookup for an attempt has finished; the attempt may have been abandoned meanwhile. */
    void lookedUp(long number, @Nullable IOException failure) {
        if (state != State.LOOKING_UP || number != attempt) {
            return;
        }
        lookedUpAt = attempts.now();
        if (failure == null) {
            connect();
        } else {
            failedToOpen(failure);
        }
    }

    @Override
    public void retry() {
        if (state == State.QUEUE_FULL) {
            connect();
        }
    }

    private void connect() {
        try {
            SocketAddress to = attempts.address();
            address = to;
            boolean unix = to instanceof UnixDomainSocketAddress;
            SocketChannel opened = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
            channel = opened;
            state = State.CONNECTING;
            opened.configureBlocking(false);
            if (!unix) {
                attempts.configure(opened);
            }
            boolean connected = opened.connect(to);
            key = attempts.register(opened, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, this);
            if (connected) {
                onConnected();
            }
        } catch (IOException failed) {
            if (state == State.CONNECTING && HttpFailures.isQueueFull(failed)) {
                close();
                state = State.QUEUE_FULL;
                attempts.retryLater(this);
            } else {
                failedToOpen(failed);
            }
        } catch (UnresolvedAddressException | UnsupportedAddressTypeException failed) {
            failedToOpen(Outcome.failed("the address cannot be connected to"));
        } catch (UnsupportedOperationException failed) {
            failedToOpen(Outcome.failed(
                    "this system does not support Unix sockets or a socket option: " + failed.getMessage()));
        }
    }

    /** The selector reports it as ready. */
    void ready() {
        try {
            switch (state) {
                case OPEN -> user.ready();
                case HANDSHAKING -> onHandshake();
                case CONNECTING -> {
                    if (channel().finishConnect()) {
                        onConnected();
                    }
                }
                case CLOSED, LOOKING_UP, QUEUE_FULL -> {}
            }
        } catch (IOException failed) {
            broken(failed);
        }
    }

    private void onConnected() throws IOException {
        connectedAt = attempts.now();
        wire = attempts.newWire(channel(), place);
        state = State.HANDSHAKING;
        onHandshake();
    }

    private void onHandshake() throws IOException {
        boolean established = wire().handshake();
        awaitWritable(!wire().flush());
        if (established) {
            openedAt = attempts.encrypted() ? attempts.now() : connectedAt;
            state = State.OPEN;
            attempts.opened(this, wire().resumed());
            user.opened();
        }
    }

    /** A connection error: closes the connection. */
    public void broken(IOException failed) {
        if (isOpening()) {
            failedToOpen(failed);
        } else {
            close();
            user.broken(attempts.reason(failed));
        }
    }

    private void failedToOpen(IOException failed) {
        isHttp2Refused = HttpFailures.isNoHttp2(failed);
        failedToOpen(attempts.reason(failed));
    }

    @Override
    public void failedToOpen(Outcome why) {
        close();
        Outcome failure = attempts.failureAt(address, why);
        attempts.failed(this, failure);
        user.failedToOpen(failure);
    }

    /** Closes the socket; no effect if already closed. */
    public void close() {
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
                // The socket is closed either way, and the request's outcome does not depend on it.
            }
        }
    }

    /** Sets whether to be notified when more can be sent; notification of received data is always on. */
    public void awaitWritable(boolean enabled) {
        key().interestOps(enabled ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    public boolean isWritable() {
        return key().isWritable();
    }

    public boolean isReadable() {
        return key().isReadable();
    }

    public Wire wire() {
        return required(wire);
    }

    private SocketChannel channel() {
        return required(channel);
    }

    private SelectionKey key() {
        return required(key);
    }

    private static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the connection is closed");
        }
        return part;
    }
}
