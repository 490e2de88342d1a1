package dev.downbeat.loopback;

import dev.downbeat.loopback.socket.ThreadTimerSlack;
import java.io.IOException;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one connection of HTTP/2 is to do at an instant, and the thread that waits for it. All of it is guarded by the connection,
 * whose lock it is given.
 */
final class Http2Schedule {
    private static final long SPIN_NANOS = 30_000;
    private static final long IDLE_NANOS = 1_000_000_000;

    /** What is done. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /** Something to be done at an instant. */
    private record Due(long at, long number, int stream, Step step) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return at == other.at ? Long.compare(number, other.number) : at - other.at < 0 ? -1 : 1;
        }
    }

    private final Object lock;
    private final Step after;
    private final Runnable broken;
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private @Nullable Thread deliverer;
    private long dues;
    private boolean isOver;

    /**
     * Nothing is to be done yet.
     *
     * @param lock is held by whoever calls, and while a step runs
     * @param after is run after each step, within the lock
     * @param broken is run when a step has failed
     */
    Http2Schedule(Object lock, Step after, Runnable broken) {
        this.lock = lock;
        this.after = after;
        this.broken = broken;
    }

    /** Does this then, or now if that is past. */
    void at(long instant, int stream, Step step) throws IOException {
        if (instant - System.nanoTime() <= 0) {
            step.run();
        } else {
            later(instant, stream, step);
        }
    }

    /** Does this then, and never within this call. */
    void later(long instant, int stream, Step step) {
        due.add(new Due(instant, dues++, stream, step));
        if (deliverer == null) {
            Thread thread = new Thread(null, this::deliver, "loopback-deliverer", 256 * 1024);
            thread.setDaemon(true);
            deliverer = thread;
            thread.start();
        } else {
            LockSupport.unpark(deliverer);
        }
    }

    /** Does nothing more for a stream. */
    void forget(int stream) {
        due.removeIf(one -> one.stream == stream);
    }

    /** Whether nothing is to be done. */
    boolean isEmpty() {
        return due.isEmpty();
    }

    /** Does nothing more. */
    void end() {
        isOver = true;
        LockSupport.unpark(deliverer);
    }

    private void deliver() {
        ThreadTimerSlack.reduce();
        try {
            while (deliverFirst()) {
                Thread.onSpinWait();
            }
        } catch (IOException gone) {
            broken.run();
        }
    }

    /** Does what is due, or waits for it as long as nothing that is due earlier comes. */
    private boolean deliverFirst() throws IOException {
        long remaining = IDLE_NANOS;
        synchronized (lock) {
            if (isOver) {
                return false;
            }
            Due first = due.peek();
            if (first != null) {
                remaining = first.at - System.nanoTime();
                if (remaining <= 0) {
                    due.remove();
                    first.step.run();
                    after.run();
                    return true;
                }
            }
        }
        if (remaining > 2 * SPIN_NANOS) {
            LockSupport.parkNanos(this, remaining - SPIN_NANOS);
        }
        return true;
    }
}
