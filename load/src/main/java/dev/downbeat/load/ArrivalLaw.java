package dev.downbeat.load;

/** The arrival process as a single word, for {@code @LoadTest} and JMH's parameters. */
public enum ArrivalLaw {
    /** Random, as from many independent callers. */
    POISSON,
    /** Evenly spaced. */
    CONSTANT
}
