package dev.downbeat.http.requests;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds in each line of an access log its time and its request. Use once. */
final class LogReader {
    private static final int WINDOW = 1 << 20;

    private final ByteBuffer bytes;
    private final @Nullable LogFormat format;
    private final LogFormat.Fields fields = new LogFormat.Fields();
    private final LogStamps times = new LogStamps();
    private final LogNames requests = new LogNames();
    private long[] stamps = new long[1024];
    private int[] at = new int[1024];
    private int[] named = new int[1024];
    private byte[] methods = new byte[0];
    private final List<String> torn = new ArrayList<>();
    private int count;
    private long unreadable;
    private long firstUnreadable;

    /**
     * Of a file that has not been read.
     *
     * @param format of its lines; null to find time and request in each
     */
    LogReader(ByteBuffer bytes, @Nullable LogFormat format) {
        this.bytes = bytes;
        this.format = format;
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
        if (format != null) {
            return line(format, text, from, to, base);
        }
        int request = request(text, from, to);
        long nanos = request < 0 ? LogStamps.NONE : times.stamp(text, from, to);
        return nanos != LogStamps.NONE && add(nanos, base + request, requests.name(text, request, to));
    }

    private boolean line(LogFormat own, byte[] text, int from, int to, int base) {
        if (!own.finds(text, from, to, fields)) {
            return false;
        }
        int request = fields.requestFrom;
        boolean isTorn = own.isTorn();
        boolean isRequest = isTorn
                ? request < fields.requestTo && text[request] == '/'
                : request(text, request, fields.requestTo) == request;
        long nanos = isRequest ? times.exactly(text, fields.timeFrom, fields.timeTo) : LogStamps.NONE;
        if (nanos == LogStamps.NONE) {
            return false;
        }
        if (!isTorn) {
            return add(nanos, base + request, requests.name(text, request, fields.requestTo));
        }
        String method = fields.methodFrom < 0
                ? "GET"
                : new String(text, fields.methodFrom, fields.methodTo - fields.methodFrom, StandardCharsets.US_ASCII);
        if (!method.matches("[A-Z]{3,20}")) {
            return false;
        }
        int place = torn.indexOf(method);
        if (place < 0) {
            place = torn.size();
            torn.add(method);
        }
        byte[] whole = (method + " ").getBytes(StandardCharsets.US_ASCII);
        int begin = whole.length;
        whole = Arrays.copyOf(whole, begin + fields.requestTo - request);
        System.arraycopy(text, request, whole, begin, fields.requestTo - request);
        methods = count < methods.length ? methods : Arrays.copyOf(methods, Math.max(1024, 2 * count));
        methods[count] = (byte) place;
        return add(nanos, base + request, requests.name(whole, 0, whole.length));
    }

    private boolean add(long nanos, int place, int name) {
        if (count == stamps.length) {
            stamps = Arrays.copyOf(stamps, 2 * count);
            at = Arrays.copyOf(at, 2 * count);
            named = Arrays.copyOf(named, 2 * count);
        }
        stamps[count] = nanos;
        at[count] = place;
        named[count] = name;
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

    /** Of each line the place of its method among {@link #torn}, where that stands apart from the path; else nothing. */
    byte[] methods() {
        return methods;
    }

    /** The methods of lines that have no whole request. */
    List<String> torn() {
        return torn;
    }

    List<String> names() {
        return requests.all();
    }

    /** What the finest stamp tells apart. */
    long resolutionNanos() {
        return times.resolutionNanos();
    }
}
