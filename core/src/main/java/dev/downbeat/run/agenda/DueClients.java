package dev.downbeat.run.agenda;

import java.util.Arrays;

/**
 * Clients in order of their next request's due time, ties by client number. A client that is due after all others
 * (always the case unless think times vary) goes into a queue, the rest into a binary heap. Both are arrays, because a
 * run must not allocate per request.
 */
final class DueClients {
    private long[] heapNanos;
    private int[] heapClients;
    private int heapSize;
    private long[] queueNanos;
    private int[] queueClients;
    private int queueFirst;
    private int queueSize;

    DueClients(int capacity) {
        heapNanos = new long[Math.max(1, capacity)];
        heapClients = new int[heapNanos.length];
        queueNanos = new long[heapNanos.length];
        queueClients = new int[heapNanos.length];
    }

    boolean isEmpty() {
        return heapSize + queueSize == 0;
    }

    /** The earliest due time; there must be one. */
    long firstNanos() {
        return isQueueFirst() ? queueNanos[queueFirst] : heapNanos[0];
    }

    void add(int client, long dueNanos) {
        if (isLast(client, dueNanos)) {
            addToQueue(client, dueNanos);
        } else {
            addToHeap(client, dueNanos);
        }
    }

    int removeFirst() {
        return isQueueFirst() ? removeFromQueue() : removeFromHeap();
    }

    long countBefore(long limitNanos) {
        long count = 0;
        for (int i = 0; i < heapSize; i++) {
            count += heapNanos[i] < limitNanos ? 1 : 0;
        }
        for (int i = 0; i < queueSize; i++) {
            count += queueNanos[queueIndex(i)] < limitNanos ? 1 : 0;
        }
        return count;
    }

    private boolean isQueueFirst() {
        return queueSize > 0 && (heapSize == 0 || isBefore(queueNanos[queueFirst], queueClients[queueFirst], 0));
    }

    private boolean isLast(int client, long dueNanos) {
        if (queueSize == 0) {
            return true;
        }
        int last = queueIndex(queueSize - 1);
        return dueNanos > queueNanos[last] || (dueNanos == queueNanos[last] && client > queueClients[last]);
    }

    private int queueIndex(int offset) {
        int at = queueFirst + offset;
        return at < queueNanos.length ? at : at - queueNanos.length;
    }

    private void addToQueue(int client, long dueNanos) {
        if (queueSize == queueNanos.length) {
            growQueue();
        }
        int at = queueIndex(queueSize++);
        queueNanos[at] = dueNanos;
        queueClients[at] = client;
    }

    private void growQueue() {
        long[] nanos = new long[2 * queueSize];
        int[] clients = new int[2 * queueSize];
        for (int i = 0; i < queueSize; i++) {
            nanos[i] = queueNanos[queueIndex(i)];
            clients[i] = queueClients[queueIndex(i)];
        }
        queueNanos = nanos;
        queueClients = clients;
        queueFirst = 0;
    }

    private int removeFromQueue() {
        int client = queueClients[queueFirst];
        queueFirst = queueIndex(1);
        queueSize--;
        return client;
    }

    private void addToHeap(int client, long dueNanos) {
        if (heapSize == heapNanos.length) {
            heapNanos = Arrays.copyOf(heapNanos, heapSize * 2);
            heapClients = Arrays.copyOf(heapClients, heapSize * 2);
        }
        int at = heapSize++;
        while (at > 0 && isBefore(dueNanos, client, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        heapNanos[at] = dueNanos;
        heapClients[at] = client;
    }

    private int removeFromHeap() {
        int first = heapClients[0];
        long lastNanos = heapNanos[--heapSize];
        int lastClient = heapClients[heapSize];
        int at = 0;
        for (int child = 1; child < heapSize; child = 2 * at + 1) {
            if (child + 1 < heapSize && isBefore(heapNanos[child + 1], heapClients[child + 1], child)) {
                child++;
            }
            if (isBefore(lastNanos, lastClient, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        heapNanos[at] = lastNanos;
        heapClients[at] = lastClient;
        return first;
    }

    private boolean isBefore(long dueNanos, int client, int inHeap) {
        return dueNanos < heapNanos[inHeap] || (dueNanos == heapNanos[inHeap] && client < heapClients[inHeap]);
    }

    private void move(int from, int to) {
        heapNanos[to] = heapNanos[from];
        heapClients[to] = heapClients[from];
    }
}
