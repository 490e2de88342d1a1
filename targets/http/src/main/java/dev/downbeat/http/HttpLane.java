package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one generator thread, on one selector. A request takes the connection that has been idle for
 * longest; if there is none, it opens one.
 *
 * <p>Longer than most: it keeps the books of its connections, and every entry must change together with its counts.
 */
final class HttpLane implements Lane {
    private static final long OPENING_NAP_NANOS = 10_000_000;

    private static final long RETRY_NANOS = 1_000_000;

    /** How many connections are opened at once beforehand. */
    private static final int MOST_OPENING = 256;

    private static final int READ_BUFFER_BYTES = 64 * 1024;

    private final HttpTarget target;
    private final Addresses addresses;
    private final Resolver resolver;
    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final Selector selector;
    private final Failures failures = new Failures();
    private final HttpConnection[] connections;
    private final HttpConnection[] bySlot;
    private final Deque<HttpConnection> idle;
    private final Deque<HttpConnection> closed;
    private final Deque<HttpConnection> opening = new ArrayDeque<>();
    private final Deque<HttpConnection> refused = new ArrayDeque<>();
    private ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
    private byte[] readBytes = new byte[READ_BUFFER_BYTES];
    private @Nullable TlsRoom tlsRoom;
    private final SelectorWait wait;
    private final @Nullable RequestWriter writer;
    private final RequestBytes written = new RequestBytes();
    private @Nullable Outcome lastFailureToOpen;
    private final long maxIdleNanos;
    private BooleanSupplier interrupted = () -> false;
    private boolean handled;
    private long wokenAt;
    private long idleWhenFullNanos;
    private long retryAt;
    private int busy;
    private long openedCount;
    private long sentBytes;
    private long receivedBytes;
    private long resumedCount;
    private long failedCount;
    private long closedByServerWithNoticeCount;
    private long closedByServerCount;
    private long closedByUsCount;

    HttpLane(HttpTarget target, int capacity, NanoClock clock, Exchange.Listener listener) throws IOException {
        this.target = target;
        this.clock = clock;
        this.maxIdleNanos = target.options().maxIdleNanos();
        this.listener = listener;
        this.selector = Selector.open();
        this.addresses = new Addresses(target.endpoint(), target.options(), clock);
        this.resolver = new Resolver(addresses::lookup, selector);
        this.wait = new SelectorWait(selector, clock, target.options().pacing(), this::handle, this::hasHandled);
        this.connections = new HttpConnection[capacity];
        this.bySlot = new HttpConnection[capacity];
        this.idle = new ArrayDeque<>(capacity + 1);
        this.closed = new ArrayDeque<>(capacity + 1);
        this.writer = target.writer(capacity);
        ByteBuffer request = target.encoded();
        KnownHead known = new KnownHead();
        for (int i = 0; i < capacity; i++) {
            connections[i] = new HttpConnection(this, target.newPlace(), request, target.expectsNoBody(), known);
            closed.add(connections[i]);
        }
    }

    /**
     * Opens connections before the clock starts: one, to see that somebody answers, then the rest. Of several addresses
     * the first that answers is taken.
     *
     * @throws IOException if nobody does; its message says why
     */
    void openBeforehand(int count) throws IOException {
        lookUpBeforehand();
        for (int tries = addresses.count(); openedCount == 0 && tries > 0; tries--) {
            if (lastFailureToOpen != null && !target.options().everyAddress()) {
                addresses.skip();
            }
            open(1);
        }
        if (openedCount == 0) {
            throw new IOException(lastFailureToOpen == null ? "no address" : lastFailureToOpen.reason());
        }
        open(count - 1);
    }

    /** A wave at a time: what waits for our own work on others must not time out for it. */
    private void open(int count) throws IOException {
        for (int left = count; left > 0 || !opening.isEmpty(); ) {
            for (; left > 0 && opening.size() < MOST_OPENING; left--) {
                closed.removeFirst().open(clock.nanoTime());
            }
            refuseIfInterrupted();
            if (!opening.isEmpty()) { // each attempt has its own timeout
                poll(clock.nanoTime() + OPENING_NAP_NANOS);
            }
        }
    }

    /** On the resolver's thread, since a look-up does not hear an interrupt. */
    private void lookUpBeforehand() throws IOException {
        resolver.ask();
        Resolver.Answer answer = resolver.poll();
        while (answer == null) {
            refuseIfInterrupted();
            selector.select(OPENING_NAP_NANOS / 1_000_000);
            answer = resolver.poll();
        }
        IOException failure = answer.failure();
        if (failure != null) {
            throw failure;
        }
        addresses.found(answer.found());
    }

