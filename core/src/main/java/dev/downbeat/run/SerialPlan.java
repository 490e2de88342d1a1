package dev.downbeat.run;

import java.time.Duration;
import java.util.Objects;

/**
 * Runs of requests that follow each other, each run on connections of its own. Immutable.
 *
 * @param runs how many runs, from 1 to 50,000
 * @param requests how many requests each has, from 1 to 1,000,000; all runs together at most 10,000,000
 * @param concurrency how many runs go on at the same time, from 1 to 1,000
 * @param warmUpRuns how many runs come before and are not counted, from 1 to 1,000
 * @param staggered whether runs start at different moments; if not, they start together and meet each new connection
 *     together
 * @param timeout after how long a request times out; above zero
 * @param seed of the moments at which runs start
 */
public record SerialPlan(
        int runs, int requests, int concurrency, int warmUpRuns, boolean staggered, Duration timeout, long seed) {
    private static final long MOST = 10_000_000;

    /** Refuses what is out of range. */
    public SerialPlan {
        checkRange("runs", runs, 50_000);
        checkRange("requests", requests, 1_000_000);
        checkRange("concurrency", concurrency, 1_000);
        checkRange("warm-up runs", warmUpRuns, 1_000);
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be above zero, but was " + timeout);
        }
        if ((long) runs * requests > MOST) {
            throw new IllegalArgumentException(
                    "runs x requests must be at most " + MOST + ", but was " + (long) runs * requests);
        }
    }

    private static void checkRange(String what, int value, int highest) {
        if (value < 1 || value > highest) {
            throw new IllegalArgumentException(what + " must be from 1 to " + highest + ", but was " + value);
        }
    }

    /**
     * In how many shares a target is opened, one for each run: a target with so many connections gives each run one of its
     * own.
     */
    public int shares() {
        return runs + warmUpRuns;
    }
}
