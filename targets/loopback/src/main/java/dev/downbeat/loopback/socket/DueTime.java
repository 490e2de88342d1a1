package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Waits for instants in one thread. Not thread-safe. */
public final class DueTime {
    /**
     * The last part is spun, because a parked thread wakes about this much late. That costs no more CPU than waking
     * does; twice as long would remove the remaining 10 µs, but at double the cost.
     */
    private static final long SPIN_NANOS = 30_000;

    private boolean slackReduced;

    /**
     * Returns at the instant or shortly afterwards, never before.
     *
     * @param dueAt an instant of {@link System#nanoTime()}
     * @throws InterruptedIOException if the thread was interrupted
     */
    public void await(long dueAt) throws IOException {
        long remaining = dueAt - System.nanoTime();
        if (remaining <= 0) {
            return;
        }
        if (!slackReduced) {
            slackReduced = true;
            ThreadTimerSlack.reduce();
        }
        while (remaining > 0) {
            if (remaining > SPIN_NANOS) {
                LockSupport.parkNanos(this, remaining - SPIN_NANOS);
                if (Thread.interrupted()) {
                    throw new InterruptedIOException("the server closes");
                }
            } else {
                Thread.onSpinWait();
            }
            remaining = dueAt - System.nanoTime();
        }
    }

    /**
     * The Linux kernel's timer slack: it may wake a thread late, by 50 µs by default, to batch wake-ups. See {@code
     * timerslack_ns} in proc(5).
     */
    public static final class ThreadTimerSlack {
        private ThreadTimerSlack() {}

        /** Reduces the calling thread's slack to the minimum, where supported. */
        public static void reduce() {
            try {
                Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
                Files.writeString(Path.of("/proc", thread.getFileName().toString(), "timerslack_ns"), "1");
            } catch (IOException | RuntimeException e) {
                // Not Linux, or a kernel or container without it: delays are about 50 µs longer, which is harmless.
            }
        }
    }
}
