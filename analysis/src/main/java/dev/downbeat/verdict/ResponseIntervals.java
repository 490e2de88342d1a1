package dev.downbeat.verdict;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How sure the percentiles of the response time are: the intervals in which the service's own percentiles lie with a
 * confidence of 95 %, for requests that wait together. Immutable.
 */
public final class ResponseIntervals {
    static final long LEAST_STRETCH_NANOS = 950_000_000;

    private final ResponseBounds bounds;
    private final boolean isSteady;
    private final Optional<RunIntervals> intervals;
    private final double nanosPerRequest;

    private ResponseIntervals(RunResult result) {
        bounds = ResponseBounds.of(result.recording());
        isSteady = Steadiness.notSteady(result).isEmpty();
        List<Distribution> stretches = stretches(result.intervals());
        intervals = isSteady ? RunIntervals.of(stretches) : Optional.empty();
        nanosPerRequest =
                (double) Math.min(result.plan().durationNanos(), result.durationNanos()) / Math.max(1, bounds.count());
    }

    /** The intervals of a run. */
    public static ResponseIntervals of(RunResult result) {
        return new ResponseIntervals(result);
    }

    /** Response times in stretches of about a second or more; what is left over at the end is part of the last one. */
    static List<Distribution> stretches(List<Interval> intervals) {
        List<Distribution> stretches = new ArrayList<>();
        Distribution open = Distribution.empty();
        long lengthNanos = 0;
        for (Interval interval : intervals) {
            open = open.plus(interval.recording().responseAtLeast());
            lengthNanos += interval.lengthNanos();
            if (lengthNanos >= LEAST_STRETCH_NANOS) {
                stretches.add(open);
                open = Distribution.empty();
                lengthNanos = 0;
            }
        }
        if (!open.isEmpty() && !stretches.isEmpty()) {
            int last = stretches.size() - 1;
            stretches.set(last, stretches.get(last).plus(open));
        }
        return stretches;
    }

    /**
     * The interval of a percentile.
     *
     * @param percentile above 0, below 100
     * @return empty if the data do not carry the percentile, if only a lower bound of it is known, or if the run was too
     *     short: {@link #whyNot} tells
     */
    public Optional<QuantileInterval> at(double percentile) {
        return bounds.carries(percentile) && bounds.isKnownAt(percentile)
                ? intervals.map(known -> known.at(percentile))
                : Optional.empty();
    }

    /**
     * Why there is no interval, or none with an upper end.
     *
     * @param percentile above 0, below 100
     */
    public String whyNot(double percentile) {
        if (!bounds.carries(percentile)) {
            return ResponseBounds.shortage(percentile, bounds.count());
        }
        if (!bounds.isKnownAt(percentile)) {
            return "only a lower bound of " + PercentileName.of(percentile) + " is known";
        }
        if (!isSteady) {
            return "the response time changed during the run";
        }
        return intervals.isEmpty()
                ? "an interval needs a run of at least " + RunIntervals.LEAST_BATCHES + " s"
                : "slow requests came together: too few of them were independent of each other";
    }

    /**
     * How long a run like this one must be for the interval of a percentile to have an upper end.
     *
     * @param percentile above 0, below 100
     * @return nanoseconds; empty if this run is too short to tell
     */
    public Optional<Double> neededNanos(double percentile) {
        return intervals.map(known -> known.needed(percentile) * nanosPerRequest);
    }
}
