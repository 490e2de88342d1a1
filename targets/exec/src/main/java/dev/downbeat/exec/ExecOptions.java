package dev.downbeat.exec;

import java.time.Duration;

/**
 * How worker processes are run.
 *
 * @param workers number of processes over all generators, at least 1; each handles one request at a time
 * @param startTimeout time within which a worker must answer its first {@code ping}
 * @param grace most further time for a request that has timed out, before its worker is killed and replaced; no more
 *     than the request had
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
