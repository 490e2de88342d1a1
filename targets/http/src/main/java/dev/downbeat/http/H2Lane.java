package dev.downbeat.http;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one generator thread over HTTP/2: a slot is a stream. A request takes the connection with the fewest
 * streams; if none has one to spare, it opens a connection, or waits for a stream if all are open.
 */
final class H2Lane implements OpenedLane, H2Connection.Owner {
    /** Requests that leave together wait for each other at most so long. */
    private static final long MOST_GATHERING_NANOS = 20_000;

    private static final int MOST_GATHERED = 64;

    /** A connection has no numbers for more streams. */
    private static final int MOST_REQUESTS = (1 << 30) - 1;

    /** More than once, since connections that were opened together are told to go together. */
    private static final int MOST_TIMES_SENT_AGAIN = 3;

    private static final long NAP_NANOS = 10_000_000;

    private final HttpOptions options;
    private final StreamOptions streamOptions;
    private final boolean mustBeChosen;
    private final NanoClock clock;
    private final Exchange.Listener listener;
    private final Failures failures = new Failures();
    private final ConnectionTally tally = new ConnectionTally();
    private final ReadRoom room = new ReadRoom();
    private final Openings openings;
    private final Polling polling;
    private final @Nullable H2Connection[] places;
    private final int[] tlsPlaces;
    private final Deque<Integer> closedPlaces = new ArrayDeque<>();
    private final List<H2Connection> leaving = new ArrayList<>();
    private final List<H2Connection> opening = new ArrayList<>();
    private final List<H2Connection> withOutput = new ArrayList<>();
    private final LeastLoaded<H2Connection> usable;
    private final @Nullable H2Stream[] bySlot;
    private final @Nullable H2Connection[] connectionBySlot;
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private final Exchange[] gathered = new Exchange[MOST_GATHERED];
    private int gatheredCount;
    private final @Nullable RequestWriter writer;
    private final byte[] constant;
    private final boolean constantExpectsNoBody;
    private final H2Head head;
    private final RequestBytes written = new RequestBytes();
    private int capacity;
    private int busy;
    private long hops;
    private final int mostRequests;
    private boolean wasNotChosen;
    private @Nullable Outcome lastFailure;

    H2Lane(HttpTarget target, int connections, NanoClock clock, Exchange.Listener listener) throws IOException {
        this.options = target.options();
        this.streamOptions = options.streams();
        this.clock = clock;
        this.listener = listener;
        Selector selector = Selector.open();
        this.openings = target.openings(
                selector, clock, tally, room, failures, options.http().offered());
        this.mustBeChosen = openings.encrypted();
        this.polling = new Polling(selector, openings, clock, options.pacing());
        this.places = new H2Connection[connections];
        this.tlsPlaces = new int[connections];
        for (int place = 0; place < connections; place++) {
            tlsPlaces[place] = openings.newPlace();
            closedPlaces.add(place);
        }
        this.usable = new LeastLoaded<>(streamOptions.streams());
        this.capacity = Math.multiplyExact(connections, streamOptions.streams());
        this.bySlot = new H2Stream[capacity];
        this.connectionBySlot = new H2Connection[capacity];
        this.writer = target.writer(capacity);
        ByteBuffer encoded = target.encoded().duplicate();
        this.constant = new byte[encoded.remaining()];
        encoded.get(constant);
        this.mostRequests = options.keepAlive() ? Math.min(options.maxRequests(), MOST_REQUESTS) : 1;
        this.constantExpectsNoBody = target.expectsNoBody();
        this.head = new H2Head(mustBeChosen);
        if (writer == null) {
            head.parse(constant, constant.length);
        }
    }

