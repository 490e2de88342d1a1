package dev.downbeat.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The kernel's timer slack. Linux may extend a park by 50 microseconds to batch wake-ups, about half of a parked
 * thread's oversleep.
 */
public final class TimerSlack {
    private TimerSlack() {}

    /**
     * Reduces the timer slack of the calling thread to the minimum. Threads that it starts later inherit the setting.
     * For platform threads only: on a virtual thread it would affect the current carrier. Needs no privilege; see
     * {@code timerslack_ns} in proc(5).
     *
     * @return true if the kernel accepted it; false, without any effect, where it is not permitted and on systems other
     *     than Linux
     */
    public static boolean reduceForThisThread() {
        try {
            // PID/task/TID; the file that sets the slack exists in /proc/TID only, not under task/
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException | RuntimeException failed) {
            return false;
        }
    }
}
