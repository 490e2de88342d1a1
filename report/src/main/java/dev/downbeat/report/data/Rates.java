package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;

/**
 * Requests per second: meant, and of those answered. Both are of the requests that were due in the window, so that one that
 * hangs in the drain makes no rate smaller.
 *
 * @param windowNanos in which requests were meant to start
 */
public record Rates(long planned, long answered, long windowNanos) {
    public static Rates of(RunResult result) {
        return new Rates(result.ledger().planned(), result.ledger().answered(), result.windowNanos());
    }

    public double intendedPerSecond() {
        return perSecond(planned);
    }

    public double answeredPerSecond() {
        return perSecond(answered);
    }

    private double perSecond(long count) {
        return windowNanos == 0 ? 0 : count * 1e9 / windowNanos;
    }
}
