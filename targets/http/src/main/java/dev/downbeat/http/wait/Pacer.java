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

    /** Until when the thread sleeps: it is woken for an earlier instant only, since a wake-up costs more than a send. */
    private volatile long asleepUntil;

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
        long until = asleepUntil;
        if (until == NEVER || at - until < 0) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        TimerSlack.reduceForThisThread();
        while (!closed) {
            long at = wakeAt.get();
            asleepUntil = at;
            long left = at - clock.nanoTime();
            if (wakeAt.get() != at) {
                continue; // whoever set it may have looked before we said how long we sleep
            }
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
