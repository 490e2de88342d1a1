package dev.downbeat.exchange;

/**
 * Connection events in a period, and the number of connections at its end. All counts are at least 0.
 *
 * @param opened connections established, including their TLS handshake
 * @param resumed part of {@code opened}: connections with a resumed TLS session
 * @param failed failed connection attempts
 * @param closedByServerWithNotice closed by the server after an announcement ({@code Connection: close} or GOAWAY)
 * @param closedByServer closed or reset by the server without an announcement
 * @param closedByUs closed by Downbeat, such as after a timeout, a malformed response, or the configured number of
 *     requests
 * @param openAtEnd connections open at the end, of which {@code inUseAtEnd} have a request
 * @param inUseAtEnd part of {@code openAtEnd}
 * @param streams counts of multiplexed connections
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
    /** No connections; for targets without any. */
    public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0, 0, 0, 0, 0, 0);

    public boolean isNone() {
        return with(StreamCounts.NONE).equals(NONE);
    }

    /** Counts for connections with one request at a time. */
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

    public ConnectionCounts with(StreamCounts counted) {
        return at(openAtEnd, inUseAtEnd, counted);
    }

    private ConnectionCounts at(long open, long inUse, StreamCounts counted) {
        return new ConnectionCounts(
                opened, resumed, failed, closedByServerWithNotice, closedByServer, closedByUs, open, inUse, counted);
    }

    /** The sum for two lanes over the same period. */
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

    /** The sum over two consecutive periods, with the state at the end of the later one. */
    public ConnectionCounts then(ConnectionCounts later) {
        return plus(later).at(later.openAtEnd, later.inUseAtEnd, streams.then(later.streams));
    }

    /** The difference since {@code earlier}, for the same lanes, with the current state. */
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
