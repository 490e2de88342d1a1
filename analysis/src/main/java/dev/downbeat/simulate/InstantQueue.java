package dev.downbeat.simulate;

import java.util.Arrays;

/** A priority queue of numbers by time, earliest first: a binary heap in arrays. Not thread-safe. */
final class InstantQueue {
    private long[] dueAt = new long[64];
    private long[] what = new long[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The earliest time; call only if the queue is not empty. */
    long firstAt() {
        return dueAt[0];
    }

    void add(long at, long event) {
        if (size == dueAt.length) {
            dueAt = Arrays.copyOf(dueAt, 2 * size);
            what = Arrays.copyOf(what, 2 * size);
        }
        int place = size++;
        while (place > 0 && at - dueAt[(place - 1) / 2] < 0) {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        dueAt[place] = at;
        what[place] = event;
    }

    /** Removes the earliest entry; call only if the queue is not empty. */
    long removeFirst() {
        long first = what[0];
        size--;
        long at = dueAt[size];
        int place = 0;
        for (int child = 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && dueAt[child + 1] - dueAt[child] < 0) {
                child++;
            }
            if (at - dueAt[child] <= 0) {
                break;
            }
            move(child, place);
            place = child;
        }
        dueAt[place] = at;
        what[place] = what[size];
        return first;
    }

    private void move(int from, int to) {
        dueAt[to] = dueAt[from];
        what[to] = what[from];
    }
}
