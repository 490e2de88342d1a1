package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Linux kernel's timer slack: it may wake a thread late, by 50 µs by default, to batch wake-ups. See {@code
 * timerslack_ns} in proc(5).
 */
public final class ThreadTimerSlack {
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
