package dev.downbeat.loopback.socket;

import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Waits for instants in one thread. Not thread-safe. */
public final class DueTime {
    /**
     * The last part is spun, because a parked thread wakes about this much late. That costs no more CPU than waking
     * does; twice as long would remove the remaining 10 µs, but at double the cost.
     */
    private static final ParkThenSpin WAITER = new ParkThenSpin(NanoClock.system(), 30_000);

    private boolean slackReduced;

    /** Returns at an instant of {@link System#nanoTime} or shortly afterwards, never before. */
    public void await(long dueAt) throws IOException {
        if (dueAt - System.nanoTime() <= 0) {
            return;
        }
        if (!slackReduced) {
            slackReduced = true;
            TimerSlack.reduceForThisThread();
        }
        WAITER.awaitUntil(dueAt);
        if (Thread.interrupted()) {
            throw new InterruptedIOException("the server closes");
        }
    }
}
