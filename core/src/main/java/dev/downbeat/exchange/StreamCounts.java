package dev.downbeat.exchange;

/**
 * Stream events of multiplexed connections (HTTP/2) in a period, and the state at its end. All counts are at least 0.
 *
 * @param begun streams with a request sent
 * @param sentAgain requests sent again after the server left them unprocessed (GOAWAY or a refused stream) or closed
 *     their kept connection before a response; not a fate, since each such request also has one
 * @param openAtEnd streams with a request at the end
 * @param allowedAtEnd maximum number of concurrent streams on the connections open at the end
 */
public record StreamCounts(long begun, long sentAgain, long openAtEnd, long allowedAtEnd) {
    /** No streams; for connections with one request at a time. */
    public static final StreamCounts NONE = new StreamCounts(0, 0, 0, 0);

    /** The sum for two lanes over the same period. */
    StreamCounts plus(StreamCounts other) {
        return new StreamCounts(
                begun + other.begun,
                sentAgain + other.sentAgain,
                openAtEnd + other.openAtEnd,
                allowedAtEnd + other.allowedAtEnd);
    }

    /** The sum over two consecutive periods, with the state at the end of the later one. */
    StreamCounts then(StreamCounts later) {
        return new StreamCounts(begun + later.begun, sentAgain + later.sentAgain, later.openAtEnd, later.allowedAtEnd);
    }

    /** The difference since {@code earlier}, for the same lanes, with the current state. */
    StreamCounts since(StreamCounts earlier) {
        return new StreamCounts(begun - earlier.begun, sentAgain - earlier.sentAgain, openAtEnd, allowedAtEnd);
    }
}
