package dev.downbeat.http.two;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.http.message.RequestWriter.OutgoingRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.ConnectionAttempts;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.Conversation;
import dev.downbeat.http.wire.Destination;
import dev.downbeat.http.wire.HttpFailures;
import dev.downbeat.http.wire.OpenedLane;
import dev.downbeat.http.wire.OpenedLane.SharedThreadState;
import dev.downbeat.http.wire.Polling;
import dev.downbeat.http.wire.ReadBuffer;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One generator thread's requests over HTTP/2: a slot is a stream. */
public final class H2Lane implements OpenedLane, H2Connection.Owner {
    /** More than once, because connections opened together receive GOAWAY together. */
    private static final int MOST_TIMES_SENT_AGAIN = 3;

    /** A connection's stream identifiers are exhausted after this many. */
    private static final int MOST_REQUESTS = (1 << 30) - 1;

    private static final long NAP_NANOS = 10_000_000;

    private final HttpOptions options;
    private final NanoClock clock;
    private final Conversation conversation;
    private final ConnectionCounter counter = new ConnectionCounter();
    private final ConnectionAttempts attempts;
    private final Polling polling;
    private final H2Pool pool;
    private final StreamSlots<H2Connection> slots;
    private final int mostRequests;
    private final SendBatch batch;
    private final Requests requests;
    private int capacity;
    private int busy;
    private long idleWhenFullNanos;

    public H2Lane(
            Destination destination,
            int connections,
            SharedThreadState shared,
            NanoClock clock,
            Exchange.Listener listener) {
        this.options = destination.options();
        this.clock = clock;
        HttpFailures failures = destination.failures();
        ReadBuffer readBuffer = new ReadBuffer();
        this.polling = shared.polling();
        this.attempts = destination.newAttempts(
                polling.selector(),
                clock,
                counter,
                readBuffer,
                failures,
                options.http().offered());
        polling.add(attempts);
        this.pool = new H2Pool(this, attempts, options, connections, counter, readBuffer);
        this.batch = new SendBatch(clock);
        this.capacity = destination.mostInFlight(connections, true);
        this.conversation = new Conversation(shared.writer(), failures, clock, listener);
        this.requests = new Requests(conversation, destination.encoded(), shared.slots(), attempts.encrypted());
        this.slots = new StreamSlots<>(options.streams().streams(), clock, polling::idleWhenFullNanos, this::start);
        this.mostRequests = options.keepAlive() ? Math.min(options.maxRequests(), MOST_REQUESTS) : 1;
    }

    /**
     * Opens at most this many connections before the clock starts, and waits for the servers' settings, which determine
     * how many requests they carry, and so how many connections are needed.
     *
     * @throws IOException with the reason, if the server does not respond, or not with HTTP/2
     */
    @Override
    public void openBeforehand(int count) throws IOException {
        int begun = Math.min(count, pool.size());
        attempts.openBeforehand(begun, pool::open, this::poll);
        awaitGreetings();
        awaitStreams();
        capacity = (int) Math.min(capacity, pool.streamsAllowed());
        attempts.openMore(Math.min(count, pool.size()) - begun, pool::open, this::poll);
        awaitGreetings();
    }

    private void awaitGreetings() throws IOException {
        while (pool.isOpening()) {
            ConnectionAttempts.refuseIfInterrupted();
            poll(clock.nanoTime() + NAP_NANOS);
        }
    }

