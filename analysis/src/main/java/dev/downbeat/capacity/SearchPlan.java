package dev.downbeat.capacity;

import dev.downbeat.verdict.AskedObjective;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is looked for, and at what price.
 *
 * @param fromPerSecond the first rate, above 0
 * @param toPerSecond no higher rate is tried; at least the first
 * @param stepNanos how long a rate is measured at first, at least {@link #LEAST_STEP_NANOS}
 * @param budgetNanos how long all runs may take together
 * @param slos what is asked of the service
 * @param precision how close the ends of the answer shall come to each other, as a share: 0.05 is 5 %
 * @param shuffle if the rates between the first and the highest shall come in random order: the seed. So a service that
 *     changes with time does not look like one that changes with load.
 */
public record SearchPlan(
        double fromPerSecond,
        double toPerSecond,
        long stepNanos,
        long budgetNanos,
        List<AskedObjective> slos,
        double precision,
        OptionalLong shuffle) {
    /** A shorter step has too little time for stretches that do not depend on each other. */
    public static final long LEAST_STEP_NANOS = 3_000_000_000L;

    private static final int LONGER = 3;

    /** What comes once in 20 s is then surely seen, and what comes at equal steps each 10 s known by them. */
    private static final long CONFIRMATION_NANOS = 60_000_000_000L;

    private static final int LEAST_CONFIRMATIONS = 4;

    private static final int STRETCHES = 24;
    private static final long LONGEST_STRETCH_NANOS = 1_000_000_000L;

    public SearchPlan {
        slos = List.copyOf(slos);
        require(
                fromPerSecond > 0 && toPerSecond >= fromPerSecond,
                "fromPerSecond must be above 0 and toPerSecond at least as much, but were " + fromPerSecond + " and "
                        + toPerSecond);
        require(stepNanos >= LEAST_STEP_NANOS, "stepNanos must be at least 3 s, but was " + stepNanos);
        require(budgetNanos >= stepNanos, "budgetNanos must be at least " + stepNanos + ", but was " + budgetNanos);
        require(precision > 0 && precision < 1, "precision must be above 0 and below 1, but was " + precision);
        require(!slos.isEmpty(), "there must be at least 1 objective, but there was none");
    }

    private static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** How long the beginning of each run is that does not count: a fifth of a step, so that queues can fill. */
    public long settlingNanos() {
        return stepNanos / 5;
    }

    /** How long a rate is measured again if nothing is sure of it. */
    public long longerNanos() {
        return LONGER * stepNanos;
    }

    /** How long the run is that confirms what was seen at a rate: three steps, and a minute if the budget has four. */
    public long confirmationNanos() {
        return Math.max(longerNanos(), Math.min(CONFIRMATION_NANOS, budgetNanos / LEAST_CONFIRMATIONS));
    }

    /** How long the stretches are by whose scatter certainty is judged. */
    public long stretchNanos() {
        return Math.min(LONGEST_STRETCH_NANOS, stepNanos / 5 * 4 / STRETCHES);
    }
}
