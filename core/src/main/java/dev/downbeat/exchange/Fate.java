package dev.downbeat.exchange;

/** What became of a request that was meant to be sent. Every intended request has exactly one fate. */
public enum Fate {
    /** A complete response arrived, and it counts as a success. */
    ANSWERED,
    /** A complete response that counts as a failure, or an error before a response was complete. */
    FAILED,
    /** Its deadline passed first; the response time is at least the deadline. */
    TIMED_OUT,
    /** It was sent and its end was not seen before the run ended. */
    IN_FLIGHT,
    /** It was due, and the run ended before it could be sent, or this process ran into a limit of its own. */
    NEVER_SENT
}
