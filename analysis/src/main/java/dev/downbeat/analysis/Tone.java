package dev.downbeat.analysis;

/** How an answer looks to a reader. */
public enum Tone {
    /** As it was asked for. */
    GOOD,
    /** Not as it was asked for. */
    BAD,
    /** Something that was asked for is open. */
    OPEN,
    /** To be known, no more. */
    NOTE
}
