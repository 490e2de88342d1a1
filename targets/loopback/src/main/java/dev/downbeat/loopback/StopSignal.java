package dev.downbeat.loopback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Stops another process and lets it go on, by the signals of POSIX. Thread-safe. */
record StopSignal(long pid) {
    private static final long STOP_NANOS = 1_000_000_000L;
    private static final long LOOK_NANOS = 100_000;
    private static final int SIGNAL_SECONDS = 10;

    /** Stops the process; where /proc tells, waits until all its threads are stopped, at most 1 s. */
    void stop() throws IOException {
        send("STOP");
        long endAt = System.nanoTime() + STOP_NANOS;
        while (endAt - System.nanoTime() > 0 && isRunning()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    void carryOn() throws IOException {
        send("CONT");
    }

    private void send(String signal) throws IOException {
        // The shell has kill built in; the program of that name is not everywhere.
        Process shell = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
                .redirectErrorStream(true)
                .start();
        try {
            shell.getOutputStream().close();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!shell.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || shell.exitValue() != 0) {
                throw new IOException("cannot send SIG" + signal + " to process " + pid + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while sending SIG" + signal + " to process " + pid, e);
        } finally {
            shell.destroyForcibly();
        }
    }

    /** Whether some thread of the process is known not to be stopped. */
    private boolean isRunning() throws IOException {
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(tasks)) {
            return false;
        }
        List<Path> threads;
        try (Stream<Path> list = Files.list(tasks)) {
            threads = list.toList();
        }
        for (Path thread : threads) {
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The state follows the name, which stands in parentheses and may hold some itself.
            if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                return true;
            }
        }
        return false;
    }
}
