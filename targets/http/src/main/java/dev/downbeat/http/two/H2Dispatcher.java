package dev.downbeat.http.two;

import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.NanoClock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assigns requests to an HTTP/2 lane's connections. It prefers the one with the fewest streams, then one that is
 * opening or can be opened, and then whichever first has a free stream. Not thread-safe.
 */
final class H2Dispatcher {
    /** A connection's stream identifiers are exhausted after this many. */
    private static final int MOST_REQUESTS = (1 << 30) - 1;

    private final H2Pool pool;
    private final H2Requests requests;
    private final NanoClock clock;
    private final StreamSlots<H2Connection> slots;
    private final int mostRequests;

    /**
     * For a new lane.
     *
     * @param idleNanos total idle time while requests waited
     */
    H2Dispatcher(H2Pool pool, H2Requests requests, HttpOptions options, NanoClock clock, LongSupplier idleNanos) {
        this.pool = pool;
        this.requests = requests;
        this.clock = clock;
        this.slots = new StreamSlots<>(options.streams().streams(), clock, idleNanos, this::start);
        this.mostRequests = options.keepAlive() ? Math.min(options.maxRequests(), MOST_REQUESTS) : 1;
    }

    /** Sends a request or queues it; returns whether it was sent. */
    boolean place(H2Stream stream, long now) {
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
        stream.carried().unconnected = true;
        H2Connection opening = pool.openingWithRoom();
        if (opening != null) {
            await(stream, opening);
        } else if (pool.hasRoom()) {
            H2Connection added = pool.add();
            await(stream, added);
            added.link().open(now);
        } else {
            slots.await(stream);
        }
    }

    private void await(H2Stream stream, H2Connection connection) {
        requests.waitsFor(stream, connection);
        connection.waiting().addLast(stream);
    }

    /** Whether requests wait for a stream on open connections. */
    boolean hasWaiting() {
        return slots.hasWaiting();
    }

    /** Prevents requests from waiting on closed connections. */
    void openForWaiting() {
        while (slots.hasWaiting() && pool.hasRoom() && !pool.isOpening()) {
            await(slots.takeWaiting(), clock.nanoTime());
        }
    }

    /** The response is no longer needed. */
    void giveUp(H2Stream stream) {
        H2Connection connection = requests.connectionOf(stream);
        if (stream.waitsForStream) {
            slots.giveUp(stream);
        } else if (stream.id == 0 && connection != null) {
            connection.waiting().remove(stream);
        } else if (connection != null) {
            connection.cancel(stream);
        }
    }

    /** A connection is usable: sends the requests that waited for it. */
    void greeted(H2Connection connection) {
        pool.greeted(connection);
        for (int left = connection.waiting().size(); left > 0; left--) {
            H2Stream stream = connection.waiting().removeFirst();
            if (connection.load() < 0) { // the server allows fewer than assumed
                slots.await(stream);
            } else {
                connection.link().charge(stream.carried(), connection.said().greetedAt());
                start(stream, connection);
            }
        }
        changed(connection);
    }

    /** The number of available streams of a connection may have changed. */
    void changed(H2Connection connection) {
        slots.changed(connection);
    }

    /**
     * A connection accepts no new streams. Requests waiting for it move to another, which is opened now rather than on
     * demand.
     */
    void retired(H2Connection connection) {
        slots.gone(connection);
        pool.leave(connection);
        if (connection.position() > 0 && pool.hasRoom()) {
            pool.open(clock.nanoTime());
        }
    }

    /** A connection has ended. */
    void gone(H2Connection connection) {
        slots.gone(connection);
    }
}
