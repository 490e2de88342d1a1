package dev.downbeat.cli.terminal;

import dev.downbeat.selfcheck.OwnTime.RunDelay;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the operating system has and has not, where that makes a difference to us. */
public enum Platform {
    /** Where all of it is. */
    LINUX,
    /** macOS, a BSD and the like: signals and sockets as on Linux, no {@code /proc}. */
    POSIX,
    /** No signals that stop a process, no hang-up, a terminal that may not move its cursor. */
    WINDOWS;

    /** That which {@code os.name} says. */
    static Platform of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("windows")) {
            return WINDOWS;
        }
        return lower.equals("linux") ? LINUX : POSIX;
    }

    public static Platform here() {
        return of(System.getProperty("os.name", ""));
    }

    /**
     * For who is about to freeze a process.
     *
     * @throws IOException where there is no way to
     */
    public void requireFreezing() throws IOException {
        if (this == WINDOWS) {
            throw new IOException(
                    "freezing the server needs SIGSTOP, which Windows lacks: run it on Linux or macOS, or in WSL");
        }
    }

    /** A command before which nothing is put, or what keeps Ctrl-C from the one that follows. */
    public String[] ignoringCtrlC() {
        return this == WINDOWS ? new String[0] : new String[] {"sh", "-c", "trap '' INT; exec \"$0\" \"$@\""};
    }

    /** Whether the cursor of a terminal can be moved: an old console of Windows prints the codes for it. */
    boolean movesCursor(Map<String, String> environment) {
        return this != WINDOWS || environment.containsKey("WT_SESSION") || environment.containsKey("TERM");
    }

    /** What cannot be had here, in one line; empty where all can. */
    public Optional<String> lacks() {
        boolean slack = TimerSlack.reduceForThisThread();
        try (RunDelay delay = RunDelay.ofThisThread()) {
            return lacks(slack, delay.nanos() >= 0);
        }
    }

    /** As {@link #lacks()}, of a system that is asked for fine timers and for waits for a processor. */
    Optional<String> lacks(boolean fineTimers, boolean processorWaits) {
        if (fineTimers && processorWaits) {
            return Optional.empty();
        }
        String both = "finer timers and waits for a processor";
        String what = fineTimers ? "waits for a processor" : processorWaits ? "finer timers" : both;
        return Optional.of((this == LINUX ? "no " : "not Linux: no ") + what + "; lateness is measured all the same");
    }
}
