package dev.downbeat.gatling.correction;

import dev.downbeat.time.TimerSlack;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls back at instants of {@link System#nanoTime}, each in time and none skipped, on one thread of its own: an event loop
 * that is busy must not make the next user late. Thread-safe. The callbacks must be short.
 */
final class BeatTimer implements AutoCloseable {
    /** A park ends about this late even with the kernel's slack reduced: to spin for longer costs more than it brings. */
    private static final long SPIN_NANOS = 5_000;

    private final PriorityQueue<Beat> beats = new PriorityQueue<>();
    private final Thread thread = new Thread(this::run, "downbeat-beat");
    private long order;
    private volatile boolean closed;

    private record Beat(long at, long order, Runnable action) implements Comparable<Beat> {
        @Override
        public int compareTo(Beat other) {
            return at == other.at ? Long.compare(order, other.order) : Long.signum(at - other.at);
        }
    }

    BeatTimer() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Calls back at an instant; at once, on the timer's thread, if it has passed. */
    void at(long at, Runnable action) {
        boolean first;
        synchronized (beats) {
            Beat next = beats.peek();
            first = next == null || at - next.at() < 0;
            beats.add(new Beat(at, order++, action));
        }
        if (first) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        TimerSlack.reduceForThisThread();
        while (!closed) {
            Beat next = due();
            if (next != null) {
                next.action().run();
            }
        }
    }

    private @Nullable Beat due() {
        long leftNanos;
        synchronized (beats) {
            Beat first = beats.peek();
            leftNanos = first == null ? Long.MAX_VALUE : first.at() - System.nanoTime();
            if (leftNanos <= 0) {
                return beats.poll();
            }
        }
        if (leftNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else if (leftNanos > SPIN_NANOS) {
            LockSupport.parkNanos(this, leftNanos - SPIN_NANOS);
        } else {
            Thread.onSpinWait();
        }
        return null;
    }

    /** No callback is begun any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
