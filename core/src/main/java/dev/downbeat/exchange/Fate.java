package dev.downbeat.exchange;

/** The fate of an intended request. Every intended request has exactly one. */
public enum Fate {
    /** A complete and successful response arrived. */
    ANSWERED,
    /** A complete response that counts as a failure, or an error before the response was complete. */
    FAILED,
    /** The deadline passed first; the response time is at least the deadline. */
    TIMED_OUT,
    /** Sent, but not finished when the run ended. */
    IN_FLIGHT,
    /** Due, but not sent before the run ended or because this process reached one of its limits. */
    NEVER_SENT
}
