package dev.downbeat.record;

import dev.downbeat.exchange.ConnectionCounts;
import java.util.Map;

/**
 * A recording with its place in the run. A request belongs to the interval in which its end was recorded.
 *
 * @param startNanos begin, from the start of the run
 * @param endNanos end, from the start of the run; not before the begin
 * @param recording what was counted in between
 * @param connections what happened to connections in between, and how many there were at the end
 * @param strain what kept this process from its work meanwhile
 */
public record Interval(
        long startNanos, long endNanos, Recording recording, ConnectionCounts connections, Strain strain) {
    /** Refuses an end before the begin. */
    public Interval {
        if (endNanos < startNanos) {
            throw new IllegalArgumentException("endNanos must be at least " + startNanos + ", but was " + endNanos);
        }
    }

    /** An interval in which nothing kept this process from its work. */
    public Interval(long startNanos, long endNanos, Recording recording, ConnectionCounts connections) {
        this(startNanos, endNanos, recording, connections, Strain.NONE);
    }

    /** An interval of a target without connections. */
    public Interval(long startNanos, long endNanos, Recording recording) {
        this(startNanos, endNanos, recording, ConnectionCounts.NONE);
    }

    /** The same without what only whole runs are asked for: positions, parts and examples. */
    public Interval forTimeline() {
        return with(recording.forTimeline());
    }

    Interval withoutNames() {
        return with(recording.withNames(Map.of()));
    }

    /** The same with the names of an earlier one beside its own. */
    Interval withNamesOf(Interval earlier) {
        return with(recording.withNamesOf(earlier.recording));
    }

    /** The same with another recording. */
    public Interval with(Recording other) {
        return new Interval(startNanos, endNanos, other, connections, strain);
    }

    /** The same of the requests of one name. */
    public Interval named(String name) {
        return with(recording.named(name));
    }

    /**
     * This and what followed it, as one.
     *
     * @param next begins where this ends
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

    /** The same, so much later. */
    public Interval later(long nanos) {
        return new Interval(startNanos + nanos, endNanos + nanos, recording, connections, strain);
    }

    /** How long it lasted. */
    public long lengthNanos() {
        return endNanos - startNanos;
    }
}
