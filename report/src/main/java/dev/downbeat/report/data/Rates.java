package dev.downbeat.report.data;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;

/**
 * Requests per second, meant and answered. The two have different denominators: requests are meant to start within the
 * window, and answers may come until the end of the drain.
 *
 * @param windowNanos in which requests were meant to start
 * @param lengthNanos until the last request had ended or was given up
 */
public record Rates(long planned, long answered, long windowNanos, long lengthNanos) {
    public static Rates of(RunResult result) {
        return new Rates(
                result.ledger().planned(), result.ledger().answered(), windowNanos(result), result.durationNanos());
    }

    /** Where the number of requests ends the plan, the window lasts until the next one would have been meant to start. */
    private static long windowNanos(RunResult result) {
        RunPlan plan = result.plan();
        long wholeNanos = Math.min(plan.durationNanos(), result.durationNanos());
        long count = plan.maxRequests();
        boolean isCounted = result.ledger().planned() == count && plan.durationNanos() == Long.MAX_VALUE;
        if (!isCounted || !(plan.workload() instanceof Workload.Open open)) {
            return wholeNanos;
        }
        IntendedTimes times = open.arrivals().times();
        for (long i = 0; i < count; i++) {
            times.nextNanos();
        }
        long nextNanos = times.nextNanos();
        return nextNanos == IntendedTimes.END ? wholeNanos : nextNanos;
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
