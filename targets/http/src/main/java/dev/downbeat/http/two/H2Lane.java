package dev.downbeat.http.two;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.http.message.OutgoingRequest;
import dev.downbeat.http.options.HttpOptions;
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
import org.jspecify.annotations.Nullable;

/** One generator thread's requests over HTTP/2: a slot is a stream. */
public final class H2Lane implements OpenedLane, H2Connection.Owner {
    /** More than once, because connections opened together receive GOAWAY together. */
    private static final int MOST_TIMES_SENT_AGAIN = 3;

    private static final long NAP_NANOS = 10_000_000;

    private final HttpOptions options;
    private final NanoClock clock;
    private final Conversation conversation;
    private final ConnectionTally tally = new ConnectionTally();
    private final Openings openings;
    private final Polling polling;
    private final H2Pool pool;
    private final H2Dispatcher placing;
    private final H2SendBatch departures;
    private final H2Requests requests;
    private int capacity;
    private int busy;
    private long idleWhenFullNanos;

    public H2Lane(
            Destination destination,
            int connections,
            SharedThreadState common,
            NanoClock clock,
            Exchange.Listener listener) {
        this.options = destination.options();
        this.clock = clock;
        HttpFailures failures = destination.failures();
        ReadBuffer room = new ReadBuffer();
        this.polling = common.polling();
        this.openings = destination.openings(
                polling.selector(), clock, tally, room, failures, options.http().offered());
        polling.lookAfter(openings);
        this.pool = new H2Pool(this, openings, options, connections, tally, room);
        this.departures = new H2SendBatch(clock);
        this.capacity = destination.mostInFlight(connections, true);
        this.conversation = new Conversation(common.writer(), failures, clock, listener);
        this.requests = new H2Requests(
                conversation, destination.encoded(), destination.expectsNoBody(), common.slots(), openings.encrypted());
        this.placing = new H2Dispatcher(pool, requests, options, clock, polling::idleWhenFullNanos);
    }

    /**
     * Opens this many connections before the clock starts, and waits for the servers' settings, which determine how
     * many requests they carry.
     *
     * @throws IOException with the reason, if the server does not respond, or not with HTTP/2
     */
    @Override
    public void openBeforehand(int count) throws IOException {
        new Preconnect(openings, tally, clock, pool::open, this::poll).open(count);
        while (pool.isOpening()) {
            Openings.refuseIfInterrupted();
            poll(clock.nanoTime() + NAP_NANOS);
        }
        capacity = (int) Math.min(capacity, pool.streamsAllowed());
    }

    /** Whether a server chose HTTP/1.1. */
    public boolean wasNotChosen() {
        return pool.wasNotChosen();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public void send(Exchange exchange) {
        H2Stream stream = requests.next(exchange);
        if (stream != null) {
            send(exchange, stream);
        }
    }

    @Override
    public void send(Exchange exchange, OutgoingRequest outgoing) {
        send(exchange, requests.next(exchange, outgoing));
    }

    private void send(Exchange exchange, H2Stream stream) {
        busy++;
        exchange.onStream = true;
        departures.beforeNext(exchange.startedAt);
        if (!placing.place(stream, exchange.startedAt)) {
            return;
        }
        departures.add(exchange);
        if (options.preconnect() && options.keepAlive() && pool.hasRoom()) {
            pool.open(exchange.startedAt); // one per request: lost ones are retried, and no caller waits for them
            // them
        }
    }

    @Override
    public void abandon(Exchange exchange) {
        H2Stream stream = requests.carrying(exchange);
        if (stream == null) {
            return;
        }
        busy--;
        placing.giveUp(stream);
        stream.exchange = null;
    }

    @Override
    public void poll(long untilAt) {
        long until = beforeWait(untilAt);
        boolean isFull = busy == capacity;
        long idleNanos = polling.idleWhenFullNanos();
        polling.until(until, busy > 0, isFull || placing.hasWaiting());
        idleWhenFullNanos += isFull ? polling.idleWhenFullNanos() - idleNanos : 0;
        departures.flush();
    }

    @Override
    public long beforeWait(long untilAt) {
        placing.openForWaiting();
        departures.flush();
        if (departures.readRest()) {
            departures.flush();
            return clock.nanoTime(); // something was handled
        }
        if (!pool.isOpening()) {
            return untilAt;
        }
        long now = clock.nanoTime();
        pool.expireGreetings(now);
        return untilAt - (now + NAP_NANOS) < 0 ? untilAt : now + NAP_NANOS;
    }

    @Override
    public void afterWait() {
        departures.flush();
    }

    @Override
    public boolean hasWaiting() {
        return placing.hasWaiting();
    }

    // Interface to the connections.

    @Override
    public void greeted(H2Connection connection) {
        placing.greeted(connection);
    }

    @Override
    public void changed(H2Connection connection) {
        placing.changed(connection);
    }

    @Override
    public void retired(H2Connection connection) {
        placing.retired(connection);
    }

    @Override
    public void unprocessed(H2Stream stream, long now) {
        if (stream.timesSentAgain == MOST_TIMES_SENT_AGAIN) {
            ended(stream, H2Failures.REFUSED, now);
            return;
        }
        stream.timesSentAgain++;
        tally.sentAgain();
        requests.waitsFor(stream, null);
        stream.keepsStart = true;
        placing.place(stream, clock.nanoTime());
    }

    @Override
    public void ended(H2Stream stream, @Nullable Outcome failure, long now) {
        Exchange exchange = stream.carried();
        stream.exchange = null;
        stream.sink = null;
        busy--;
        exchange.completedAt = now;
        polling.read(exchange, now);
        exchange.outcome = failure == null ? conversation.outcome(exchange) : failure;
        if (requests.goesOn(stream, exchange)) {
            busy++;
            placing.place(stream, clock.nanoTime());
        }
    }

    @Override
    public void hasOutput(H2Connection connection) {
        departures.hasOutput(connection);
    }

    @Override
    public void closed(H2Connection connection, @Nullable Outcome why) {
        placing.gone(connection);
        pool.closed(connection, why);
        long now = clock.nanoTime();
        Outcome failure = why == null ? HttpFailures.CLOSED_BEFORE_RESPONSE : why;
        for (int left = connection.waiting().size(); left > 0; left--) {
            ended(connection.waiting().removeFirst(), failure, now);
        }
    }

    @Override
    public long idleWhenFullNanos() {
        return idleWhenFullNanos;
    }

    @Override
    public TargetCounts counts() {
        return conversation.counts(tally);
    }

    @Override
    public ConnectionCounts connections() {
        return pool.counts();
    }

    @Override
    public void close() {
        pool.close();
        openings.close();
        polling.close();
    }
}
