package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.time.NanoClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
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

    private final LeastLoaded<C> usable;
    private final Deque<H2Stream> waiting = new ArrayDeque<>();
    private final NanoClock clock;
    private final LongSupplier idleNanos;
    private final BiConsumer<H2Stream, C> starter;

    /**
     * Starts without connections.
     *
     * @param most maximum number of concurrent streams per connection
     * @param idleNanos total idle time while requests waited
     * @param starter sends a request on a connection with a free stream, and calls {@link #moved}
     */
    StreamSlots(int most, NanoClock clock, LongSupplier idleNanos, BiConsumer<H2Stream, C> starter) {
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
            starter.accept(stream, carrier);
        }
        moved(carrier);
    }

    /**
     * Selects the least loaded entry that can take more; among equals, the one that has had this load longest. Every
     * operation takes constant time. Not thread-safe.
     */
    static final class LeastLoaded<T> {
        private final Place<T>[] oldest;
        private final Place<T>[] youngest;
        private int least;

        /** The position of an entry; absent while {@code load} is negative. */
        static final class Place<T> {
            private final T item;
            private int load = -1;
            private @Nullable Place<T> before;
            private @Nullable Place<T> after;

            Place(T item) {
                this.item = item;
            }
        }

        /** For loads below {@code most}. */
        LeastLoaded(int most) {
            oldest = places(most);
            youngest = places(most);
            least = most;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays cannot be generic
        private static <T> Place<T>[] places(int most) {
            return new Place[most];
        }

        /** The entry to use; null if there is none. It keeps its position until {@link #move}. */
        @Nullable
        T get() {
            while (least < oldest.length) {
                Place<T> first = oldest[least];
                if (first != null) {
                    return first.item;
                }
                least++;
            }
            return null;
        }

        /** Moves an entry to the position of its load, or removes it if that is negative or at the maximum. */
        void move(Place<T> place, int load) {
            if (place.load == load) {
                return;
            }
            if (place.load >= 0) {
                unlink(place);
            }
            if (load < 0 || load >= oldest.length) {
                return;
            }
            Place<T> last = youngest[load];
            place.load = load;
            place.before = last;
            youngest[load] = place;
            if (last == null) {
                oldest[load] = place;
            } else {
                last.after = place;
            }
            least = Math.min(least, load);
        }

        private void unlink(Place<T> place) {
            Place<T> before = place.before;
            Place<T> after = place.after;
            if (before == null) {
                oldest[place.load] = after;
            } else {
                before.after = after;
            }
            if (after == null) {
                youngest[place.load] = before;
            } else {
                after.before = before;
            }
            place.before = null;
            place.after = null;
            place.load = -1;
        }
    }
}
