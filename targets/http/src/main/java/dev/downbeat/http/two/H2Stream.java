package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request and its response on a connection: one slot of a lane. Mutable and reused; belongs to its lane's thread. */
final class H2Stream {
    static final int NO_LENGTH = -1;

    @Nullable
    Exchange exchange;

    /** Its identifier on the connection; 0 while waiting. */
    int id;

    /** How often it was sent again because a server had not processed it. */
    int timesSentAgain;

    /** Whether its request was already sent once, so that a wait is part of the service time. */
    boolean keepsStart;

    /** Whether it waits for a stream on open connections. */
    boolean waitsForStream;

    /** The lane's total idle time when that wait began. */
    long idleBeforeNanos;

    boolean expectsNoBody;

    @Nullable
    ResponseSink sink;

    /** The request as HTTP/1.1 text, from index 0. */
    byte[] request = new byte[0];

    int requestLength;

    /** The start of the unsent part of the body. */
    int bodyAt;

    /** The remaining send window. */
    long sendWindow;

    private boolean isBlocked;
    private long blockedAt;

    /** Received body bytes, and those whose window has not been renewed. */
    long bodyBytes;

    long unrenewedBytes;

    /** Heads before the response's own. */
    int interimHeads;

    /** The status; 0 before the head. */
    int status;

    long contentLength;

    private byte[] ownBytes = new byte[0];

    /** Resets for a request with shared bytes. */
    void begin(Exchange next, byte[] shared) {
        begin(next, shared, shared.length);
    }

    /** Resets for a request of its own. */
    void begin(Exchange next, RequestBytes written) {
        if (ownBytes.length < written.length()) {
            ownBytes = new byte[Math.max(256, Integer.highestOneBit(written.length()) * 2)];
        }
        System.arraycopy(written.array(), 0, ownBytes, 0, written.length());
        begin(next, ownBytes, written.length());
    }

    private void begin(Exchange next, byte[] bytes, int length) {
        exchange = next;
        request = bytes;
        requestLength = length;
        expectsNoBody = RequestBytes.isHead(bytes, length);
        id = 0;
        timesSentAgain = 0;
        keepsStart = false;
        waitsForStream = false;
    }

    /** Starts on a connection. */
    void start(int number, int bodyFrom, long window) {
        id = number;
        bodyAt = bodyFrom;
        sendWindow = window;
        bodyBytes = 0;
        unrenewedBytes = 0;
        interimHeads = 0;
        status = 0;
        contentLength = NO_LENGTH;
        isBlocked = false;
    }

    /** The server's window blocks the body; the time counts until the response begins. */
    void block(long now) {
        Exchange current = exchange;
        if (!isBlocked && current != null && current.firstByteAt == current.startedAt) {
            isBlocked = true;
            blockedAt = now;
        }
    }

    /** The server has accepted the whole body, or continues without it. */
    void unblock(long now) {
        Exchange current = exchange;
        if (isBlocked && current != null) {
            long from = blockedAt - current.startedAt > 0
                    ? blockedAt
                    : current.startedAt; // it may have left slightly later
            current.windowNanos += Math.max(0, now - from);
        }
        isBlocked = false;
    }

    boolean hasUnsentBody() {
        return bodyAt < requestLength;
    }

    Exchange carried() {
        Exchange carried = exchange;
        if (carried == null) {
            throw new IllegalStateException("the stream carries no request");
        }
        return carried;
    }

    /**
     * The streams of one connection by identifier: an open-addressing hash table sized for the maximum number of
     * concurrent streams.
     */
    static final class StreamTable {
        private final @Nullable H2Stream[] places;
        private final int mask;
        private final int most;
        private int size;

        StreamTable(int most) {
            this.most = most;
            places = new H2Stream[Integer.highestOneBit(Math.max(1, most)) * 4];
            mask = places.length - 1;
        }

        int most() {
            return most;
        }

        int size() {
            return size;
        }

        private int place(int id) {
            return id >> 1 & mask;
        }

        @Nullable
        H2Stream get(int id) {
            int at = place(id);
            for (H2Stream found = places[at]; found != null; found = places[at]) {
                if (found.id == id) {
                    return found;
                }
                at = at + 1 & mask;
            }
            return null;
        }

        void add(H2Stream stream) {
            int at = place(stream.id);
            while (places[at] != null) {
                at = at + 1 & mask;
            }
            places[at] = stream;
            size++;
        }

        void remove(H2Stream stream) {
            int at = place(stream.id);
            while (places[at] != stream) {
                at = at + 1 & mask;
            }
            size--;
            int hole = at;
            for (at = at + 1 & mask; ; at = at + 1 & mask) { // never before an entry's home position
                H2Stream next = places[at];
                if (next == null) {
                    places[hole] = null;
                    return;
                }
                if ((at - place(next.id) & mask) >= (at - hole & mask)) {
                    places[hole] = next;
                    hole = at;
                }
            }
        }

        /** All streams, in order of identifier. */
        H2Stream[] inOrder() {
            return Arrays.stream(places)
                    .filter(Objects::nonNull)
                    .sorted(Comparator.comparingInt(stream -> stream.id))
                    .toArray(H2Stream[]::new);
        }
    }
}
