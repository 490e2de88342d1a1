package dev.downbeat.cli.console;

import dev.downbeat.cli.file.BoundedWrite;
import dev.downbeat.cli.terminal.Signals;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.TypeConversionException;

/**
 * Handles Ctrl-C. The first signal ends the work gracefully, the second ends the process at once. Any signal ends an
 * upload or a wait for the reader of a pipe at once; files not uploaded are kept. Thread-safe.
 */
public final class Interruption {
    private static final int HOOK_MILLIS = 2_000;

    private final AtomicInteger signal = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private Runnable stop = () -> {};
    private boolean isWatching;

    /** Starts handling signals; idempotent. */
    public void watch() {
        if (isWatching) {
            return;
        }
        isWatching = true;
        BoundedWrite.end(); // loaded now: when a signal comes, the program may have been replaced
        if (!Signals.handle(this::received)) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::atShutdown, "downbeat-shutdown"));
        }
    }

    /** The process ends when its shutdown hook returns, so the hook waits for the report. */
    void atShutdown() {
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
        try {
            if (BoundedWrite.end()) {
                return;
            }
            if (!isFirst) {
                Runtime.getRuntime().halt(128 + number);
            }
            synchronized (this) {
                stop.run();
            }
        } catch (LinkageError replaced) { // nothing can end gracefully any more
            Runtime.getRuntime().halt(128 + number);
        }
    }

    /** Ends the work as the first signal does; no effect after a signal. */
    public void stop() {
        if (signal.compareAndSet(0, Signals.INTERRUPT)) {
            synchronized (this) {
                stop.run();
            }
        }
    }

    /** Sets the action for the first signal; runs it at once if the signal came already. */
    public synchronized void onFirst(Runnable action) {
        stop = action;
        if (isReceived()) {
            action.run();
        }
    }

    public boolean isReceived() {
        return signal.get() != 0;
    }

    /** 129, 130 or 143 after a signal, else {@code otherwise}. */
    public int exitCode(int otherwise) {
        return isReceived() ? 128 + signal.get() : otherwise;
    }

    public interface Measuring {
        int run() throws IOException;
    }

    /**
     * Runs a measurement; returns its exit code. Removes older results where it saved none, unless the command line is
     * refused or the run is called off: they may be another process's.
     */
    public int guard(Console console, Measuring measuring) throws IOException {
        boolean keepsOlder = false;
        try {
            return measuring.run();
        } catch (TypeConversionException refused) {
            keepsOlder = true;
            throw refused;
        } catch (IOException nothing) {
            keepsOlder = nothing instanceof StartCancelledException;
            if (isReceived()) {
                console.error("interrupted before there was a result");
                return exitCode(ExitCode.NOTHING);
            }
            throw nothing;
        } finally {
            if (!keepsOlder) {
                console.removeOlder();
            }
            finished();
        }
    }

    /** Ends a measurement that has no result yet: throws after a signal. */
    public void throwIfReceived() throws IOException {
        if (isReceived()) {
            throw new IOException("interrupted");
        }
    }

    /** Signals that everything has been written. */
    public void finished() {
        done.countDown();
    }
}
