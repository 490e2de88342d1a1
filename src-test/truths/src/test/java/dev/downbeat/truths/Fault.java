package dev.downbeat.truths;

/**
 * What happens to requests instead of an answer.
 *
 * @param when they arrive at the service
 * @param share of those that arrive meanwhile, from 0 to 1
 * @param kind how they end
 * @param afterNanos how long after their arrival they end; nothing to a {@link Kind#BLACK_HOLE}
 * @param name of the requests; empty if it may be any
 */
record Fault(Span when, double share, Kind kind, long afterNanos, String name) {
    enum Kind {
        /** An answer that says so: HTTP 503. */
        STATUS,
        /** The connection is refused. */
        REFUSED,
        /** The connection is reset. */
        RESET,
        /** Nothing ever comes back. */
        BLACK_HOLE
    }
}
