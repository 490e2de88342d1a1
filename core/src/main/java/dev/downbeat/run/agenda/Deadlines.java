package dev.downbeat.run.agenda;

import java.util.Arrays;

/**
 * The slots of a lane by deadline: a linked list in arrays indexed by slot. A new deadline is nearly always the latest,
 * so insertion searches from the end. Of equal deadlines, the first one added is the first. Not thread-safe.
 */
public final class Deadlines {
    private static final int NONE = -1;

    private final long[] deadlineAt;
    private final int[] next;
    private final int[] previous;
    private int first = NONE;
    private int last = NONE;
    private int size;

    public Deadlines(int slots) {
        this.deadlineAt = new long[slots];
        this.next = new int[slots];
        this.previous = new int[slots];
        Arrays.fill(next, NONE);
        Arrays.fill(previous, NONE);
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds a slot that has no deadline. */
    public void add(int slot, long at) {
        int before = last;
        while (before != NONE && deadlineAt[before] - at > 0) {
            before = previous[before];
        }
        int after = before == NONE ? first : next[before];
        deadlineAt[slot] = at;
        link(before, slot);
        link(slot, after);
        size++;
    }

    /** Removes a slot's deadline if it has one. */
    public void remove(int slot) {
        if (previous[slot] == NONE && first != slot) {
            return;
        }
        link(previous[slot], next[slot]);
        next[slot] = NONE;
        previous[slot] = NONE;
        size--;
    }

    private void link(int before, int after) {
        if (before == NONE) {
            first = after;
        } else {
            next[before] = after;
        }
        if (after == NONE) {
            last = before;
        } else {
            previous[after] = before;
        }
    }

    /** The slot with the earliest deadline; there must be one. */
    public int first() {
        return first;
    }

    /** The earliest deadline; there must be one. */
    public long firstAt() {
        return deadlineAt[first];
    }

    /** The latest deadline; there must be one. */
    public long lastAt() {
        return deadlineAt[last];
    }

    /** The deadline last set for a slot. */
    public long at(int slot) {
        return deadlineAt[slot];
    }
}
