package dev.downbeat.truths;

/**
 * A way for requests to fail.
 *
 * @param when the period in which affected requests are sent
 * @param share of the requests in that period, from 0 to 1
 * @param kind how the requests end
 * @param afterNanos time from the send to the failure; unused for a {@link Kind#BLACK_HOLE}
 * @param name of the affected requests; empty for all
 */
record Fault(Span when, double share, Kind kind, long afterNanos, String name) {
    enum Kind {
        /** An HTTP 503 response. */
        STATUS,
        /** The connection is refused. */
        REFUSED,
        /** The connection is reset. */
        RESET,
        /** No response ever comes. */
        BLACK_HOLE
    }
}