    private static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted while connecting");
        }
    }

    @Override
    public int capacity() {
        return connections.length;
    }

    @Override
    public void send(Exchange exchange) {
        if (writer == null) {
            send(exchange, next());
            return;
        }
        written.clear();
        Outcome refused = writer.write(exchange, written);
        if (refused != null) {
            refuse(exchange, refused);
            return;
        }
        HttpConnection connection = next();
        connection.carry(written, writer.expectsNoBody(), writer.sink(exchange));
        send(exchange, connection);
    }

    /** No byte of it can be sent. */
    private void refuse(Exchange exchange, Outcome why) {
        exchange.unconnected = true;
        exchange.outcome = why;
        exchange.completedAt = clock.nanoTime();
        listener.completed(exchange);
    }

    /** What a complete response means. */
    Outcome outcome(Exchange exchange) {
        Outcome usual = failures.ofStatus(exchange.status);
        return writer == null ? usual : writer.outcome(exchange, usual);
    }

    /** Sends a request of its own; a lane that is used like this is always used like this. */
    void send(Exchange exchange, Outgoing outgoing) {
        HttpConnection connection = next();
        connection.carry(outgoing);
        send(exchange, connection);
    }

    private void send(Exchange exchange, HttpConnection connection) {
        busy++;
        exchange.unconnected = connection.state() != HttpConnection.State.IDLE;
        bySlot[exchange.slot] = connection;
        connection.send(exchange, exchange.startedAt);
    }

    private HttpConnection next() {
        for (HttpConnection first = idle.poll(); first != null; first = idle.poll()) {
            if (first.state() == HttpConnection.State.IDLE) {
                if (maxIdleNanos == Long.MAX_VALUE || clock.nanoTime() - first.idleSince() < maxIdleNanos) {
                    return first;
                }
                first.close();
                closedByUsCount++;
            }
            closed.push(first); // else the server has closed it while it was idle
        }
        return closed.pop();
    }

    @Override
    public void abandon(Exchange exchange) {
        HttpConnection connection = bySlot[exchange.slot];
        if (connection.isOpening()) {
            opening.remove(connection);
            refused.remove(connection);
            failedCount++;
        } else {
            closedByUsCount++;
        }
        connection.abandon();
        closed.push(connection);
        busy--;
    }

    @Override
    public void poll(long untilAt) {
        try {
            handled = false;
            expireOpening();
            takeLookups();
            retryRefused();
            if (!handled) {
                boolean retries = !refused.isEmpty() && retryAt - untilAt < 0;
                await(retries ? retryAt : untilAt);
                takeLookups();
                retryRefused();
            }
        } catch (IOException broken) {
            throw new IllegalStateException("the selector failed: " + broken.getMessage(), broken);
        }
    }

    private void retryRefused() {
        if (refused.isEmpty() || clock.nanoTime() - retryAt < 0) {
            return;
        }
        handled = true;
        for (int left = refused.size(); left > 0 && !refused.isEmpty(); left--) {
            refused.removeFirst().retry(); // which may put it back
        }
    }

    private void await(long untilAt) throws IOException {
        boolean full = busy == connections.length;
        long since = full ? clock.nanoTime() : 0;
        wait.until(untilAt, busy > 0);
        long lookedAt = handled ? wokenAt : clock.nanoTime();
        wait.looked(lookedAt);
        idleWhenFullNanos += full ? lookedAt - since : 0;
    }

    /** For how long at most what is read now lay unread. */
    long unreadNanos(Exchange exchange, long now) {
        return Math.min(now - wait.lookedAt(), now - exchange.startedAt);
    }

    @Override
    public long idleWhenFullNanos() {
        return idleWhenFullNanos;
    }

    private void takeLookups() {
        for (Resolver.Answer answer = resolver.poll(); answer != null; answer = resolver.poll()) {
            handled = true;
            if (answer.failure() == null) {
                addresses.found(answer.found());
            }
            for (Resolver.Attempt attempt : answer.waiting()) {
                attempt.connection().lookedUp(attempt.number(), answer.failure());
            }
        }
    }

    private boolean hasHandled() {
        return handled || resolver.hasAnswers() || interrupted.getAsBoolean();
    }

    /** Ends a {@link #poll} early whenever this becomes true and {@link #wake} is called; before the first use. */
    void interruptWhen(BooleanSupplier condition) {
        interrupted = condition;
    }

    /** Ends a poll that sleeps. Thread-safe. */
    void wake() {
        selector.wakeup();
    }

    private void handle(SelectionKey key) {
        if (!handled) {
            wokenAt = clock.nanoTime(); // from here on we work
        }
        handled = true;
        ((HttpConnection) key.attachment()).ready();
    }

    /** Attempts are in the order of their beginning; those that have ended are not among them. */
    private void expireOpening() {
        while (!opening.isEmpty()) {
            HttpConnection first = opening.peekFirst();
            if (clock.nanoTime() - first.openingAt() < target.options().connectTimeoutNanos()) {
                return;
            }
            handled = true;
            first.failedToOpen( // which takes it out of the attempts
                    switch (first.state()) {
                        case LOOKING_UP -> Failures.LOOKUP_TIMED_OUT;
                        case HANDSHAKING -> Failures.HANDSHAKE_TIMED_OUT;
                        default -> Failures.CONNECT_TIMED_OUT;
                    });
        }
    }

    // What the connections need, and what they tell.

    SocketAddress address() {
        return addresses.next();
    }

    /** Asks for a look-up if the connection needs one first; returns whether it must wait for the answer. */
    boolean lookup(HttpConnection connection) {
        if (!addresses.needLookup()) {
            return false;
        }
        resolver.ask(new Resolver.Attempt(connection, connection.attempt()));
        return true;
    }

    void configure(SocketChannel channel) throws IOException {
        HttpOptions options = target.options();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, options.tcpNoDelay());
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, options.tcpKeepAlive());
        if (options.localAddress().isPresent()) {
            channel.bind(new InetSocketAddress(options.localAddress().get(), 0));
        }
    }

    int maxRequests() {
        return target.options().maxRequests();
    }

    Failures failures() {
        return failures;
    }

    long now() {
        return clock.nanoTime();
    }

    boolean encrypted() {
        return target.endpoint().tls();
    }

    boolean keepsAlive() {
        return target.options().keepAlive();
    }

    @Nullable
    SSLEngine newEngine(int place) throws SSLException {
        return target.newEngine(place);
    }

    SelectionKey register(SelectableChannel channel, int interest, HttpConnection connection) throws IOException {
        return channel.register(selector, interest, connection);
    }

    ByteBuffer readBuffer() {
        return readBuffer.clear();
    }

    /** The room that the encrypted connections share; what comes out of it is read on the heap at once. */
    TlsRoom tlsRoom(SSLEngine engine) {
        if (tlsRoom == null) {
            tlsRoom = new TlsRoom(engine);
            readBytes = new byte[tlsRoom.plainBytes()];
            readBuffer = ByteBuffer.wrap(readBytes);
        }
        return tlsRoom;
    }

    /** What was read, on the heap, where the parser is quickest. */
    byte[] readBytes(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            return readBytes;
        }
        buffer.flip();
        buffer.get(readBytes, 0, buffer.limit());
        return readBytes;
    }

    /** The server's queue is full: tries again soon, until the timeout. */
    void retryLater(HttpConnection connection) {
        refused.addLast(connection);
        retryAt = clock.nanoTime() + RETRY_NANOS;
    }

    void opening(HttpConnection connection) {
        opening.addLast(connection);
    }

    void opened(HttpConnection connection, boolean resumed) {
        opening.remove(connection);
        openedCount++;
        resumedCount += resumed ? 1 : 0;
        if (connection.state() == HttpConnection.State.IDLE) {
            idle.addLast(connection);
        }
    }

    void failedToOpen(HttpConnection connection, Outcome why) {
        opening.remove(connection);
        refused.remove(connection);
        failedCount++;
        lastFailureToOpen = why;
        if (connection.exchange() == null) {
            closed.addLast(connection);
        }
    }

    void closedByServer(boolean withNotice) {
        if (withNotice) {
            closedByServerWithNoticeCount++;
        } else {
            closedByServerCount++;
        }
    }

    void closedByUs() {
        closedByUsCount++;
    }

    void ended(HttpConnection connection, Exchange exchange) {
        busy--;
        if (connection.state() == HttpConnection.State.IDLE) {
            idle.addLast(connection);
        } else {
            closed.push(connection);
        }
        listener.completed(exchange);
    }

    /** Bytes of a request, before encryption; all of them, though it may break on the way. */
    void sending(int bytes) {
        sentBytes += bytes;
    }

    /** Bytes of responses, after decryption, heads included. */
    void received(int bytes) {
        receivedBytes += bytes;
    }

    @Override
    public TargetCounts counts() {
        return new TargetCounts(Map.of("bytes received", receivedBytes, "bytes sent", sentBytes));
    }

    @Override
    public ConnectionCounts connections() {
        long open = 0;
        long inUse = 0;
        for (HttpConnection connection : connections) {
            inUse += connection.state() == HttpConnection.State.BUSY ? 1 : 0;
            open += connection.state() == HttpConnection.State.IDLE ? 1 : 0;
        }
        return new ConnectionCounts(
                openedCount,
                resumedCount,
                failedCount,
                closedByServerWithNoticeCount,
                closedByServerCount,
                closedByUsCount,
                open + inUse,
                inUse);
    }

    @Override
    public void close() {
        for (HttpConnection connection : connections) {
            connection.abandon();
        }
        resolver.close();
        wait.close();
        try {
            selector.close();
        } catch (IOException ignored) {
            // Nothing is left that could be lost.
        }
    }
}
