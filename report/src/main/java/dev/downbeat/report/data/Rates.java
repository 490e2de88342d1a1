package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;

/**
 * Requests per second, meant and answered. The two have different denominators: requests are meant to start within the
 * window, and answers may come until the end of the drain.
 *
 * @param windowNanos in which requests were meant to start
 * @param lengthNanos until the last request had ended or timed out
 */
public record Rates(long planned, long answered, long windowNanos, long lengthNanos) {
    public static Rates of(RunResult result) {
        return new Rates(
                result.ledger().planned(), result.ledger().answered(), result.windowNanos(), result.durationNanos());
    }

    public double intendedPerSecond() {
        return perSecond(planned, windowNanos);
    }

    public double achievedPerSecond() {
        return perSecond(answered, lengthNanos);
    }

    private static double perSecond(long count, long nanos) {
        return nanos == 0 ? 0 : count * 1e9 / nanos;
    }
}
