package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The leave that the Linux kernel takes to wake a thread late, 50 µs by default, so as to wake several at once. See
 * {@code timerslack_ns} in proc(5).
 */
public final class ThreadTimerSlack {
    private ThreadTimerSlack() {}

    /** Asks for the least slack for the calling thread. Does nothing where that is not to be had. */
    public static void reduce() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            Files.writeString(Path.of("/proc", thread.getFileName().toString(), "timerslack_ns"), "1");
        } catch (IOException | RuntimeException e) {
            // No Linux, or a kernel or container without it: delays are then some 50 µs longer, which harms nothing.
        }
    }
}
