package dev.downbeat.record;

/**
 * One stored request with all of its instants, each relative to the start of the run and none before the previous one.
 * If a poll had nothing to answer for a time, its intended start is shifted later by that time.
 *
 * @param index index of the request in the run
 * @param name index of its name among the names of the run; 0 if requests have none
 * @param intendedNanos intended start
 * @param dispatchedNanos when the generator noticed that it was due
 * @param startedNanos when it was sent
 * @param firstByteNanos first byte of the response
 * @param completedNanos when it ended, its deadline passed, or the run ended
 * @param newConnectionNanos time after {@code startedNanos} spent on a new connection
 * @param position position on the connection, from 1; 0 if there is none
 * @param isAnswered whether a response arrived; otherwise it failed or timed out
 */
public record KeptRequest(
        long index,
        int name,
        long intendedNanos,
        long dispatchedNanos,
        long startedNanos,
        long firstByteNanos,
        long completedNanos,
        long newConnectionNanos,
        int position,
        boolean isAnswered) {
    private static final long PRECISION = 1_000;
    private static final long COARSEST_NANOS = 1_000;

    /** Time from intended start to completion. */
    public long responseNanos() {
        return completedNanos - intendedNanos;
    }

    /**
     * A copy with instants rounded down to a thousandth of the response time or finer, at most to a microsecond, which
     * is as exact as a {@link Distribution}. Saved files are then half as large.
     */
    public KeptRequest rounded() {
        long unit = 1;
        while (unit < COARSEST_NANOS && responseNanos() >= unit * PRECISION * 10) {
            unit *= 10;
        }
        return new KeptRequest(
                index,
                name,
                intendedNanos / unit * unit,
                dispatchedNanos / unit * unit,
                startedNanos / unit * unit,
                firstByteNanos / unit * unit,
                completedNanos / unit * unit,
                newConnectionNanos / unit * unit,
                position,
                isAnswered);
    }

    KeptRequest later(long nanos) {
        return new KeptRequest(
                index,
                name,
                intendedNanos + nanos,
                dispatchedNanos + nanos,
                startedNanos + nanos,
                firstByteNanos + nanos,
                completedNanos + nanos,
                newConnectionNanos,
                position,
                isAnswered);
    }
}
