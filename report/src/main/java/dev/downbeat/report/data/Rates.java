package dev.downbeat.report.data;

import dev.downbeat.run.RunResult;

/**
 * Planned requests per second, and those answered per second while the load lasted ({@link RunResult#throughput}).
 *
 * @param windowNanos time in which requests were planned
 */
public record Rates(long planned, long windowNanos, RunResult.Throughput answered) {
    public static Rates of(RunResult result) {
        return new Rates(result.ledger().planned(), result.windowNanos(), result.throughput());
    }

    public double intendedPerSecond() {
        return windowNanos == 0 ? 0 : planned * 1e9 / windowNanos;
    }

    public double answeredPerSecond() {
        return answered.perSecond();
    }
}
