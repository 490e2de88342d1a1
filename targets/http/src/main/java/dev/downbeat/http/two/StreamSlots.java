package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which connection takes the next request, and which request the next stream that becomes free. No sockets here: a clock and
 * numbers. Not thread-safe.
 */
final class StreamSlots<C extends StreamSlots.Carrier<C>> {
    /** A connection, as far as it is chosen. */
    interface Carrier<C> {
        /** Where it stands among the others. */
        LeastLoaded.Place<C> standing();

        /** How many streams it carries, if it can bear one more; else -1. */
        int load();
    }

    /** Sends a request over a connection that has a stream for it, and calls {@link #moved}. */
    interface Starter<C> {
        void start(H2Stream stream, C carrier);
    }

    private final LeastLoaded<C> usable;
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private final NanoClock clock;
    private final LongSupplier idleNanos;
    private final Starter<C> starter;

    /**
     * No connection yet.
     *
     * @param most streams at once on one of them
     * @param idleNanos for how long in all there was nothing to do but to wait while requests waited
     */
    StreamSlots(int most, NanoClock clock, LongSupplier idleNanos, Starter<C> starter) {
        this.usable = new LeastLoaded<>(most);
        this.clock = clock;
        this.idleNanos = idleNanos;
        this.starter = starter;
    }

    /** The connection for the next request: with the fewest streams, for the longest time; null if none can bear one more. */
    @Nullable
    C least() {
        return usable.get();
    }

    /** How much it carries may have changed. */
    void moved(C carrier) {
        usable.move(carrier.standing(), carrier.load());
    }

    /** It takes no more. */
    void gone(C carrier) {
        usable.move(carrier.standing(), -1);
    }

    /** No stream is free for this one. */
    void await(H2Stream stream) {
        stream.waitsForStream = true;
        stream.idleBeforeNanos = idleNanos.getAsLong();
        waiting.addLast(stream);
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** The one that has waited for longest, which waits no more. */
    H2Stream takeWaiting() {
        H2Stream first = waiting.removeFirst();
        first.waitsForStream = false;
        return first;
    }

    /** It waits no more, since nobody does for its answer. */
    void giveUp(H2Stream stream) {
        waiting.remove(stream);
    }

    /**
     * Those that wait get what has become free. Until now no stream was: their service time begins here. Not ours of the wait is
     * the time in which there was nothing to do but to wait.
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
