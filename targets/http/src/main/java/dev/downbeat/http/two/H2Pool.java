package dev.downbeat.http.two;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.wire.ConnectionAttempts;
import dev.downbeat.http.wire.ConnectionCounter;
import dev.downbeat.http.wire.ReadBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The connections of one HTTP/2 lane: opening, active and retiring ones. Not thread-safe. */
final class H2Pool {
    private final H2Connection.Owner owner;
    private final ConnectionAttempts attempts;
    private final HttpOptions options;
    private final long maxIdleNanos;
    private final ConnectionCounter counter;
    private final ReadBuffer readBuffer;
    private final @Nullable H2Connection[] places;
    private final int[] tlsPlaces;
    private final Deque<Integer> closedPlaces = new ArrayDeque<>();
    private final List<H2Connection> leaving = new ArrayList<>();
    private final List<H2Connection> opening = new ArrayList<>();
    private int size;
    private boolean wasNotChosen;
    private @Nullable Outcome lastFailure;

    H2Pool(
            H2Connection.Owner owner,
            ConnectionAttempts attempts,
            HttpOptions options,
            int connections,
            ConnectionCounter counter,
            ReadBuffer readBuffer) {
        this.owner = owner;
        this.attempts = attempts;
        this.options = options;
        this.maxIdleNanos = options.maxIdleNanos();
        this.counter = counter;
        this.readBuffer = readBuffer;
        this.places = new H2Connection[connections];
        this.tlsPlaces = new int[connections];
        growTo(options.connectionsNeeded(connections, options.streams().streams()));
    }

    int size() {
        return size;
    }

    private void growTo(int connections) {
        for (; size < connections; size++) {
            tlsPlaces[size] = attempts.newPlace();
            closedPlaces.add(size);
        }
    }

    boolean hasFreeSlot() {
        return !closedPlaces.isEmpty();
    }

    boolean isOpening() {
        return !opening.isEmpty();
    }

    boolean wasNotChosen() {
        return wasNotChosen;
    }

    /** Adds a connection without opening it. */
    H2Connection add() {
        int place = closedPlaces.removeFirst();
        H2Connection connection =
                new H2Connection(owner, attempts, place, tlsPlaces[place], counter, readBuffer, options.streams());
        places[place] = connection;
        opening.add(connection);
        return connection;
    }

    void open(long now) {
        add().link().open(now);
    }

    /** An opening connection that will have a stream for another request; null if there is none. */
    @Nullable
    H2Connection openingWithCapacity() {
        for (H2Connection connection : opening) {
            if (connection.waiting().size() < options.streams().streams()) {
                return connection;
            }
        }
        return null;
    }

    void greeted(H2Connection connection) {
        opening.remove(connection);
    }

    /** Frees its slot for another. */
    void leave(H2Connection connection) {
        if (places[connection.place()] == connection) {
            places[connection.place()] = null;
            closedPlaces.addLast(connection.place());
            leaving.add(connection);
        }
    }

    /** Stops new requests and frees its slot; closes once its requests have ended. */
    void retire(H2Connection connection) {
        leave(connection);
        connection.retire();
    }

    /** Whether it has been idle for too long to be used. */
    boolean hasIdledTooLong(H2Connection connection) {
        return maxIdleNanos != Long.MAX_VALUE
                && connection.streamsOpen() == 0
                && attempts.now() - connection.idleSince() >= maxIdleNanos;
    }

    void closed(H2Connection connection, @Nullable Outcome why) {
        opening.remove(connection);
        leave(connection);
        leaving.remove(connection);
        Outcome reason = why == null ? connection.receiver().goAwayFailure() : why;
        if (reason != null) {
            lastFailure = reason;
        }
        wasNotChosen |= connection.wasNotChosen();
    }

    /** The number of usable connections on which the server allows no stream. */
    long withoutStreams() {
        return usable().filter(connection -> connection.receiver().limit() == 0).count();
    }

    /** Whether some connections are usable, but the server allows a stream on none. */
    boolean allowsNoStreams() {
        long without = withoutStreams();
        return without > 0 && without == usable().count();
    }

    private Stream<H2Connection> usable() {
        return Arrays.stream(places)
                .filter(connection ->
                        connection != null && connection.receiver().isGreeted());
    }

    /** Times out servers that do not send their settings. */
    void expireGreetings(long now) {
        for (H2Connection connection : opening.toArray(H2Connection[]::new)) {
            boolean isSilent =
                    connection.link().isOpen() && !connection.receiver().isGreeted();
            if (isSilent && now - connection.link().openedAt() >= options.connectTimeoutNanos()) {
                connection.breakOff(ErrorCode.SETTINGS_TIMEOUT, H2Failures.SETTINGS_TIMED_OUT);
            }
        }
    }

    /**
     * The maximum number of concurrent streams, at least 1, assuming that unopened connections will be like the others.
     * Allows more connections if they are needed because the server allows few streams.
     *
     * @throws IOException with the reason, if none is open or the server allows no streams
     */
    long streamsAllowed() throws IOException {
        int known = 0;
        int open = 0;
        for (H2Connection connection : places) {
            if (connection != null && connection.receiver().isGreeted()) {
                open++;
                known += (int) connection.receiver().limit();
            }
        }
        if (open == 0) {
            throw new IOException(lastFailure == null ? "no connection" : lastFailure.reason());
        }
        if (known == 0) {
            throw new IOException(H2Failures.NO_STREAMS.reason());
        }
        long each = Math.max(1, known / open);
        growTo(options.connectionsNeeded(places.length, each));
        return Math.max(1, known + each * (size - open));
    }

    ConnectionCounts counts() {
        List<H2Connection> all = new ArrayList<>(leaving);
        Arrays.stream(places)
                .filter(connection -> connection != null && connection.link().isOpen())
                .forEach(all::add);
        long inUse = 0;
        long streams = 0;
        long allowed = 0;
        for (H2Connection connection : all) {
            // otherwise its current streams are its limit
            boolean acceptsMore = places[connection.place()] == connection
                    && connection.receiver().isGreeted();
            inUse += connection.streamsOpen() > 0 ? 1 : 0;
            streams += connection.streamsOpen();
            allowed += acceptsMore ? connection.receiver().limit() : connection.streamsOpen();
        }
        return counter.counts(all.size(), inUse).with(counter.streams(streams, allowed));
    }

    void close() {
        for (H2Connection connection : places) {
            if (connection != null) {
                connection.link().close();
            }
        }
        leaving.forEach(connection -> connection.link().close());
    }
}
