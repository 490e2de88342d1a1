package dev.downbeat.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * What our output goes to.
 *
 * @param isStdout whether stdout is a terminal
 * @param isStderr whether stderr is a terminal that can move its cursor
 * @param columns characters in a line of the terminal
 * @param rows lines of the terminal
 * @param isUnicode whether characters beyond ASCII are shown
 */
public record Terminal(boolean isStdout, boolean isStderr, int columns, int rows, boolean isUnicode) {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 20;
    private static final int DEFAULT_ROWS = 24;
    private static final int FEWEST_ROWS = 2;

    /** One that is as tall as most. */
    public Terminal(boolean isStdout, boolean isStderr, int columns, boolean isUnicode) {
        this(isStdout, isStderr, columns, DEFAULT_ROWS, isUnicode);
    }

    public static Terminal detect() {
        Map<String, String> environment = System.getenv();
        return of(
                environment,
                isStdoutTerminal(),
                isTerminal(2) && Platform.here().movesCursor(environment));
    }

    /** Whether somebody sees what is written to stdout. */
    public static boolean isStdoutTerminal() {
        return isTerminal(1);
    }

    public static Terminal of(Map<String, String> environment, boolean stdout, boolean stderr) {
        boolean dumb = "dumb".equals(environment.get("TERM"));
        return new Terminal(stdout, stderr && !dumb, columns(environment), rows(environment), isUnicode(environment));
    }

    /** The same with the size that an environment says. */
    public static Terminal of(Map<String, String> environment, Terminal like) {
        return new Terminal(
                like.isStdout(), like.isStderr(), columns(environment), rows(environment), like.isUnicode());
    }

    /** {@link System#console} alone is no answer: it is null when only stdin is redirected, and never null on JDK 22. */
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException missing) {
            return consoleIsTerminal();
        }
    }

    @SuppressWarnings("SystemConsoleNull") // null still means no before JDK 22; after it, isTerminal is asked
    private static boolean consoleIsTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException beforeJdk22) {
            return true;
        }
    }

    private static int columns(Map<String, String> environment) {
        return Math.max(FEWEST_COLUMNS, number(environment, "COLUMNS", DEFAULT_COLUMNS));
    }

    private static int rows(Map<String, String> environment) {
        return Math.max(FEWEST_ROWS, number(environment, "LINES", DEFAULT_ROWS));
    }

    /** A terminal that does not know its size says 0. */
    private static int number(Map<String, String> environment, String name, int otherwise) {
        try {
            int number = Integer.parseInt(environment.getOrDefault(name, ""));
            return number == 0 ? otherwise : number;
        } catch (NumberFormatException unset) {
            return otherwise;
        }
    }

    private static boolean isUnicode(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String locale = environment.getOrDefault(name, "");
            if (!locale.isEmpty()) {
                String upper = locale.toUpperCase(Locale.ROOT);
                return upper.contains("UTF-8") || upper.contains("UTF8");
            }
        }
        return false;
    }
}
