package dev.downbeat.analysis;

/** How an answer is presented to a reader. */
public enum Tone {
    /** As required. */
    GOOD,
    /** Not as required. */
    BAD,
    /** A requested decision is open. */
    OPEN,
    /** For information only. */
    NOTE
}
