package dev.downbeat.simulate;

import java.util.Arrays;

/**
 * Timeouts of attempts. All attempts have the same timeout, so they expire in order of their start: a linked list in
 * arrays, indexed by slot. Not thread-safe.
 */
final class AttemptTimers {
    private static final int NONE = -1;

    private final long timeoutNanos;
    private final long[] dueAt;
    private final int[] next;
    private final int[] previous;
    private int first = NONE;
    private int last = NONE;

    /**
     * Creates an empty list.
     *
     * @param timeoutNanos {@link Long#MAX_VALUE} if attempts never time out
     */
    AttemptTimers(int slots, long timeoutNanos) {
        this.timeoutNanos = timeoutNanos;
        this.dueAt = new long[slots];
        this.next = new int[slots];
        this.previous = new int[slots];
        Arrays.fill(next, NONE);
        Arrays.fill(previous, NONE);
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /** When the first timer expires; call only if there is one. */
    long firstAt() {
        return dueAt[first];
    }

    /** The slot of the first timer; call only if there is one. */
    int first() {
        return first;
    }

    void start(int slot, long now) {
        if (timeoutNanos == Long.MAX_VALUE) {
            return;
        }
        dueAt[slot] = now + timeoutNanos;
        previous[slot] = last;
        if (last == NONE) {
            first = slot;
        } else {
            next[last] = slot;
        }
        last = slot;
    }

    /** Removes a slot's timer if there is one. */
    void stop(int slot) {
        if (previous[slot] == NONE && first != slot) {
            return;
        }
        if (previous[slot] == NONE) {
            first = next[slot];
        } else {
            next[previous[slot]] = next[slot];
        }
        if (next[slot] == NONE) {
            last = previous[slot];
        } else {
            previous[next[slot]] = previous[slot];
        }
        next[slot] = NONE;
        previous[slot] = NONE;
    }
}
