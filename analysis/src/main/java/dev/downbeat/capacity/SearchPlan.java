package dev.downbeat.capacity;

import dev.downbeat.verdict.ServiceLevelObjective;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The parameters of a search.
 *
 * @param fromPerSecond the first rate, above 0
 * @param toPerSecond the highest rate to try; at least the first
 * @param stepNanos initial duration at each rate, at least {@link #LEAST_STEP_NANOS}
 * @param budgetNanos total duration of all runs
 * @param slos the objectives
 * @param precision relative distance of the answer's two ends to aim for: 0.05 is 5 %
 * @param shuffle seed for a random order of the rates between the first and the highest; empty for ascending order. A
 *     random order separates changes over time from changes with load.
 */
public record SearchPlan(
        double fromPerSecond,
        double toPerSecond,
        long stepNanos,
        long budgetNanos,
        List<ServiceLevelObjective> slos,
        double precision,
        OptionalLong shuffle) {
    /** Shorter steps have too few independent stretches. */
    public static final long LEAST_STEP_NANOS = 3_000_000_000L;

    /** How long to wait for responses after a run. Requests unanswered for longer indicate overload. */
    public static final Duration LONGEST_DRAIN = Duration.ofSeconds(2);

    /** The usual relative distance of the answer's two ends. */
    public static final double PRECISION = 0.05;

    private static final int LONGER = 3;

    /** A minute contains any event that recurs every 20 s, and shows the period of one that recurs every 10 s. */
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

    private static void require(boolean isValid, String message) {
        if (!isValid) {
            throw new IllegalArgumentException(message);
        }
    }

    /** The settling time at the start of each run, which does not count: a fifth of a step. */
    public long settlingNanos() {
        return stepNanos / 5;
    }

    /** The duration of a repeated run at an undecided rate. */
    public long longerNanos() {
        return LONGER * stepNanos;
    }

    /** The duration of the run that confirms a rate: three steps, or a minute if the budget allows four of them. */
    public long confirmationNanos() {
        return Math.max(longerNanos(), Math.min(CONFIRMATION_NANOS, budgetNanos / LEAST_CONFIRMATIONS));
    }

    /** The length of the stretches whose scatter determines the certainty. */
    public long stretchNanos() {
        return Math.min(LONGEST_STRETCH_NANOS, stepNanos / 5 * 4 / STRETCHES);
    }
}
