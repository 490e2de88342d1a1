package dev.downbeat.http.two;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.h2.ErrorCode;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.StreamOptions;
import dev.downbeat.http.wire.ConnectionTally;
import dev.downbeat.http.wire.Openings;
import dev.downbeat.http.wire.ReadBuffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connections of one lane over HTTP/2: those that open, those that carry, and those that leave. Not thread-safe. */
final class H2Pool {
    private final H2Connection.Owner owner;
    private final Openings openings;
    private final StreamOptions options;
    private final long connectTimeoutNanos;
    private final long maxIdleNanos;
    private final ConnectionTally tally;
    private final ReadBuffer room;
    private final @Nullable H2Connection[] places;
    private final int[] tlsPlaces;
    private final Deque<Integer> closedPlaces = new ArrayDeque<>();
    private final List<H2Connection> leaving = new ArrayList<>();
    private final List<H2Connection> opening = new ArrayList<>();
    private boolean wasNotChosen;
    private @Nullable Outcome lastFailure;

    H2Pool(
            H2Connection.Owner owner,
            Openings openings,
            HttpOptions options,
            int connections,
            ConnectionTally tally,
            ReadBuffer room) {
        this.owner = owner;
        this.openings = openings;
        this.options = options.streams();
        this.connectTimeoutNanos = options.connectTimeoutNanos();
        this.maxIdleNanos = options.maxIdleNanos();
        this.tally = tally;
        this.room = room;
        this.places = new H2Connection[connections];
        this.tlsPlaces = new int[connections];
        for (int place = 0; place < connections; place++) {
            tlsPlaces[place] = openings.newPlace();
            closedPlaces.add(place);
        }
    }

    /** Whether one more may be opened. */
    boolean hasRoom() {
        return !closedPlaces.isEmpty();
    }

    /** Whether some cannot be used yet. */
    boolean isOpening() {
        return !opening.isEmpty();
    }

    /** Whether a server has chosen HTTP/1.1. */
    boolean wasNotChosen() {
        return wasNotChosen;
    }

    /** One more, which nobody has begun to open. */
    H2Connection add() {
        int place = closedPlaces.removeFirst();
        H2Connection connection = new H2Connection(owner, openings, place, tlsPlaces[place], tally, room, options);
        places[place] = connection;
        opening.add(connection);
        return connection;
    }

    /** Begins to open one more. */
    void open(long now) {
        add().link().open(now);
    }

    /** One that opens, with a stream for one more request when it has; null if there is none. */
    @Nullable
    H2Connection openingWithRoom() {
        for (H2Connection connection : opening) {
            if (connection.waiting().size() < options.streams()) {
                return connection;
            }
        }
        return null;
    }

    /** Can be used from now on. */
    void greeted(H2Connection connection) {
        opening.remove(connection);
    }

    /** Gives its place up, for another. */
    void leave(H2Connection connection) {
        if (places[connection.place()] == connection) {
            places[connection.place()] = null;
            closedPlaces.addLast(connection.place());
            leaving.add(connection);
        }
    }

    /** Takes no more requests and makes room for another; closes when what it carries has ended. */
    void retire(H2Connection connection) {
        leave(connection);
        connection.retire();
    }

    /** Whether it has carried nothing for so long that it is not used any more. */
    boolean hasRested(H2Connection connection) {
        return maxIdleNanos != Long.MAX_VALUE
                && connection.streamsOpen() == 0
                && connection.position() > 0
                && openings.now() - connection.idleSince() >= maxIdleNanos;
    }

    /** Is no more. */
    void closed(H2Connection connection, @Nullable Outcome why) {
        opening.remove(connection);
        leave(connection);
        leaving.remove(connection);
        if (why != null) {
            lastFailure = why;
            wasNotChosen |= why.equals(H2Failures.NOT_CHOSEN);
        }
    }

    /** A server that does not send its settings is not waited for without end. */
    void expireGreetings(long now) {
        for (H2Connection connection : opening.toArray(H2Connection[]::new)) {
            boolean isSilent = connection.link().isOpen() && !connection.said().isGreeted();
            if (isSilent && now - connection.link().openedAt() >= connectTimeoutNanos) {
                connection.breakOff(ErrorCode.SETTINGS_TIMEOUT, H2Failures.SETTINGS_TIMED_OUT);
            }
        }
    }

    /**
     * How many streams there may be at once, at least 1: those that are not open yet will be like the others.
     *
     * @throws IOException if none is open; its message says why
     */
    long streamsAllowed() throws IOException {
        int known = 0;
        int open = 0;
        for (H2Connection connection : places) {
            if (connection != null && connection.said().isGreeted()) {
                open++;
                known += (int) connection.said().limit();
            }
        }
        if (open == 0) {
            throw new IOException(lastFailure == null ? "no connection" : lastFailure.reason());
        }
        long each = Math.max(1, known / open);
        return Math.max(1, known + each * (places.length - open));
    }

    ConnectionCounts counts() {
        List<H2Connection> all = new ArrayList<>(leaving);
        Arrays.stream(places)
                .filter(each -> each != null && each.said().isGreeted())
                .forEach(all::add);
        long inUse = 0;
        long streams = 0;
        long allowed = 0;
        for (H2Connection connection : all) {
            boolean isLeaving =
                    places[connection.place()] != connection; // takes no more: what it carries is what it may
            inUse += connection.streamsOpen() > 0 ? 1 : 0;
            streams += connection.streamsOpen();
            allowed += isLeaving ? connection.streamsOpen() : connection.said().limit();
        }
        return tally.counts(all.size(), inUse).with(tally.streams(streams, allowed));
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
