package dev.downbeat.simulate;

import java.util.Arrays;

/**
 * When attempts time out. All have the same time, so the one that began first times out first: a linked list
 * in arrays, by slot. Not thread-safe.
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
     * No timers.
     *
     * @param timeoutNanos {@link Long#MAX_VALUE} if nothing ever times out
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

    /** When the first is due; call only if there is one. */
    long firstAt() {
        return dueAt[first];
    }

    /** Whose turn it is; call only if there is one. */
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

    /** Takes a timer out, if it runs. */
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
