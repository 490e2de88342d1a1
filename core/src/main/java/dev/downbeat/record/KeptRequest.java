package dev.downbeat.record;

/**
 * One request that was kept, with all of its instants, each from the start of the run.
 *
 * @param index which request of the run
 * @param name place of its name among the names of the run; 0 if requests have none
 * @param intendedNanos when it was meant to start
 * @param dispatchedNanos when the generator noticed that it was due
 * @param startedNanos when it left
 * @param firstByteNanos when the first byte of the response was there
 * @param completedNanos when it had ended, or its deadline had passed
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
}
