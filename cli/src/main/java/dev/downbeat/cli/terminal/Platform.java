package dev.downbeat.cli.terminal;

import dev.downbeat.selfcheck.DelayTotals.RunDelay;
import dev.downbeat.time.TimerSlack;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Differences between operating systems that matter to Downbeat. */
public enum Platform {
    LINUX,
    /** macOS, BSDs and others: signals and sockets as on Linux, but no {@code /proc}. */
    POSIX,
    /** No SIGSTOP or SIGHUP, and a console that may not support cursor movement. */
    WINDOWS;

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

    /** Throws if processes cannot be frozen. */
    public void requireFreezing() throws IOException {
        if (this == WINDOWS) {
            throw new IOException(
                    "freezing the server needs SIGSTOP, which Windows lacks: run it on Linux or macOS, or in WSL");
        }
    }

    /** A command prefix that protects the following command from Ctrl-C; empty if none is needed. */
    public String[] ignoringCtrlC() {
        return this == WINDOWS ? new String[0] : new String[] {"sh", "-c", "trap '' INT; exec \"$0\" \"$@\""};
    }

    /** Whether the terminal supports cursor movement; old Windows consoles print the escape codes instead. */
    boolean movesCursor(Map<String, String> environment) {
        return this != WINDOWS || environment.containsKey("WT_SESSION") || environment.containsKey("TERM");
    }

    /** The features missing here, in one line; empty if none is. */
    public Optional<String> lacks() {
        boolean slack = TimerSlack.reduceForThisThread();
        try (RunDelay delay = RunDelay.ofThisThread()) {
            return lacks(slack, delay.nanos() >= 0);
        }
    }

    /** {@link #lacks()} for given support of fine timers and processor waits. */
    Optional<String> lacks(boolean fineTimers, boolean processorWaits) {
        if (fineTimers && processorWaits) {
            return Optional.empty();
        }
        String both = "finer timers and waits for a processor";
        String what = fineTimers ? "waits for a processor" : processorWaits ? "finer timers" : both;
        return Optional.of((this == LINUX ? "no " : "not Linux: no ") + what + "; lateness is measured all the same");
    }
}
