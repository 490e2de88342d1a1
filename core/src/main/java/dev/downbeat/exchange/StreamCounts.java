package dev.downbeat.exchange;

/**
 * What happened to the streams of connections that carry many requests at once (HTTP/2) over some time, and how many there
 * were at its end. All counts are at least 0.
 *
 * @param begun streams that a request was sent on
 * @param sentAgain requests that the server had not processed, because of GOAWAY or a refusal, and that were sent once more;
 *     they are no fate, since each of these requests has one beside
 * @param openAtEnd streams with a request at the end
 * @param allowedAtEnd how many there could have been at once on the connections that were open at the end
 */
public record StreamCounts(long begun, long sentAgain, long openAtEnd, long allowedAtEnd) {
    /** No stream; what connections return that carry one request at a time. */
    public static final StreamCounts NONE = new StreamCounts(0, 0, 0, 0);

    /** The sum of both, of two lanes at the same time. */
    StreamCounts plus(StreamCounts other) {
        return new StreamCounts(
                begun + other.begun,
                sentAgain + other.sentAgain,
                openAtEnd + other.openAtEnd,
                allowedAtEnd + other.allowedAtEnd);
    }

    /** What happened in both of two times that follow each other; the state is that at the end of the later. */
    StreamCounts then(StreamCounts later) {
        return new StreamCounts(begun + later.begun, sentAgain + later.sentAgain, later.openAtEnd, later.allowedAtEnd);
    }

    /** What happened after {@code earlier}, of the same lanes; the state is that of now. */
    StreamCounts since(StreamCounts earlier) {
        return new StreamCounts(begun - earlier.begun, sentAgain - earlier.sentAgain, openAtEnd, allowedAtEnd);
    }
}
