package dev.downbeat.loopback;

import dev.downbeat.loopback.socket.DueTime.ThreadTimerSlack;
import java.io.IOException;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection's timed actions, and the thread that waits for them. Guarded by the connection, whose lock it
 * shares.
 */
final class Http2Schedule {
    private static final long SPIN_NANOS = 30_000;
    private static final long IDLE_NANOS = 1_000_000_000;

    /** An action. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /** An action due at an instant. */
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
     * Starts without actions.
     *
     * @param lock held by callers and while an action runs
     * @param after runs after each action, with the lock held
     * @param broken runs after a failed action
     */
    Http2Schedule(Object lock, Step after, Runnable broken) {
        this.lock = lock;
        this.after = after;
        this.broken = broken;
    }

    /** Runs an action at an instant; now if that has passed. */
    void at(long instant, int stream, Step step) throws IOException {
        if (instant - System.nanoTime() <= 0) {
            step.run();
        } else {
            later(instant, stream, step);
        }
    }

    /** Runs an action at an instant, never within this call. */
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

    /** Drops a stream's actions. */
    void forget(int stream) {
        due.removeIf(one -> one.stream == stream);
    }

    /** Whether there are no actions. */
    boolean isEmpty() {
        return due.isEmpty();
    }

    /** Ends the schedule. */
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

    /** Runs the first action, or waits until it or an earlier one is due. */
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