    /**
     * Opens so many connections before the clock starts, and waits for the servers' settings: from then on it is known how
     * many requests they carry.
     *
     * @throws IOException if nobody answers, or not in HTTP/2; its message says why
     */
    @Override
    public void openBeforehand(int count) throws IOException {
        new Preconnect(openings, tally, clock, this::open, this::poll).open(count);
        while (!opening.isEmpty()) {
            Openings.refuseIfInterrupted();
            poll(clock.nanoTime() + NAP_NANOS);
        }
        int known = 0;
        int open = 0;
        for (H2Connection connection : places) {
            if (connection != null && connection.isGreeted()) {
                open++;
                known += connection.streamLimit();
            }
        }
        if (open == 0) {
            throw new IOException(lastFailure == null ? "no connection" : lastFailure.reason());
        }
        long each = Math.max(1, known / open); // those that are not open yet will be like the others
        capacity = (int) Math.min(capacity, Math.max(1, known + each * (places.length - open)));
    }

    /** Whether a server has chosen HTTP/1.1. */
    boolean wasNotChosen() {
        return wasNotChosen;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void send(Exchange exchange) {
        H2Stream stream = bySlot[exchange.slot];
        if (stream == null) {
            stream = new H2Stream();
            bySlot[exchange.slot] = stream;
        }
        if (writer == null) {
            stream.begin(exchange, constant);
            stream.expectsNoBody = constantExpectsNoBody;
        } else {
            written.clear();
            Outcome refused = writer.write(exchange, written);
            if (refused != null) {
                exchange.unconnected = true;
                exchange.outcome = refused;
                exchange.completedAt = clock.nanoTime();
                listener.completed(exchange);
                return;
            }
            stream.begin(exchange, written);
            stream.expectsNoBody = writer.expectsNoBody();
            stream.sink = writer.sink(exchange);
        }
        busy++;
        if (gatheredCount > 0 && exchange.startedAt - gathered[0].startedAt > MOST_GATHERING_NANOS) {
            flush();
        }
        H2Connection connection = usable();
        if (connection == null) {
            await(stream, exchange.startedAt);
            return;
        }
        start(stream, connection);
        gathered[gatheredCount++] = exchange;
        if (gatheredCount == MOST_GATHERED) {
            flush();
        }
        if (options.preconnect() && options.keepAlive() && !closedPlaces.isEmpty()) {
            open(exchange.startedAt); // one for each request: those that are lost come back, and nobody waits for them
        }
    }

    /** The connection for the next request; null if none can bear one more. */
    private @Nullable H2Connection usable() {
        H2Connection best = usable.get();
        while (best != null && best.streamsOpen() == 0 && best.position() > 0 && hasRested(best)) {
            leave(best);
            best.retire();
            best = usable.get();
        }
        return best;
    }

    private boolean hasRested(H2Connection connection) {
        return options.maxIdleNanos() != Long.MAX_VALUE
                && clock.nanoTime() - connection.idleSince() >= options.maxIdleNanos();
    }

    private void start(H2Stream stream, H2Connection connection) {
        Exchange exchange = stream.carried();
        connectionBySlot[exchange.slot] = connection;
        if (writer != null) {
            head.parse(stream.request, stream.requestLength);
        }
        connection.start(stream, head, writer == null);
        if (connection.position() >= mostRequests) {
            leave(connection);
            connection.retire();
        }
        usable.move(connection.standing(), connection.load());
    }

    /** No stream is free: another connection is opened, if there may be one more. */
    private void await(H2Stream stream, long now) {
        stream.carried().unconnected = true;
        for (H2Connection connection : opening) {
            if (connection.waiting().size() < streamOptions.streams()) {
                await(stream, connection);
                return;
            }
        }
        if (closedPlaces.isEmpty()) {
            stream.waitsForStream = true;
            waiting.addLast(stream);
        } else {
            int place = closedPlaces.removeFirst();
            H2Connection connection = newConnection(place);
            await(stream, connection);
            connection.link().open(now);
        }
    }

    private void await(H2Stream stream, H2Connection connection) {
        connectionBySlot[stream.carried().slot] = connection;
        connection.waiting().addLast(stream);
    }

    private void open(long now) {
        newConnection(closedPlaces.removeFirst()).link().open(now);
    }

    private H2Connection newConnection(int place) {
        H2Connection connection =
                new H2Connection(this, openings, place, tlsPlaces[place], mustBeChosen, tally, room, streamOptions);
        places[place] = connection;
        opening.add(connection);
        return connection;
    }

    @Override
    public void abandon(Exchange exchange) {
        H2Stream stream = bySlot[exchange.slot];
        if (stream == null || stream.exchange != exchange) {
            return;
        }
        H2Connection connection = connectionBySlot[exchange.slot];
        stream.exchange = null;
        busy--;
        if (stream.waitsForStream) {
            waiting.remove(stream);
        } else if (stream.id == 0 && connection != null) {
            connection.waiting().remove(stream);
        } else if (connection != null) {
            connection.cancel(stream);
        }
    }

    @Override
    public void poll(long untilAt) {
        openForWaiting();
        flush();
        long until = untilAt;
        if (!opening.isEmpty()) {
            long now = clock.nanoTime();
            expireGreetings(now);
            until = untilAt - (now + NAP_NANOS) < 0 ? untilAt : now + NAP_NANOS;
        }
        polling.until(until, busy > 0, busy == capacity);
        flush();
    }

    private void expireGreetings(long now) {
        for (H2Connection connection : opening.toArray(H2Connection[]::new)) {
            if (connection.awaitsSettings() && now - connection.link().openedAt() >= options.connectTimeoutNanos()) {
                connection.breakOff(ErrorCode.SETTINGS_TIMEOUT, H2Failures.SETTINGS_TIMED_OUT);
            }
        }
    }

    // What the connections tell.

    @Override
    public void greeted(H2Connection connection) {
        opening.remove(connection);
        Link link = connection.link();
        for (int left = connection.waiting().size(); left > 0; left--) {
            H2Stream stream = connection.waiting().removeFirst();
            if (connection.load() < 0) { // the server allows fewer than we had thought
                stream.waitsForStream = true;
                waiting.addLast(stream);
                continue;
            }
            Exchange exchange = stream.carried();
            long from = exchange.startedAt; // the attempt may have begun before the request came
            long lookedUpAt = later(from, link.openingAt() + link.lookupNanos());
            long connectedAt = later(lookedUpAt, link.openedAt() - link.handshakeNanos());
            exchange.lookupNanos = lookedUpAt - from;
            exchange.connectNanos = connectedAt - lookedUpAt;
            exchange.handshakeNanos = mustBeChosen ? later(connectedAt, connection.greetedAt()) - connectedAt : 0;
            exchange.connectNanos += mustBeChosen ? 0 : later(connectedAt, connection.greetedAt()) - connectedAt;
            start(stream, connection);
        }
        changed(connection);
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    @Override
    public void changed(H2Connection connection) {
        while (!waiting.isEmpty() && connection.load() >= 0) {
            H2Stream stream = waiting.removeFirst();
            stream.waitsForStream = false;
            Exchange exchange = stream.carried();
            if (!stream.keepsStart) {
                exchange.startedAt = clock.nanoTime(); // until then no stream was free
                exchange.firstByteAt = exchange.startedAt;
            }
            start(stream, connection);
        }
        usable.move(connection.standing(), connection.load());
    }

    /** Whatever waits for it goes to another; that one is opened now, not when somebody needs it. */
    @Override
    public void retired(H2Connection connection) {
        usable.move(connection.standing(), -1);
        leave(connection);
        if (connection.position() > 0 && !closedPlaces.isEmpty()) {
            open(clock.nanoTime());
        }
    }

    /** Gives its place up, for another. */
    private void leave(H2Connection connection) {
        if (places[connection.place()] == connection) {
            places[connection.place()] = null;
            closedPlaces.addLast(connection.place());
            leaving.add(connection);
        }
    }

    @Override
    public void unprocessed(H2Stream stream, long now) {
        if (stream.timesSentAgain == MOST_TIMES_SENT_AGAIN) {
            ended(stream, H2Failures.REFUSED, now);
            return;
        }
        stream.timesSentAgain++;
        tally.sentAgain();
        connectionBySlot[stream.carried().slot] = null;
        stream.keepsStart = true;
        sendOn(stream);
    }

    @Override
    public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
        Exchange exchange = stream.carried();
        stream.exchange = null;
        stream.sink = null;
        busy--;
        exchange.completedAt = now;
        exchange.unreadNanos = polling.unreadNanos(exchange, now);
        exchange.outcome = failure == null ? outcome(exchange) : failure;
        if (exchange.outcome.fate() != Fate.ANSWERED || !goesOn(stream, exchange)) {
            listener.completed(exchange);
        }
    }

    /** Sends what the response asks for, if it does: its time is part of the exchange. */
    private boolean goesOn(H2Stream stream, Exchange exchange) {
        if (writer == null) {
            return false;
        }
        written.clear();
        if (!writer.goesOn(exchange, written)) {
            return false;
        }
        hops++;
        busy++;
        stream.begin(exchange, written);
        stream.expectsNoBody = writer.expectsNoBody();
        stream.sink = writer.sink(exchange);
        stream.keepsStart = true;
        sendOn(stream);
        return true;
    }

    private void sendOn(H2Stream stream) {
        H2Connection other = usable();
        if (other == null) {
            await(stream, clock.nanoTime());
        } else {
            start(stream, other);
        }
    }

    private Outcome outcome(Exchange exchange) {
        Outcome usual = failures.ofStatus(exchange.status);
        return writer == null ? usual : writer.outcome(exchange, usual);
    }

    @Override
    public void hasOutput(H2Connection connection) {
        if (!connection.isListed()) {
            connection.listed(true);
            withOutput.add(connection);
        }
    }

    @Override
    public void flush() {
        if (gatheredCount > 0) {
            stamp(clock.nanoTime());
        }
        for (int i = 0; i < withOutput.size(); i++) { // a flush may add more
            H2Connection connection = withOutput.get(i);
            connection.listed(false);
            connection.flush();
        }
        withOutput.clear();
    }

    /** What a request waits for others that leave with it is our own delay. */
    private void stamp(long now) {
        for (int i = 0; i < gatheredCount; i++) {
            Exchange exchange = gathered[i];
            if (exchange.dispatchedAt == exchange.startedAt) {
                exchange.dispatchedAt = now;
            }
            exchange.startedAt = now;
            exchange.firstByteAt = now;
        }
        gatheredCount = 0;
    }

    @Override
    public void closed(H2Connection connection, @Nullable Outcome why) {
        usable.move(connection.standing(), -1);
        opening.remove(connection);
        leave(connection);
        leaving.remove(connection);
        if (why != null) {
            lastFailure = why;
            wasNotChosen |= why.equals(H2Failures.NOT_CHOSEN);
        }
        long now = clock.nanoTime();
        Outcome failure = why == null ? Failures.CLOSED_BEFORE_RESPONSE : why;
        for (int left = connection.waiting().size(); left > 0; left--) {
            ended(connection.waiting().removeFirst(), failure, now);
        }
    }

    /** Those that wait for a stream must not wait for connections that are closed. */
    private void openForWaiting() {
        while (!waiting.isEmpty() && !closedPlaces.isEmpty() && opening.isEmpty()) {
            H2Stream first = waiting.removeFirst();
            first.waitsForStream = false;
            await(first, clock.nanoTime());
        }
    }

    @Override
    public long idleWhenFullNanos() {
        return polling.idleWhenFullNanos();
    }

    @Override
    public TargetCounts counts() {
        TargetCounts counts = tally.targetCounts();
        return hops == 0 ? counts : counts.plus(new TargetCounts(Map.of("redirects followed", hops)));
    }

    @Override
    public ConnectionCounts connections() {
        long open = 0;
        long inUse = 0;
        for (H2Connection connection : places) {
            open += connection != null && connection.isGreeted() ? 1 : 0;
            inUse += connection != null && connection.streamsOpen() > 0 ? 1 : 0;
        }
        for (H2Connection connection : leaving) {
            open++;
            inUse += connection.streamsOpen() > 0 ? 1 : 0;
        }
        return tally.counts(open, inUse);
    }

    @Override
    public void close() {
        for (H2Connection connection : places) {
            if (connection != null) {
                connection.link().close();
            }
        }
        leaving.forEach(connection -> connection.link().close());
        openings.close();
        polling.close();
    }
}
