package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;

/** One generator's exchanges, one per slot of its lane, with a stack of the free ones. */
final class FreeSlots {
    private final Exchange[] all;
    private final Exchange[] free;
    private final Exchange unsent;
    private int size;

    FreeSlots(int capacity) {
        all = new Exchange[capacity];
        for (int slot = 0; slot < capacity; slot++) {
            all[slot] = new Exchange(slot);
        }
        free = all.clone();
        size = capacity;
        unsent = new Exchange(capacity);
    }

    Exchange[] all() {
        return all;
    }

    /** A placeholder exchange for requests that end while waiting. */
    Exchange unsent() {
        return unsent;
    }

    boolean isEmpty() {
        return size == 0;
    }

    Exchange take() {
        return free[--size];
    }

    void give(Exchange exchange) {
        free[size++] = exchange;
    }
}
