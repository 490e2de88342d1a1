package dev.downbeat.report.data;

import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import java.util.List;

/**
 * Planned requests per second, and requests answered per second while the load lasted. What was answered after the load
 * ended is not throughput: an overloaded service may answer everything in the end.
 *
 * @param windowNanos time in which requests were planned
 * @param answeredOverNanos time in which {@code answered} responses arrived
 */
public record Rates(long planned, long windowNanos, long answered, long answeredOverNanos) {
    public static Rates of(RunResult result) {
        List<Interval> underLoad = result.underLoad();
        long planned = result.ledger().planned();
        if (underLoad.isEmpty()) {
            return new Rates(planned, result.windowNanos(), result.ledger().answered(), result.windowNanos());
        }
        return new Rates(
                planned,
                result.windowNanos(),
                underLoad.stream()
                        .mapToLong(interval -> interval.recording().ledger().answered())
                        .sum(),
                underLoad.stream().mapToLong(Interval::lengthNanos).sum());
    }

    public double intendedPerSecond() {
        return perSecond(planned, windowNanos);
    }

    public double answeredPerSecond() {
        return perSecond(answered, answeredOverNanos);
    }

    private static double perSecond(long count, long nanos) {
        return nanos == 0 ? 0 : count * 1e9 / nanos;
    }
}
