package dev.downbeat.exec;

import java.time.Duration;

/**
 * How worker processes are run.
 *
 * @param workers how many processes, at least 1, over all generators; each handles one request at a time
 * @param startTimeout within which a worker must answer its first {@code ping}
 * @param grace how long a worker may at most still take for a request that has timed out, before it is killed and replaced; it
 *     gets the time that the request had if that is less
 */
public record ExecOptions(int workers, Duration startTimeout, Duration grace) {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Refuses a number of workers below 1. */
    public ExecOptions {
        if (workers < 1) {
            throw new IllegalArgumentException("workers must be at least 1, but was " + workers);
        }
    }

    /** Options for this many workers, with the defaults of 30 s to start and 10 s of grace. */
    public static ExecOptions workers(int workers) {
        return new ExecOptions(workers, START_TIMEOUT, GRACE);
    }
}
