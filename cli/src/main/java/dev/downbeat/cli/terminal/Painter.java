package dev.downbeat.cli.terminal;

import dev.downbeat.time.Daemon;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repaints the live screen on a separate thread, so that a slow terminal delays no request. Everything painted is
 * erased at the end, before the report.
 */
public final class Painter implements AutoCloseable {
    private static final String UP = "\u001b[%dA";
    private static final String ERASE_LINE = "\u001b[K";

    /** Disables line wrapping, so that the number of lines stays the same when the terminal becomes narrower. */
    private static final String CUT = "\u001b[?7l";

    private static final String BREAK = "\u001b[?7h";
    private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Null if nothing is painted. */
    private final @Nullable Thread thread;

    private volatile boolean closed;

    private Painter() {
        thread = null;
    }

    private Painter(Runnable turn, long periodNanos, Runnable end) {
        thread = Daemon.start("downbeat-painter", () -> {
            long dueAt = System.nanoTime() + periodNanos;
            while (!closed) {
                LockSupport.parkNanos(dueAt - System.nanoTime());
                if (!closed && System.nanoTime() - dueAt >= 0) {
                    turn.run();
                    dueAt = System.nanoTime() + periodNanos;
                }
            }
            end.run();
        });
    }

    /** Repaints the same place of a terminal. */
    public static Painter repainting(PrintWriter out, Supplier<List<String>> lines) {
        Canvas canvas = new Canvas();
        return new Painter(
                () -> write(out, canvas.repaint(lines.get())), REPAINT_NANOS, () -> write(out, canvas.erase()));
    }

    public static Painter appending(PrintWriter out, Supplier<String> line) {
        return new Painter(() -> write(out, line.get() + System.lineSeparator()), LINE_NANOS, () -> {});
    }

    public static Painter none() {
        return new Painter();
    }

    private static void write(PrintWriter out, String text) {
        out.print(text);
        out.flush();
    }

    /** Waits for the current repaint; throws nothing. */
    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tracks what is on the terminal. Output starts with a carriage return, because the terminal echoes Ctrl-C as ^C.
     * Lines are erased one by one, because some terminals move a screen that is erased as a whole into the
     * scrollback.
     */
    public static final class Canvas {
        private int painted;

        public String repaint(List<String> lines) {
            StringBuilder frame = new StringBuilder(home()).append(CUT);
            for (String line : lines) {
                frame.append(line).append(ERASE_LINE).append('\n');
            }
            frame.append(erased(painted - lines.size()));
            painted = lines.size();
            return frame.append(BREAK).toString();
        }

        public String erase() {
            String blank = home() + erased(painted);
            painted = 0;
            return blank;
        }

        private String home() {
            return painted == 0 ? "" : "\r" + PlanText.format(UP, painted);
        }

        /** Erases this many lines and returns to the first. */
        private static String erased(int lines) {
            return lines <= 0 ? "" : (ERASE_LINE + '\n').repeat(lines) + PlanText.format(UP, lines);
        }
    }
}
