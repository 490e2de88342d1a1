package dev.downbeat.record;

/**
 * One request that was kept, with all of its instants, each from the start of the run and none before the one above it. A
 * request that waited while there was nothing to answer with, as in a poll, is told as if it had been meant to start so much
 * later.
 *
 * @param index which request of the run
 * @param name place of its name among the names of the run; 0 if requests have none
 * @param intendedNanos when it was meant to start
 * @param dispatchedNanos when the generator noticed that it was due
 * @param startedNanos when it left
 * @param firstByteNanos when the first byte of the response was there
 * @param completedNanos when it had ended, or its deadline had passed, or the run ended
 * @param newConnectionNanos what a new connection took of the time after {@code startedNanos}
 * @param position its place on its connection, from 1; 0 if there is none
 * @param isAnswered whether the response came; else it failed, or its deadline passed
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
    /** From intended to completed. */
    public long responseNanos() {
        return completedNanos - intendedNanos;
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
