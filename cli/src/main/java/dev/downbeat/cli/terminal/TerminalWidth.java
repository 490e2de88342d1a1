package dev.downbeat.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How large the terminal is, also after somebody made its window smaller. For one thread. */
public final class TerminalWidth {
    private static final int PATIENCE_MILLIS = 500;

    private volatile boolean changed;
    private Terminal terminal;

    private TerminalWidth(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Asks again whenever the window changes, unless the environment says how large it is. */
    public static TerminalWidth watching(Terminal terminal) {
        TerminalWidth width = new TerminalWidth(terminal);
        if (!isTold()) {
            width.changed = true;
            Signals.onResize(() -> width.changed = true);
        }
        return width;
    }

    /** As large as it is now, unless the environment says how large it is. */
    public static Terminal now(Terminal terminal) {
        return isTold() ? terminal : asked(terminal);
    }

    private static boolean isTold() {
        return System.getenv().containsKey("COLUMNS");
    }

    /** As large as it is now. */
    public Terminal terminal() {
        if (changed) {
            changed = false;
            terminal = asked(terminal);
        }
        return terminal;
    }

    /** The JVM does not know; {@code stty} is wherever there is a terminal. */
    private static Terminal asked(Terminal terminal) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return terminal;
            }
            String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String[] size = said.strip().split(" ", -1);
            return size.length == 2 ? Terminal.of(Map.of("LINES", size[0], "COLUMNS", size[1]), terminal) : terminal;
        } catch (IOException unsupported) {
            return terminal;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return terminal;
        }
    }
}
