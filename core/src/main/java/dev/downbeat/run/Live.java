package dev.downbeat.run;

/**
 * How a run stands at this moment, to about 50 ms.
 *
 * @param taken requests that have left the schedule: sent, or timed out unsent
 * @param inFlight started, not completed
 * @param backlog due, not started
 * @param behindNanos by how much the generator itself is behind now, in nanoseconds
 * @param silentNanos for how long nobody was answered though requests waited for it; -1 if nothing waits
 */
public record Live(long taken, long inFlight, long backlog, long behindNanos, long silentNanos) {
    /** Nothing has happened yet. */
    public static final Live NONE = new Live(0, 0, 0, 0, -1);

    public Live plus(Live other) {
        return new Live(
                taken + other.taken,
                inFlight + other.inFlight,
                backlog + other.backlog,
                Math.max(behindNanos, other.behindNanos),
                silent(silentNanos, other.silentNanos));
    }

    /** An answer to anybody ends it for all. */
    private static long silent(long one, long other) {
        return one < 0 || other < 0 ? Math.max(one, other) : Math.min(one, other);
    }
}
