package dev.downbeat.record;

import dev.downbeat.exchange.ConnectionCounts;
import java.util.List;
import java.util.Map;

/**
 * A recording for a period of the run. A request belongs to the interval in which its end was recorded.
 *
 * @param startNanos start, from the start of the run
 * @param endNanos end, from the start of the run; not before {@code startNanos}
 * @param recording what was counted in the interval
 * @param connections connection events in the interval, and the state at its end
 * @param strain delays of this process in the interval
 */
public record Interval(
        long startNanos, long endNanos, Recording recording, ConnectionCounts connections, ProcessDelays strain) {
    public Interval {
        if (endNanos < startNanos) {
            throw new IllegalArgumentException("endNanos must be at least " + startNanos + ", but was " + endNanos);
        }
    }

    /** An interval without delays of this process. */
    public Interval(long startNanos, long endNanos, Recording recording, ConnectionCounts connections) {
        this(startNanos, endNanos, recording, connections, ProcessDelays.NONE);
    }

    /** An interval of a target without connections. */
    public Interval(long startNanos, long endNanos, Recording recording) {
        this(startNanos, endNanos, recording, ConnectionCounts.NONE);
    }

    /** A copy without data kept only for whole runs: positions, parts and examples. */
    public Interval forTimeline() {
        return with(recording.forTimeline());
    }

    Interval withoutNames() {
        return with(recording.withNames(Map.of()));
    }

    /** A copy with the names of an earlier interval added. */
    Interval withNamesOf(Interval earlier) {
        return with(recording.withNamesOf(earlier.recording));
    }

    public Interval with(Recording other) {
        return new Interval(startNanos, endNanos, other, connections, strain);
    }

    public Interval named(String name) {
        return with(recording.named(name));
    }

    /**
     * Merges this with the following interval.
     *
     * @param next starts where this one ends
     */
    public Interval then(Interval next) {
        if (next.startNanos != endNanos) {
            throw new IllegalArgumentException("next must begin at " + endNanos + ", but began at " + next.startNanos);
        }
        return new Interval(
                startNanos,
                next.endNanos,
                recording.plus(next.recording),
                connections.then(next.connections),
                strain.then(next.strain));
    }

    /** The sum of what intervals counted. */
    public static Recording sum(List<Interval> intervals) {
        return Recording.sum(intervals.stream().map(Interval::recording).toList());
    }

    public Interval later(long nanos) {
        return new Interval(startNanos + nanos, endNanos + nanos, recording, connections, strain);
    }

    public long lengthNanos() {
        return endNanos - startNanos;
    }
}
