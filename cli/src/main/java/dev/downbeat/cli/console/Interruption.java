package dev.downbeat.cli.console;

import dev.downbeat.cli.file.Upload;
import dev.downbeat.cli.terminal.Signals;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What Ctrl-C does: the first time it ends the work in good order, the second time the process at once. An upload is ended at
 * once by any, and what could not be uploaded is kept. Thread-safe.
 */
public final class Interruption {
    private static final int HOOK_MILLIS = 2_000;

    private final AtomicInteger signal = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private Runnable stop = () -> {};
    private boolean isWatching;

    /** Watches for signals from now on; does nothing if it does already. */
    public void watch() {
        if (isWatching) {
            return;
        }
        isWatching = true;
        if (!Signals.handle(this::received)) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::atShutdown, "downbeat-shutdown"));
        }
    }

    /** In a shutdown hook the process ends when the hook does, so it waits for the report. */
    private void atShutdown() {
        if (done.getCount() == 0) {
            return;
        }
        received(Signals.INTERRUPT);
        long endAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HOOK_MILLIS);
        while (done.getCount() > 0 && endAt - System.nanoTime() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    public void received(int number) {
        boolean isFirst = signal.compareAndSet(0, number);
        if (Upload.end()) {
            return;
        }
        if (!isFirst) {
            Runtime.getRuntime().halt(128 + number);
        }
        synchronized (this) {
            stop.run();
        }
    }

    /** Ends the work in good order as the first signal does; nothing if one has come already. */
    public void stop() {
        if (signal.compareAndSet(0, Signals.INTERRUPT)) {
            synchronized (this) {
                stop.run();
            }
        }
    }

    /** What to do at the first signal; done at once if it has come already. */
    public synchronized void onFirst(Runnable action) {
        stop = action;
        if (isReceived()) {
            action.run();
        }
    }

    public boolean isReceived() {
        return signal.get() != 0;
    }

    /** 129, 130 or 143; 0 if there was no signal. */
    public int exitCode() {
        return isReceived() ? 128 + signal.get() : 0;
    }

    /** All is written. */
    public void finished() {
        done.countDown();
    }
}
