package dev.downbeat.cli.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The terminal that output goes to, if any.
 *
 * @param isStdout whether stdout is a terminal
 * @param isStderr whether stderr is a terminal that can move its cursor
 * @param columns width in characters
 * @param rows height in lines
 * @param isUnicode whether characters beyond ASCII are shown
 */
public record Terminal(boolean isStdout, boolean isStderr, int columns, int rows, boolean isUnicode) {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 20;
    private static final int DEFAULT_ROWS = 24;
    private static final int FEWEST_ROWS = 2;

    public static Terminal detect() {
        Map<String, String> environment = System.getenv();
        return of(
                environment,
                isStdoutTerminal(),
                isTerminal(2) && Platform.here().movesCursor(environment));
    }

    public static boolean isStdoutTerminal() {
        return isTerminal(1);
    }

    public static Terminal of(Map<String, String> environment, boolean stdout, boolean stderr) {
        boolean dumb = "dumb".equals(environment.get("TERM"));
        return new Terminal(stdout, stderr && !dumb, columns(environment), rows(environment), isUnicode(environment));
    }

    /** The same with the size given by the environment. */
    public static Terminal of(Map<String, String> environment, Terminal like) {
        return new Terminal(
                like.isStdout(), like.isStderr(), columns(environment), rows(environment), like.isUnicode());
    }

    /** A copy for text that is shown elsewhere, such as in a browser. */
    public Terminal withUnicode() {
        return new Terminal(isStdout, isStderr, columns, rows, true);
    }

    /** {@link System#console} is not sufficient: it is null if only stdin is redirected, and never null on JDK 22. */
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            String device = Files.readSymbolicLink(link).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException missing) {
            return Platform.here() == Platform.WINDOWS ? consoleIsTerminal() : ShellTest.isTerminal(descriptor);
        }
    }

    /** Asks a shell about stdout and stderr, where there is no {@code /proc}. */
    private static final class ShellTest {
        private static final int BITS = bits();

        private static int bits() {
            try {
                return new ProcessBuilder("sh", "-c", "test -t 1; out=$?; test -t 2; exit $((3 - out - 2 * $?))")
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (IOException noShell) {
                return 0;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }

        static boolean isTerminal(int descriptor) {
            return (BITS & descriptor) != 0;
        }
    }

    @SuppressWarnings("SystemConsoleNull") // before JDK 22, null means no; since then, isTerminal decides
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

    /** Some terminals report a size of 0. */
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

    public enum Colour {
        AUTO,
        ALWAYS,
        NEVER;

        /** Whether to use colours: by the option, else the environment, else whether this is a terminal. */
        public boolean isOn(Map<String, String> environment, boolean isTerminal) {
            if (this != AUTO) {
                return this == ALWAYS;
            }
            if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
                return false;
            }
            String force = environment.getOrDefault("CLICOLOR_FORCE", "");
            if (!force.isEmpty() && !force.equals("0")) {
                return true;
            }
            return isTerminal && !"dumb".equals(environment.get("TERM"));
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The current size of the terminal, including changes of its window. Used by one thread. */
    public static final class Width {
        private static final int PATIENCE_MILLIS = 500;

        private volatile boolean changed;
        private Terminal terminal;

        private Width(Terminal terminal) {
            this.terminal = terminal;
        }

        /** Follows changes of the window, unless the environment fixes the size. */
        public static Width watching(Terminal terminal) {
            Width width = new Width(terminal);
            if (!isSizeFixed()) {
                width.changed = true;
                Signals.onResize(() -> width.changed = true);
            }
            return width;
        }

        /** The current size, unless the environment fixes it. */
        public static Terminal now(Terminal terminal) {
            return isSizeFixed() ? terminal : measured(terminal);
        }

        private static boolean isSizeFixed() {
            return System.getenv().containsKey("COLUMNS");
        }

        public Terminal terminal() {
            if (changed) {
                changed = false;
                terminal = measured(terminal);
            }
            return terminal;
        }

        /** Java has no API for the size, but {@code stty} exists wherever there is a terminal. */
        private static Terminal measured(Terminal terminal) {
            try {
                Process stty = new ProcessBuilder("stty", "size")
                        .redirectInput(new File("/dev/tty"))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    stty.destroyForcibly();
                    return terminal;
                }
                String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                String[] size = output.strip().split(" ", -1);
                return size.length == 2
                        ? Terminal.of(Map.of("LINES", size[0], "COLUMNS", size[1]), terminal)
                        : terminal;
            } catch (IOException unsupported) {
                return terminal;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return terminal;
            }
        }
    }
}
