package dev.downbeat.target;

/**
 * What happened to the connections of a run. All counts are at least 0.
 *
 * @param opened connections that were established, TLS handshake included
 * @param failed attempts that did not lead to a connection
 * @param closedByServerWithNotice closed by the server after it had said so ({@code Connection: close})
 * @param closedByServer closed or reset by the server without notice
 * @param closedByUs closed by us before the end of the run, such as after a timeout or a garbled response
 * @param openAtEnd open when the run ended
 */
public record ConnectionCounts(
        long opened, long failed, long closedByServerWithNotice, long closedByServer, long closedByUs, long openAtEnd) {
    /** No connection at all; what a target without connections returns. */
    public static final ConnectionCounts NONE = new ConnectionCounts(0, 0, 0, 0, 0, 0);

    /** The sum of both. */
    public ConnectionCounts plus(ConnectionCounts other) {
        return new ConnectionCounts(
                opened + other.opened,
                failed + other.failed,
                closedByServerWithNotice + other.closedByServerWithNotice,
                closedByServer + other.closedByServer,
                closedByUs + other.closedByUs,
                openAtEnd + other.openAtEnd);
    }
}
