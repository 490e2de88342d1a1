package dev.downbeat.loopback;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Stops and continues another process with POSIX signals. Thread-safe. */
record StopSignal(long pid) {
    private static final long STOP_NANOS = 1_000_000_000L;
    private static final long LOOK_NANOS = 100_000;
    private static final int SIGNAL_SECONDS = 10;

    /** Stops the process; where /proc is available, waits up to 1 s until all its threads are stopped. */
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
        // kill is built into the shell; a separate program is not available everywhere.
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

    /** Whether some thread of the process is known to be running. */
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
            // The state follows the name, which is in parentheses and may contain parentheses itself.
            if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                return true;
            }
        }
        return false;
    }
}
