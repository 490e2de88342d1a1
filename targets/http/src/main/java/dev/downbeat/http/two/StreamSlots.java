package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Matches requests with connections, and waiting requests with freed streams. Pure logic without sockets: a clock and
 * numbers. Not thread-safe.
 */
final class StreamSlots<C extends StreamSlots.Carrier<C>> {
    /** A connection, as a candidate. */
    interface Carrier<C> {
        /** Its position among the candidates. */
        LeastLoaded.Place<C> standing();

        /** Its number of streams, if it can take another; otherwise -1. */
        int load();
    }

    /** Sends a request on a connection with a free stream, and calls {@link #moved}. */
    interface Starter<C> {
        void start(H2Stream stream, C carrier);
    }

    private final LeastLoaded<C> usable;
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private final NanoClock clock;
    private final LongSupplier idleNanos;
    private final Starter<C> starter;

    /**
     * Starts without connections.
     *
     * @param most maximum number of concurrent streams per connection
     * @param idleNanos total idle time while requests waited
     */
    StreamSlots(int most, NanoClock clock, LongSupplier idleNanos, Starter<C> starter) {
        this.usable = new LeastLoaded<>(most);
        this.clock = clock;
        this.idleNanos = idleNanos;
        this.starter = starter;
    }

    /**
     * The connection for the next request: the one with the fewest streams for the longest time; null if none can take
     * another.
     */
    @Nullable
    C least() {
        return usable.get();
    }

    /** A connection's load may have changed. */
    void moved(C carrier) {
        usable.move(carrier.standing(), carrier.load());
    }

    /** A connection takes no more requests. */
    void gone(C carrier) {
        usable.move(carrier.standing(), -1);
    }

    /** Queues a request for which no stream is free. */
    void await(H2Stream stream) {
        stream.waitsForStream = true;
        stream.idleBeforeNanos = idleNanos.getAsLong();
        waiting.addLast(stream);
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Removes and returns the request that has waited longest. */
    H2Stream takeWaiting() {
        H2Stream first = waiting.removeFirst();
        first.waitsForStream = false;
        return first;
    }

    /** Removes a request whose response is no longer needed. */
    void giveUp(H2Stream stream) {
        waiting.remove(stream);
    }

    /**
     * Assigns freed streams to waiting requests, whose service time starts here. Idle time during the wait cannot be
     * Downbeat's delay.
     */
    void changed(C carrier) {
        while (!waiting.isEmpty() && carrier.load() >= 0) {
            H2Stream stream = takeWaiting();
            if (!stream.keepsStart) {
                Exchange exchange = stream.carried();
                exchange.startedAt = clock.nanoTime();
                exchange.firstByteAt = exchange.startedAt;
                long idle = idleNanos.getAsLong() - stream.idleBeforeNanos;
                exchange.stalledNanos = Math.min(exchange.backlogWaitNanos(), exchange.stalledNanos + idle);
            }
            starter.start(stream, carrier);
        }
        moved(carrier);
    }
}
