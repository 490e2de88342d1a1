package dev.downbeat.simulate;

import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Servers with a shared queue. Callers choose the numbers that identify requests. Times are nanoseconds from the start
 * of the run. A request's service time is drawn when a server takes it. Not thread-safe.
 */
final class Servers {
    private final SimulatedService service;
    private final SplittableRandom random;
    private final QueueWatch watch;
    private final LongPredicate wanted;
    private final InstantQueue completions = new InstantQueue();
    private long[] waiting = new long[1_024];
    private int first;
    private int size;
    private int busy;
    private long dropped;

    /**
     * Creates idle servers.
     *
     * @param wanted whether a caller still waits for a request
     */
    Servers(SimulatedService service, SplittableRandom random, QueueWatch watch, LongPredicate wanted) {
        this.service = service;
        this.random = random;
        this.watch = watch;
        this.wanted = wanted;
    }

    /** When the next response leaves; {@link Long#MAX_VALUE} if there is none. */
    long nextNanos() {
        return completions.isEmpty() ? Long.MAX_VALUE : completions.firstAt();
    }

    /** Accepts a request; false if the queue is full. */
    boolean offer(long request, long nanos) {
        if (busy < service.servers()) {
            busy++;
            work(request, nanos);
            return true;
        }
        if (size >= service.queueLimit()) {
            return false;
        }
        if (size == waiting.length) {
            grow();
        }
        waiting[(first + size++) & (waiting.length - 1)] = request;
        watch.changed(nanos, size);
        return true;
    }

    private void grow() {
        long[] more = new long[2 * size];
        for (int i = 0; i < size; i++) {
            more[i] = waiting[(first + i) & (size - 1)];
        }
        waiting = more;
        first = 0;
    }

    private void work(long request, long nanos) {
        completions.add(service.endOfWork(nanos, service.law().nextNanos(random)), request);
    }

    /** Completes the response due at {@link #nextNanos}; its server takes the next request. */
    long complete(long nanos) {
        long done = completions.removeFirst();
        while (size > 0) {
            long next = waiting[first];
            first = (first + 1) & (waiting.length - 1);
            size--;
            if (!service.dropsAbandoned() || wanted.test(next)) {
                watch.changed(nanos, size);
                work(next, nanos);
                return done;
            }
            dropped++;
        }
        watch.changed(nanos, 0);
        busy--;
        return done;
    }

    /** Number of requests dropped because no caller waited for them any more. */
    long dropped() {
        return dropped;
    }
}
