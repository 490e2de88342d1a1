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
 * @param isUnicode whether characters beyond ASCII are shown
 */
public record Terminal(boolean isStdout, boolean isStderr, int columns, boolean isUnicode) {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 20;

    public static Terminal detect() {
        Map<String, String> environment = System.getenv();
        return of(environment, isStdoutTerminal(), isTerminal(2) && Platform.here().movesCursor(environment));
    }

    /** Whether somebody sees what is written to stdout. */
    public static boolean isStdoutTerminal() {
        return isTerminal(1);
    }

    public static Terminal of(Map<String, String> environment, boolean stdout, boolean stderr) {
        boolean dumb = "dumb".equals(environment.get("TERM"));
        return new Terminal(stdout, stderr && !dumb, columns(environment), isUnicode(environment));
    }

    /** The same with the width that an environment says. */
    public static Terminal of(Map<String, String> environment, Terminal like) {
        return new Terminal(like.isStdout(), like.isStderr(), columns(environment), like.isUnicode());
    }

    /** {@link System#console} alone is no answer: it is null when only stdin is redirected, and never null on JDK 22. */
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException noSuchThing) {
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
        try {
            return Math.max(FEWEST_COLUMNS, Integer.parseInt(environment.getOrDefault("COLUMNS", "")));
        } catch (NumberFormatException unset) {
            return DEFAULT_COLUMNS;
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
