package dev.downbeat.run;

/**
 * The current state of a run, about 50 ms old at most.
 *
 * @param taken requests that have left the schedule: sent, or timed out unsent
 * @param inFlight started, not completed
 * @param backlog due, not started
 * @param behindNanos the generator's own delay now, in nanoseconds
 * @param silentNanos time since the last response while requests are waiting; -1 if none are
 */
public record RunSnapshot(long taken, long inFlight, long backlog, long behindNanos, long silentNanos) {
    public static final RunSnapshot NONE = new RunSnapshot(0, 0, 0, 0, -1);

    public RunSnapshot plus(RunSnapshot other) {
        return new RunSnapshot(
                taken + other.taken,
                inFlight + other.inFlight,
                backlog + other.backlog,
                Math.max(behindNanos, other.behindNanos),
                silent(silentNanos, other.silentNanos));
    }

    /** A response in either ends the silence. */
    private static long silent(long one, long other) {
        return one < 0 || other < 0 ? Math.max(one, other) : Math.min(one, other);
    }
}
