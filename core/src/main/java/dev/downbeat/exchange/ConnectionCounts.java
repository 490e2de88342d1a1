package dev.downbeat.exchange;

/**
 * What happened to connections over some time, and how many there were at its end. All counts are at least 0.
 *
 * @param opened connections that were established, TLS handshake included
 * @param resumed those of them whose TLS handshake continued an earlier session
 * @param failed attempts that did not lead to a connection
 * @param closedByServerWithNotice closed by the server after it had said so ({@code Connection: close}, or GOAWAY)
 * @param closedByServer closed or reset by the server without notice
 * @param closedByUs closed by us, such as after a timeout, a garbled response, or as many requests as we were told
 * @param openAtEnd open at the end, {@code inUseAtEnd} of them with a request
 * @param inUseAtEnd part of {@code openAtEnd}
 * @param streams of those that carry many requests at once
 */
public record ConnectionCounts(
        long opened,
        long resumed,
        long failed,
        long closedByServerWithNotice,
        long closedByServer,
        long closedByUs,
        long openAtEnd,
        long inUseAtEnd,
        StreamCounts streams) {
    /** No connection at all; what a target without connections returns. */
    public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** Whether there was no connection at all. */
    public boolean isNone() {
        return (opened
                        | resumed
                        | failed
                        | closedByServerWithNotice
                        | closedByServer
                        | closedByUs
                        | openAtEnd
                        | inUseAtEnd)
                == 0;
    }

    /** Connections that carry one request at a time. */
    public ConnectionCounts(
            long opened,
            long resumed,
            long failed,
            long closedByServerWithNotice,
            long closedByServer,
            long closedByUs,
            long openAtEnd,
            long inUseAtEnd) {
        this(
                opened,
                resumed,
                failed,
                closedByServerWithNotice,
                closedByServer,
                closedByUs,
                openAtEnd,
                inUseAtEnd,
                StreamCounts.NONE);
    }

    /** The same with what happened to streams. */
    public ConnectionCounts with(StreamCounts counted) {
        return at(openAtEnd, inUseAtEnd, counted);
    }

    private ConnectionCounts at(long open, long inUse, StreamCounts counted) {
        return new ConnectionCounts(
                opened, resumed, failed, closedByServerWithNotice, closedByServer, closedByUs, open, inUse, counted);
    }

    /** The sum of both, of two lanes at the same time. */
    public ConnectionCounts plus(ConnectionCounts other) {
        return new ConnectionCounts(
                opened + other.opened,
                resumed + other.resumed,
                failed + other.failed,
                closedByServerWithNotice + other.closedByServerWithNotice,
                closedByServer + other.closedByServer,
                closedByUs + other.closedByUs,
                openAtEnd + other.openAtEnd,
                inUseAtEnd + other.inUseAtEnd,
                streams.plus(other.streams));
    }

    /** What happened in both of two times that follow each other; the state is that at the end of the later. */
    public ConnectionCounts then(ConnectionCounts later) {
        return plus(later).at(later.openAtEnd, later.inUseAtEnd, streams.then(later.streams));
    }

    /** What happened after {@code earlier}, of the same lanes; the state is that of now. */
    public ConnectionCounts since(ConnectionCounts earlier) {
        return new ConnectionCounts(
                opened - earlier.opened,
                resumed - earlier.resumed,
                failed - earlier.failed,
                closedByServerWithNotice - earlier.closedByServerWithNotice,
                closedByServer - earlier.closedByServer,
                closedByUs - earlier.closedByUs,
                openAtEnd,
                inUseAtEnd,
                streams.since(earlier.streams));
    }
}
