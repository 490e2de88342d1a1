package dev.downbeat.run;

import java.time.Duration;
import java.util.Objects;

/**
 * Runs of sequential requests, each run on its own connections. Immutable.
 *
 * @param runs number of runs, from 1 to 50,000
 * @param requests requests per run, from 1 to 1,000,000; at most 10,000,000 in total, with the warm-up
 * @param concurrency number of concurrent runs, from 1 to 1,000
 * @param warmUpRuns number of uncounted runs beforehand, from 1 to 1,000
 * @param staggered whether runs start at different times; otherwise they start together and open their connections
 *     together
 * @param timeout request timeout; above zero
 * @param seed random seed for the start times
 */
public record SerialPlan(
        int runs, int requests, int concurrency, int warmUpRuns, boolean staggered, Duration timeout, long seed) {
    private static final long MOST = 10_000_000;

    public SerialPlan {
        checkRange("runs", runs, 50_000);
        checkRange("requests", requests, 1_000_000);
        checkRange("concurrency", concurrency, 1_000);
        checkRange("warm-up runs", warmUpRuns, 1_000);
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be above zero, but was " + timeout);
        }
        long total = ((long) runs + warmUpRuns) * requests;
        if (total > MOST) {
            throw new IllegalArgumentException(
                    "(runs + warm-up runs) x requests must be at most " + MOST + ", but was " + total);
        }
    }

    private static void checkRange(String name, int value, int highest) {
        if (value < 1 || value > highest) {
            throw new IllegalArgumentException(name + " must be from 1 to " + highest + ", but was " + value);
        }
    }

    /**
     * The number of lanes to open, one per run or warm-up run: a target with that many connections gives each its own.
     */
    public int shares() {
        return runs + warmUpRuns;
    }
}
