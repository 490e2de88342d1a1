package dev.downbeat.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The kernel's licence to wake a thread late. Linux may delay the end of a park by 50 microseconds to bundle wake-ups,
 * which is about half of what a parked thread oversleeps.
 */
public final class TimerSlack {
    private TimerSlack() {}

    /**
     * Asks the kernel to wake the calling thread on time. Threads started by it afterwards inherit the wish. Meant for
     * platform threads: called on a virtual thread, it would concern whichever thread carries it at the moment. Needs no
     * privilege; see {@code timerslack_ns} in proc(5).
     *
     * @return whether the kernel agreed; false, and nothing else happens, on other systems than Linux and where it is not
     *     allowed
     */
    public static boolean reduceForThisThread() {
        try {
            // PID/task/TID; the file that sets the slack exists in /proc/TID only, not under task/
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException | RuntimeException cannot) {
            return false;
        }
    }
}
