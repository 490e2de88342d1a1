package dev.downbeat.load;

/** By which law requests are meant to come at a rate, where one word says it: in {@code @LoadTest}, in JMH's parameters. */
public enum ArrivalLaw {
    /** At random, as from many callers who know nothing of each other. */
    POISSON,
    /** Evenly spaced. */
    CONSTANT
}
