package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import java.util.Arrays;

/**
 * The exchanges in flight by deadline: a linked list in arrays indexed by slot. A new deadline is nearly always the
 * latest, so insertion searches from the end.
 */
final class Deadlines {
    private static final int NONE = -1;

    private final Exchange[] exchanges;
    private final long[] deadlineAt;
    private final int[] next;
    private final int[] previous;
    private int first = NONE;
    private int last = NONE;
    private int size;

    Deadlines(Exchange[] exchanges) {
        this.exchanges = exchanges;
        this.deadlineAt = new long[exchanges.length];
        this.next = new int[exchanges.length];
        this.previous = new int[exchanges.length];
        Arrays.fill(next, NONE);
        Arrays.fill(previous, NONE);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Exchange exchange, long at) {
        int slot = exchange.slot;
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

    void remove(Exchange exchange) {
        int slot = exchange.slot;
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

    /** The exchange with the earliest deadline; there must be one. */
    Exchange first() {
        return exchanges[first];
    }

    long firstAt() {
        return deadlineAt[first];
    }

    long at(Exchange exchange) {
        return deadlineAt[exchange.slot];
    }
}
