package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;

/**
 * Planned and answered requests per second. Both count the requests due in the window, so a request that hangs in the
 * drain does not reduce the rate.
 *
 * @param windowNanos time in which requests were planned
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
