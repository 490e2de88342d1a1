package dev.downbeat.http.wait;

import dev.downbeat.time.NanoClock;
import dev.downbeat.time.TimerSlack;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Wakes a selector at an instant, to the precision of the kernel's timers instead of whole milliseconds: a thread that
 * parks until then. One lane sets the instant; the thread ends with {@link #close}.
 */
final class Pacer implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final Selector selector;
    private final NanoClock clock;
    private final Thread thread;
    private final AtomicLong wakeAt = new AtomicLong(NEVER);
    private volatile boolean closed;

    Pacer(Selector selector, NanoClock clock) {
        this.selector = selector;
        this.clock = clock;
        this.thread = new Thread(this::run, "downbeat-pacer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Wakes the selector at this instant, instead of any set before. */
    void wakeAt(long at) {
        wakeAt.set(at == NEVER ? at - 1 : at);
        LockSupport.unpark(thread);
    }

    private void run() {
        TimerSlack.reduceForThisThread();
        while (!closed) {
            long at = wakeAt.get();
            long left = at - clock.nanoTime();
            if (at == NEVER) {
                LockSupport.park(this);
            } else if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else if (wakeAt.compareAndSet(at, NEVER)) { // else a new instant was set meanwhile
                selector.wakeup();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
