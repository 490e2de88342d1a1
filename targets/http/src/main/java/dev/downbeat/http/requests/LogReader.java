package dev.downbeat.http.requests;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Finds in each line of an access log its time and its request. Use once. */
final class LogReader {
    private static final int WINDOW = 1 << 20;

    private final ByteBuffer bytes;
    private final LogStamps times = new LogStamps();
    private final LogNames requests = new LogNames();
    private long[] stamps = new long[1024];
    private int[] at = new int[1024];
    private int[] named = new int[1024];
    private int count;
    private long unreadable;
    private long firstUnreadable;

    LogReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** A window at a time, on the heap: a log has a hundred bytes in each line to look at. */
    void readAll() {
        long number = 0;
        int from = 0;
        byte[] window = new byte[WINDOW];
        while (from < bytes.limit()) {
            int length = Math.min(window.length, bytes.limit() - from);
            bytes.get(from, window, 0, length);
            boolean isLast = from + length == bytes.limit();
            int begin = 0;
            for (int end = endOfLine(window, begin, length); end >= 0; end = endOfLine(window, begin, length)) {
                take(window, begin, end, from, ++number);
                begin = end + 1;
            }
            if (isLast && begin < length) {
                take(window, begin, length, from, ++number);
                begin = length;
            }
            if (begin == 0) {
                window = new byte[2 * window.length]; // a line longer than all before
            }
            from += begin;
        }
    }

    private static int endOfLine(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void take(byte[] text, int from, int to, int base, long number) {
        boolean isBlank = to == from || text[from] == '#' || (to - from == 1 && text[from] == '\r');
        if (!isBlank && !line(text, from, to, base)) {
            firstUnreadable = unreadable == 0 ? number : firstUnreadable;
            unreadable++;
        }
    }

    private boolean line(byte[] text, int from, int to, int base) {
        int request = request(text, from, to);
        if (request < 0) {
            return false;
        }
        long nanos = times.stamp(text, from, to);
        if (nanos == LogStamps.NONE) {
            return false;
        }
        if (count == stamps.length) {
            stamps = Arrays.copyOf(stamps, 2 * count);
            at = Arrays.copyOf(at, 2 * count);
            named = Arrays.copyOf(named, 2 * count);
        }
        stamps[count] = nanos;
        at[count] = base + request;
        named[count] = requests.name(text, request, to);
        count++;
        return true;
    }

    /** Where {@code GET /path} begins: capital letters, a blank, and what a path can begin with. */
    private static int request(byte[] text, int from, int to) {
        for (int begin = from; begin < to; begin++) {
            byte one = text[begin];
            if (one < 'A' || one > 'Z' || (begin > from && !isBefore(text[begin - 1]))) {
                continue;
            }
            int letter = begin;
            while (letter < to && text[letter] >= 'A' && text[letter] <= 'Z') {
                letter++;
            }
            boolean isMethod = letter - begin > 2 && letter + 1 < to && text[letter] == ' ';
            if (isMethod && (text[letter + 1] == '/' || text[letter + 1] == '*')) {
                return begin;
            }
        }
        return -1;
    }

    private static boolean isBefore(byte one) {
        return one == '"' || one == ' ' || one == '\t' || one == ':';
    }

    int count() {
        return count;
    }

    long unreadable() {
        return unreadable;
    }

    long firstUnreadable() {
        return firstUnreadable;
    }

    long[] stamps() {
        return stamps;
    }

    int[] places() {
        return at;
    }

    int[] named() {
        return named;
    }

    List<String> names() {
        return requests.all();
    }

    /** What the finest stamp tells apart. */
    long resolutionNanos() {
        return times.resolutionNanos();
    }
}
