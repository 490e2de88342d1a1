package dev.downbeat.simulate;

import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Servers with one queue at work. Who waits is a number that the caller has chosen; times are nanoseconds from the start
 * of the run. The time that a request takes is drawn when a server takes it. Not thread-safe.
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
     * Idle servers.
     *
     * @param wanted whether somebody still waits for an answer
     */
    Servers(SimulatedService service, SplittableRandom random, QueueWatch watch, LongPredicate wanted) {
        this.service = service;
        this.random = random;
        this.watch = watch;
        this.wanted = wanted;
    }

    /** When the next answer leaves; {@link Long#MAX_VALUE} if none is on its way. */
    long nextNanos() {
        return completions.isEmpty() ? Long.MAX_VALUE : completions.firstAt();
    }

    /** Takes a request in; false if the queue is full. */
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

    /** The next answer leaves now, at {@link #nextNanos}; its server takes the next request. */
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

    /** How many requests were dropped since nobody waited for them any more. */
    long dropped() {
        return dropped;
    }
}
