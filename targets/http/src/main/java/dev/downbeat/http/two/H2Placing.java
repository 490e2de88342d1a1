package dev.downbeat.http.two;

import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.NanoClock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which connection of a lane over HTTP/2 carries a request: the one with the fewest streams; if none has one to spare, one that
 * opens, or is opened for it; if all are open, whichever has a stream first. Not thread-safe.
 */
final class H2Placing {
    /** A connection has no numbers for more streams. */
    private static final int MOST_REQUESTS = (1 << 30) - 1;

    private final H2Pool pool;
    private final H2Requests requests;
    private final NanoClock clock;
    private final StreamSlots<H2Connection> slots;
    private final int mostRequests;

    /**
     * Of a new lane.
     *
     * @param idleNanos for how long in all there was nothing to do but to wait while requests waited
     */
    H2Placing(H2Pool pool, H2Requests requests, HttpOptions options, NanoClock clock, LongSupplier idleNanos) {
        this.pool = pool;
        this.requests = requests;
        this.clock = clock;
        this.slots = new StreamSlots<>(options.streams().streams(), clock, idleNanos, this::start);
        this.mostRequests = options.keepAlive() ? Math.min(options.maxRequests(), MOST_REQUESTS) : 1;
    }

    /** Sends a request, or lets it wait; returns whether it was sent. */
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
        while (best != null && pool.hasRested(best)) {
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

    /** No stream is free: another connection is opened, if there may be one more. */
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

    /** Whether requests wait for a stream on connections that are open. */
    boolean hasWaiting() {
        return slots.hasWaiting();
    }

    /** Those that wait for a stream must not wait for connections that are closed. */
    void openForWaiting() {
        while (slots.hasWaiting() && pool.hasRoom() && !pool.isOpening()) {
            await(slots.takeWaiting(), clock.nanoTime());
        }
    }

    /** Nobody waits for the answer any more. */
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

    /** A connection can be used: those that have waited for it are sent. */
    void greeted(H2Connection connection) {
        pool.greeted(connection);
        for (int left = connection.waiting().size(); left > 0; left--) {
            H2Stream stream = connection.waiting().removeFirst();
            if (connection.load() < 0) { // the server allows fewer than we had thought
                slots.await(stream);
            } else {
                connection.link().charge(stream.carried(), connection.said().greetedAt());
                start(stream, connection);
            }
        }
        changed(connection);
    }

    /** How many more streams a connection can bear may have changed. */
    void changed(H2Connection connection) {
        slots.changed(connection);
    }

    /** Takes no new streams. Whatever waits for it goes to another; that one is opened now, not when somebody needs it. */
    void retired(H2Connection connection) {
        slots.gone(connection);
        pool.leave(connection);
        if (connection.position() > 0 && pool.hasRoom()) {
            pool.open(clock.nanoTime());
        }
    }

    /** Is no more. */
    void gone(H2Connection connection) {
        slots.gone(connection);
    }
}