    /** A server may allow no streams for a short time (RFC 9113, 6.5.2). */
    private void awaitStreams() throws IOException {
        long endAt = clock.nanoTime() + options.connectTimeoutNanos();
        while (pool.allowsNoStreams() && clock.nanoTime() - endAt < 0) {
            ConnectionAttempts.refuseIfInterrupted();
            poll(clock.nanoTime() + NAP_NANOS);
        }
    }

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
        batch.beforeNext(exchange.startedAt);
        if (!place(stream, exchange.startedAt)) {
            return;
        }
        batch.add(exchange);
        if (options.preconnect() && options.keepAlive() && pool.hasFreeSlot()) {
            pool.open(exchange.startedAt); // one per request: lost ones are retried, and no caller waits for them
        }
    }

    /**
     * Sends a request or queues it; returns whether it was sent. Prefers the connection with the fewest streams, then
     * one that is opening or can be opened, and then whichever first has a free stream.
     */
    private boolean place(H2Stream stream, long now) {
        H2Connection connection = usable();
        if (connection == null) {
            await(stream, now);
            return false;
        }
        start(stream, connection);
        return true;
    }

    private @Nullable H2Connection usable() {
        H2Connection best = slots.least();
        while (best != null && pool.hasIdledTooLong(best)) {
            pool.retire(best);
            best = slots.least();
        }
        return best;
    }

    private void start(H2Stream stream, H2Connection connection) {
        requests.start(stream, connection);
        if (connection.position() >= mostRequests) {
            pool.retire(connection);
        }
        slots.moved(connection);
    }

    /** No stream is free: opens another connection, if allowed. */
    private void await(H2Stream stream, long now) {
        stream.carried().unconnected = !stream.keepsStart;
        H2Connection opening = pool.openingWithCapacity();
        if (opening != null) {
            await(stream, opening);
        } else if (pool.hasFreeSlot()) {
            H2Connection added = pool.add();
            await(stream, added);
            added.link().open(now);
        } else {
            slots.await(stream);
        }
    }

    private void await(H2Stream stream, H2Connection connection) {
        requests.assign(stream, connection);
        connection.waiting().addLast(stream);
    }

    /** Prevents requests from waiting on closed connections. */
    private void openForWaiting() {
        while (slots.hasWaiting() && pool.hasFreeSlot() && !pool.isOpening()) {
            await(slots.takeWaiting(), clock.nanoTime());
        }
    }

    @Override
    public void abandon(Exchange exchange) {
        H2Stream stream = requests.streamOf(exchange);
        if (stream == null) {
            return;
        }
        busy--;
        giveUp(stream);
        stream.exchange = null;
    }

    private void giveUp(H2Stream stream) {
        H2Connection connection = requests.connectionOf(stream);
        if (stream.waitsForStream) {
            slots.giveUp(stream);
        } else if (stream.id == 0 && connection != null) {
            connection.waiting().remove(stream);
        } else if (connection != null) {
            connection.cancel(stream);
        }
    }

    @Override
    public void poll(long untilAt) {
        long until = beforeWait(untilAt);
        boolean isFull = busy == capacity;
        long idleNanos = polling.idleWhenFullNanos();
        polling.until(until, busy > 0, isFull || slots.hasWaiting());
        idleWhenFullNanos += isFull ? polling.idleWhenFullNanos() - idleNanos : 0;
        batch.flush();
    }

    @Override
    public long beforeWait(long untilAt) {
        openForWaiting();
        batch.flush();
        if (batch.readRest()) {
            batch.flush();
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
        batch.flush();
    }

    @Override
    public boolean hasWaiting() {
        return slots.hasWaiting();
    }

    // Interface to the connections.

    /** A connection is usable: sends the requests that waited for it. */
    @Override
    public void greeted(H2Connection connection) {
        pool.greeted(connection);
        for (int left = connection.waiting().size(); left > 0; left--) {
            H2Stream stream = connection.waiting().removeFirst();
            if (connection.load() < 0) { // the server allows fewer than assumed
                slots.await(stream);
            } else {
                connection.link().charge(stream.carried(), connection.receiver().greetedAt());
                start(stream, connection);
            }
        }
        changed(connection);
    }

    @Override
    public void changed(H2Connection connection) {
        slots.changed(connection);
    }

    /**
     * A connection accepts no new streams. Requests waiting for it move to another, which is opened now rather than on
     * demand.
     */
    @Override
    public void retired(H2Connection connection) {
        slots.gone(connection);
        pool.leave(connection);
        if (connection.position() > 0 && pool.hasFreeSlot()) {
            pool.open(clock.nanoTime());
        }
    }

    @Override
    public void unprocessed(H2Stream stream, @Nullable ErrorCode goAway, long now) {
        if (stream.timesSentAgain == MOST_TIMES_SENT_AGAIN) {
            ended(stream, H2Failures.notProcessed(goAway), now);
            return;
        }
        stream.timesSentAgain++;
        counter.sentAgain();
        stream.carried().firstByteAt = stream.carried().startedAt; // there may have been an interim head
        requests.assign(stream, null);
        stream.keepsStart = true;
        place(stream, clock.nanoTime());
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
        if (requests.hasFollowUp(stream, exchange)) {
            busy++;
            place(stream, clock.nanoTime());
        }
    }

    @Override
    public void hasOutput(H2Connection connection) {
        batch.hasOutput(connection);
    }

    @Override
    public void closed(H2Connection connection, @Nullable Outcome why) {
        slots.gone(connection);
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
        TargetCounts counts = conversation.counts(counter);
        long without = pool.withoutStreams();
        return without == 0 ? counts : counts.plus(new TargetCounts(Map.of(TargetCounts.WITHOUT_STREAMS, without)));
    }

    @Override
    public ConnectionCounts connections() {
        return pool.counts();
    }

    @Override
    public void close() {
        pool.close();
        attempts.close();
        polling.close();
    }

    /**
     * Batches what is sent together: requests within a few microseconds, and connections with pending output. Many
     * streams share one write this way. Not thread-safe.
     */
    private static final class SendBatch {
        /** The maximum time that requests wait for each other. */
        private static final long MOST_GATHERING_NANOS = 20_000;

        private static final int MOST_GATHERED = 64;

        private final NanoClock clock;
        private final List<H2Connection> withOutput = new ArrayList<>();
        private final List<H2Connection> sendFailed = new ArrayList<>();
        private final Exchange[] gathered = new Exchange[MOST_GATHERED];
        private int gatheredCount;

        SendBatch(NanoClock clock) {
            this.clock = clock;
        }

        /** Called before a request joins: a batch that has waited long enough leaves without it. */
        void beforeNext(long at) {
            if (gatheredCount > 0 && at - gathered[0].startedAt > MOST_GATHERING_NANOS) {
                flush();
            }
        }

        void add(Exchange exchange) {
            gathered[gatheredCount++] = exchange;
            if (gatheredCount == MOST_GATHERED) {
                flush();
            }
        }

        void hasOutput(H2Connection connection) {
            if (!connection.isListed) {
                connection.isListed = true;
                withOutput.add(connection);
            }
        }

        void flush() {
            if (gatheredCount > 0) {
                stamp(clock.nanoTime());
            }
            for (int i = 0; i < withOutput.size(); i++) { // a flush may add more
                H2Connection connection = withOutput.get(i);
                connection.isListed = false;
                if (connection.flush()) {
                    sendFailed.add(connection);
                }
            }
            withOutput.clear();
        }

        /**
         * Reads data received on connections whose sending failed. Must not be called during another read, because the
         * buffer is shared. Returns whether there were any.
         */
        boolean readRest() {
            boolean any = !sendFailed.isEmpty();
            for (int i = 0; i < sendFailed.size(); i++) {
                sendFailed.get(i).readRest();
            }
            sendFailed.clear();
            return any;
        }

        /** A request's wait for others in its batch is Downbeat's own delay. */
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
    }

    /** The requests of one HTTP/2 lane, each on the stream object of its slot. Not thread-safe. */
    private static final class Requests {
        private final Conversation conversation;
        private final @Nullable H2Stream[] bySlot;
        private final @Nullable H2Connection[] connectionBySlot;
        private final byte[] constant;
        private final H2Head head;

        /** The encoded request is empty if requests vary. */
        Requests(Conversation conversation, ByteBuffer encoded, int capacity, boolean isEncrypted) {
            this.conversation = conversation;
            this.bySlot = new H2Stream[capacity];
            this.connectionBySlot = new H2Connection[capacity];
            this.constant = new byte[encoded.remaining()];
            encoded.duplicate().get(constant);
            this.head = new H2Head(isEncrypted);
            if (conversation.writer() == null) {
                head.parse(constant, constant.length);
            }
        }

        /** Whether a stream carries the common request: requests are neither given nor written individually. */
        private boolean isConstant(H2Stream stream) {
            return stream.request == constant;
        }

        /** The stream that carries an exchange; null if there is none. */
        @Nullable
        H2Stream streamOf(Exchange exchange) {
            H2Stream stream = bySlot[exchange.slot];
            return stream == null || stream.exchange != exchange ? null : stream;
        }

        /** A stream with the request of an exchange; null if it cannot be sent and has ended. */
        @Nullable
        H2Stream next(Exchange exchange) {
            RequestWriter writer = conversation.writer();
            if (writer != null && !conversation.writes(writer, exchange)) {
                return null;
            }
            H2Stream stream = ofSlot(exchange.slot);
            if (writer == null) {
                stream.begin(exchange, constant);
            } else {
                fill(stream, exchange, writer);
            }
            return stream;
        }

        H2Stream next(Exchange exchange, OutgoingRequest outgoing) {
            H2Stream stream = ofSlot(exchange.slot);
            stream.begin(exchange, outgoing.bytes().array());
            stream.sink = outgoing.sink();
            return stream;
        }

        private H2Stream ofSlot(int slot) {
            H2Stream stream = bySlot[slot];
            if (stream == null) {
                stream = new H2Stream();
                bySlot[slot] = stream;
            }
            connectionBySlot[slot] = null;
            return stream;
        }

        private void fill(H2Stream stream, Exchange exchange, RequestWriter writer) {
            stream.begin(exchange, conversation.written());
            stream.sink = writer.sink(exchange);
        }

        /** Whether a completed exchange continues with a follow-up request on the same stream object. */
        boolean hasFollowUp(H2Stream stream, Exchange exchange) {
            RequestWriter writer = conversation.writer();
            if (!conversation.hasFollowUp(exchange) || writer == null) {
                return false;
            }
            fill(stream, exchange, writer);
            stream.keepsStart = true;
            return true;
        }

        /** The connection that a stream was sent on or waits for; null if neither. */
        @Nullable
        H2Connection connectionOf(H2Stream stream) {
            return connectionBySlot[stream.carried().slot];
        }

        /** Makes a stream wait for this connection to open; for any if null. */
        void assign(H2Stream stream, @Nullable H2Connection connection) {
            connectionBySlot[stream.carried().slot] = connection;
        }

        void start(H2Stream stream, H2Connection connection) {
            boolean isConstant = isConstant(stream);
            if (!isConstant) {
                head.parse(stream.request, stream.requestLength);
            }
            assign(stream, connection);
            connection.start(stream, head, isConstant);
        }
    }
}
