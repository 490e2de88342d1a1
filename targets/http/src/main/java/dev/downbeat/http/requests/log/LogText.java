package dev.downbeat.http.requests.log;

import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The requests of log lines, read from the file thousands of lines ahead on a separate thread. Thread-safe. */
final class LogText {
    private static final int LINES = 1 << 12;
    private static final int KEPT = 4;
    private static final int WINDOW = 1 << 16;
    private static final ThreadPoolExecutor AHEAD = ahead();

    private final FileChannel log;
    private final long size;
    private final LogRecords records;

    /** The methods, indexed by {@link #METHOD_SHIFT}, if the format separates them from paths. */
    private final List<byte[]> methods;

    private final byte afterPath;
    private final AtomicReferenceArray<@Nullable Part> parts = new AtomicReferenceArray<>(KEPT);

    /** The highest byte of a position is the index of the method, from 1. */
    static final int METHOD_SHIFT = 56;

    private static final long POSITION_MASK = (1L << METHOD_SHIFT) - 1;

    LogText(FileChannel log, LogRecords records, List<byte[]> methods, byte afterPath) throws IOException {
        this.log = log;
        this.size = log.size();
        this.records = records;
        this.methods = methods;
        this.afterPath = afterPath;
    }

    private static ThreadPoolExecutor ahead() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemon.factory("downbeat-log"));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Consecutive lines: their names and requests. */
    private static final class Part {
        private final int number;
        private final int[] names;
        private final int[] ends;
        private byte[] text = new byte[0];
        private volatile boolean isNextRequested;

        Part(int number, int lines) {
            this.number = number;
            this.names = new int[lines];
            this.ends = new int[lines];
        }
    }

    int nameOf(int line) {
        return part(line / LINES).names[line % LINES];
    }

    /** Appends the method and the target, separated by a blank; nothing if the log has lost them since. */
    void write(int line, RequestBytes into) {
        Part part = part(line / LINES);
        int place = line % LINES;
        into.append(part.text, place == 0 ? 0 : part.ends[place - 1], part.ends[place]);
    }

    /** The number of lines beyond which memory does not grow with the file. */
    int linesInMemory() {
        int lines = 0;
        for (int i = 0; i < KEPT; i++) {
            Part part = parts.get(i);
            lines += part == null ? 0 : part.names.length;
        }
        return lines;
    }

    private Part part(int number) {
        Part part = parts.get(number % KEPT);
        if (part == null || part.number != number) {
            part = read(number);
        }
        if (!part.isNextRequested) {
            part.isNextRequested = true;
            if ((number + 1L) * LINES < records.count()) {
                AHEAD.execute(() -> read(number + 1));
            }
        }
        return part;
    }

    private synchronized Part read(int number) {
        Part there = parts.get(number % KEPT);
        if (there != null && there.number == number) {
            return there;
        }
        int first = number * LINES;
        Part part = new Part(number, Math.min(LINES, records.count() - first));
        LogRecords.Cursor cursor = records.cursor(first, first + part.ends.length, part.ends.length);
        Window window = new Window();
        RequestBytes text = new RequestBytes();
        for (int line = 0; line < part.ends.length; line++) {
            cursor.next();
            part.names[line] = cursor.name();
            request(cursor.place(), window, text);
            part.ends[line] = text.length();
        }
        part.text = Arrays.copyOf(text.array(), text.length());
        parts.set(number % KEPT, part);
        return part;
    }

    private void request(long location, Window window, RequestBytes into) {
        long at = location & POSITION_MASK;
        int method = (int) (location >>> METHOD_SHIFT);
        int blank = 0;
        int begin = into.length();
        int from = begin;
        if (method > 0) {
            into.append(methods.get(method - 1));
            blank = 1;
            from = into.length();
        }
        int current = window.at(at);
        for (; current >= 0; current = window.at(++at)) {
            boolean isBlank = current == ' ';
            if (current == '"'
                    || current == '\t'
                    || current == '\r'
                    || current == '\n'
                    || (isBlank && blank == 1)
                    || (method > 0 && current == afterPath)) {
                break;
            }
            blank += isBlank ? 1 : 0;
            int length = current == '\\' ? escapeLength(window, at) : 1;
            into.one(length == 1 ? current : length == 2 ? window.at(at + 1) : hex(window, at + length - 2));
            at += length - 1;
            from = isBlank ? into.length() : from;
        }
        if (blank == 0 || (current < 0 && at < size)) { // truncated, as by logrotate's copytruncate
            into.cut(begin);
        }
        into.percentEncode(from);
    }

    /**
     * Of a byte as nginx and Apache escape it, {@code \\xC3}, a quote or backslash as Apache and JSON do, or an ASCII
     * character as Go escapes those of HTML, {@code \\u0026} for {@code &}; otherwise 1.
     */
    private static int escapeLength(Window window, long at) {
        int kind = window.at(at + 1);
        if (kind == '"' || kind == '\\') {
            return 2;
        }
        int length = kind == 'x' ? 4 : 6;
        boolean isUnicode = kind == 'u' && window.at(at + 2) == '0' && window.at(at + 3) == '0';
        int byteValue = kind == 'x' || isUnicode ? hex(window, at + length - 2) : -1;
        return byteValue < 0 || (isUnicode && byteValue > 0x7f) ? 1 : length;
    }

    /** Two hexadecimal digits; negative if there are none. */
    private static int hex(Window window, long at) {
        int high = Character.digit(window.at(at), 16);
        int low = Character.digit(window.at(at + 1), 16);
        return high < 0 || low < 0 ? -1 : 16 * high + low;
    }

    /** A part of the file. */
    private final class Window {
        private final byte[] bytes = new byte[WINDOW];
        private long from;
        private int length;

        /** The byte at a position; negative at the end. */
        int at(long place) {
            if (place < from || place >= from + length) {
                from = place;
                try {
                    length = Math.max(0, log.read(ByteBuffer.wrap(bytes), place));
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            }
            return length == 0 ? -1 : bytes[(int) (place - from)] & 0xff;
        }
    }
}
