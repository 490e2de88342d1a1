package dev.downbeat.http.two;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.ResponseSink;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on their way over a connection: what one slot of a lane is used for. Mutable and used again;
 * belongs to its lane's thread.
 */
final class H2Stream {
    static final int NO_LENGTH = -1;

    /** Carried now, if any is. */
    @Nullable
    Exchange exchange;

    /** Its number on its connection; 0 while it waits for one. */
    int id;

    /** How often it was sent again after a server had not processed it. */
    int timesSentAgain;

    /** Whether what it carries was sent before, so that a wait is part of its service time. */
    boolean keepsStart;

    /** Whether it waits for a stream on connections that are open. */
    boolean waitsForStream;

    /** For how long its lane had had nothing to do but to wait, when that wait began. */
    long idleBeforeNanos;

    boolean expectsNoBody;

    @Nullable
    ResponseSink sink;

    /** The request, as HTTP/1.1 would have it, from 0. */
    byte[] request = new byte[0];

    int requestLength;

    /** What of the body has not been sent yet. */
    int bodyAt;

    /** How much of it the other side lets us send. */
    long sendWindow;

    private boolean isBlocked;
    private long blockedAt;

    /** What has come of the body, and what of that we have not made room for again. */
    long bodyBytes;

    long taken;

    /** From its head; 0 while none has come. */
    int status;

    long contentLength;

    private byte[] own = new byte[0];

    /** Prepares for a request whose bytes are shared. */
    void begin(Exchange next, byte[] shared) {
        begin(next);
        request = shared;
        requestLength = shared.length;
    }

    /** Prepares for a request of its own. */
    void begin(Exchange next, RequestBytes written) {
        begin(next);
        if (own.length < written.length()) {
            own = new byte[Math.max(256, Integer.highestOneBit(written.length()) * 2)];
        }
        System.arraycopy(written.array(), 0, own, 0, written.length());
        request = own;
        requestLength = written.length();
    }

    private void begin(Exchange next) {
        exchange = next;
        id = 0;
        timesSentAgain = 0;
        keepsStart = false;
        waitsForStream = false;
    }

    /** Begins on a connection. */
    void start(int number, int bodyFrom, long window) {
        id = number;
        bodyAt = bodyFrom;
        sendWindow = window;
        bodyBytes = 0;
        taken = 0;
        status = 0;
        contentLength = NO_LENGTH;
        isBlocked = false;
    }

    /** The server takes no more of the body for now; what that costs counts until the response begins. */
    void block(long now) {
        Exchange waits = exchange;
        if (!isBlocked && waits != null && waits.firstByteAt == waits.startedAt) {
            isBlocked = true;
            blockedAt = now;
        }
    }

    /** The server has taken all of the body, or goes on without it. */
    void unblock(long now) {
        Exchange waits = exchange;
        if (isBlocked && waits != null) {
            long from =
                    blockedAt - waits.startedAt > 0 ? blockedAt : waits.startedAt; // it may have left a little later
            waits.windowNanos += Math.max(0, now - from);
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

    /** The streams of one connection, by their numbers: open addressing, as large as the most at once. */
    static final class Table {
        private final @Nullable H2Stream[] places;
        private final int mask;
        private final int most;
        private int size;

        Table(int most) {
            this.most = most;
            places = new H2Stream[Integer.highestOneBit(Math.max(1, most)) * 4];
            mask = places.length - 1;
        }

        /** As many as there may be. */
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
            for (at = at + 1 & mask; ; at = at + 1 & mask) { // those behind may move up, but not before their own place
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

        /** All of them, in the order of their numbers. */
        H2Stream[] inOrder() {
            return Arrays.stream(places)
                    .filter(Objects::nonNull)
                    .sorted(Comparator.comparingInt(stream -> stream.id))
                    .toArray(H2Stream[]::new);
        }
    }
}
