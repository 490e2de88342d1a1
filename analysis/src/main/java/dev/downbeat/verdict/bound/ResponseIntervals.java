package dev.downbeat.verdict.bound;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Batches.Memory;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The 95 % confidence intervals of the response time's percentiles, for requests that wait together. Immutable. */
public final class ResponseIntervals {
    public static final long LEAST_STRETCH_NANOS = 950_000_000;

    /** An event with this mean frequency per run occurs in 95 of 100 runs (Poisson: e^-3). */
    private static final int LEAST_MEAN_EVENTS = 3;

    private final ResponseBounds bounds;
    private final boolean isSteady;
    private final Optional<RunIntervals> intervals;
    private final double nanosPerStretch;
    private final long observedNanos;

    private ResponseIntervals(RunResult result, ResponseBounds bounds, boolean isSteady) {
        this.bounds = bounds;
        this.isSteady = isSteady;
        List<Distribution> stretches = stretches(result.intervals());
        intervals = isSteady ? RunIntervals.of(stretches) : Optional.empty();
        observedNanos = Math.min(result.plan().durationNanos(), result.durationNanos());
        nanosPerStretch = (double) observedNanos / Math.max(1, stretches.size());
    }

    /** The intervals of a run whose bounds and steadiness are known. */
    public static ResponseIntervals of(RunResult result, ResponseBounds bounds, boolean isSteady) {
        return new ResponseIntervals(result, bounds, isSteady);
    }

    /** Response times in stretches of about a second or more; the remainder is added to the last one. */
    public static List<Distribution> stretches(List<Interval> intervals) {
        return Cuts.stretches(intervals, LEAST_STRETCH_NANOS).stream()
                .map(stretch -> Distribution.sum(stretch.stream()
                        .map(interval -> interval.recording().responseAtLeast())
                        .toList()))
                .toList();
    }

    /**
     * The interval of a percentile.
     *
     * @param percentile above 0, below 100
     * @return empty if there are too few requests, only a lower bound is known, or the run was too short; see
     *     {@link #whyNot}
     */
    public Optional<QuantileInterval> at(double percentile) {
        return bounds.hasEnoughFor(percentile) && bounds.isKnownAt(percentile)
                ? intervals.map(known -> known.at(percentile))
                : Optional.empty();
    }

    /**
     * Why there is no interval, or none with an upper end.
     *
     * @param percentile above 0, below 100
     */
    public String whyNot(double percentile) {
        if (!bounds.hasEnoughFor(percentile)) {
            return ResponseBounds.shortage(percentile, bounds.count());
        }
        if (!bounds.isKnownAt(percentile)) {
            return "only a lower bound of " + Percentiles.name(percentile) + " is known";
        }
        if (!isSteady) {
            return "the response time changed during the run";
        }
        return intervals.isEmpty()
                ? "an interval needs a run of at least " + RunIntervals.LEAST_SECONDS + " s"
                : memoryText(percentile)
                        .orElse("slow requests came together: too few of them were independent of each other");
    }

    /**
     * How long requests depended on each other; a run should be ten times as long.
     *
     * @param percentile the highest percentile considered; above 0, below 100
     * @return nanoseconds; empty if there are no intervals
     */
    public OptionalLong memoryNanos(double percentile) {
        return intervals
                .map(known ->
                        OptionalLong.of(Math.round(known.memory(percentile).stretches() * nanosPerStretch)))
                .orElse(OptionalLong.empty());
    }

    /**
     * States that the run was too short for its memory; empty if it was long enough. A short run only shows a lower
     * bound of the memory, so the recommended length is a lower bound too.
     */
    public Optional<String> memoryText(double percentile) {
        return intervals
                .map(known -> known.memory(percentile))
                .filter(Memory::isTooLong)
                .map(memory -> "requests depend on each other for longer than a tenth of the run: at least "
                        + about(memory.stretchesNeeded() * nanosPerStretch) + " would be needed");
    }

    /**
     * The run may not contain stalls and slow periods that are rarer than this; no interval accounts for them.
     *
     * @return nanoseconds; empty if there are no intervals
     */
    public OptionalLong rarestNanos() {
        return intervals.isEmpty() ? OptionalLong.empty() : OptionalLong.of(observedNanos / LEAST_MEAN_EVENTS);
    }

    /** A recommended length, rounded to two digits. */
    public static String about(double nanos) {
        double unit = Math.pow(10, Math.floor(Math.log10(nanos)) - 1);
        return DurationText.rounded((long) (Math.ceil(nanos / unit) * unit));
    }

    /**
     * The length that a run like this one needs for the percentile's interval to have an upper end. About four of five
     * runs of that length have one.
     *
     * @param percentile above 0, below 100
     * @return nanoseconds, more than the run's length if its interval has no upper end; empty if the run is too short
     *     to tell
     */
    public Optional<Double> neededNanos(double percentile) {
        return intervals.map(known -> known.stretchesNeeded(percentile) * nanosPerStretch);
    }

    /**
     * Cuts a run into stretches of about equal length. A late tick lengthens one interval and shortens the next. The excess
     * of an interval is credited to the next, so that no stretch is lost. Not thread-safe.
     */
    public static final class Cuts {
        /** Several intervals credit at most this part of a stretch: only late ticks divide it unevenly. */
        private static final int MOST_OF_SEVERAL = 4;

        /** A stretch may be shorter by one part in this number. */
        private static final int RESERVE = 20;

        private final long leastNanos;
        private long openNanos;
        private long creditNanos;
        private int openIntervals;

        /** Intervals by stretches of at least this length; the remainder is added to the last one. */
        public static List<List<Interval>> stretches(List<Interval> intervals, long leastNanos) {
            List<List<Interval>> stretches = new ArrayList<>();
            List<Interval> open = new ArrayList<>();
            Cuts cuts = new Cuts(leastNanos);
            for (Interval interval : intervals) {
                open.add(interval);
                if (cuts.isAfter(interval.lengthNanos())) {
                    stretches.add(open);
                    open = new ArrayList<>();
                }
            }
            if (stretches.isEmpty() && !open.isEmpty()) {
                stretches.add(open);
            } else if (!open.isEmpty()) {
                stretches.get(stretches.size() - 1).addAll(open);
            }
            return stretches;
        }

        /** Cuts stretches of at least this length, tolerating late ticks. */
        public Cuts(long leastNanos) {
            this.leastNanos = leastNanos;
        }

        /** Whether a stretch ends with this interval. Call in order of time. */
        public boolean isAfter(long intervalNanos) {
            openNanos += intervalNanos;
            openIntervals++;
            boolean isFull = openNanos + creditNanos >= leastNanos;
            if (isFull) {
                long plannedNanos = leastNanos + leastNanos / (RESERVE - 1);
                long mostNanos = leastNanos / (openIntervals == 1 ? 2 : MOST_OF_SEVERAL);
                creditNanos = Math.max(0, Math.min(mostNanos, openNanos + creditNanos - plannedNanos));
                openNanos = 0;
                openIntervals = 0;
            }
            return isFull;
        }
    }
}
