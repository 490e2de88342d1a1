package dev.downbeat.run;

import java.util.Arrays;

/**
 * Clients ordered by when their next request is due: a binary heap in two arrays, since a run must not allocate per
 * request. Clients that are due at the same time leave in the order of their numbers.
 */
final class DueClients {
    private long[] nanos;
    private int[] clients;
    private int size;

    DueClients(int capacity) {
        nanos = new long[Math.max(1, capacity)];
        clients = new int[nanos.length];
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first is due; call only if there is one. */
    long firstNanos() {
        return nanos[0];
    }

    void add(int client, long dueNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
            clients = Arrays.copyOf(clients, size * 2);
        }
        int at = size++;
        while (at > 0 && isBefore(dueNanos, client, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        nanos[at] = dueNanos;
        clients[at] = client;
    }

    int removeFirst() {
        int first = clients[0];
        long lastNanos = nanos[--size];
        int lastClient = clients[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(nanos[child + 1], clients[child + 1], child)) {
                child++;
            }
            if (isBefore(lastNanos, lastClient, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        nanos[at] = lastNanos;
        clients[at] = lastClient;
        return first;
    }

    private boolean isBefore(long dueNanos, int client, int other) {
        return dueNanos < nanos[other] || (dueNanos == nanos[other] && client < clients[other]);
    }

    private void move(int from, int to) {
        nanos[to] = nanos[from];
        clients[to] = clients[from];
    }

    long countBefore(long limitNanos) {
        long count = 0;
        for (int i = 0; i < size; i++) {
            if (nanos[i] < limitNanos) {
                count++;
            }
        }
        return count;
    }
}
