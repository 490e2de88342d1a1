package dev.downbeat.http;

import dev.downbeat.target.Outcome;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of an HTTP/1.1 response (RFC 9112) and what it means for the connection. Strict where a lenient reading
 * could take one response for another (two lengths, a length beside a transfer coding, a bad chunk size), lenient where
 * it cannot (a bare line feed). Bodies are counted, not kept.
 *
 * <p>Longer than most: the states of one grammar, which share the line at hand, are read best in one place.
 *
 * <p>Bytes may come in any portions. Allocates nothing per response, unless a line is longer than all before it. Not
 * thread-safe.
 */
final class ResponseParser {
    static final Outcome NOT_HTTP = Outcome.failed("not HTTP: bad status line");
    static final Outcome BAD_HEADER = Outcome.failed("bad response: header");
    static final Outcome BAD_LENGTH = Outcome.failed("bad response: content length");
    static final Outcome BAD_CHUNK = Outcome.failed("bad response: chunk");
    static final Outcome TOO_LONG = Outcome.failed("bad response: header too long");
    static final Outcome SWITCHED = Outcome.failed("bad response: switched protocols");

    private static final int USUAL_LINE = 512;

    private static final int MAX_LINE = 16 * 1024;
    private static final int MAX_HEADER_BYTES = 256 * 1024;
    private static final long UNTIL_CLOSE = -1;

    private enum State {
        STATUS_LINE,
        HEADER,
        BODY,
        BODY_UNTIL_CLOSE,
        CHUNK_SIZE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILER,
        DONE,
        FAILED
    }

    private byte[] line = new byte[USUAL_LINE];
    private final boolean neverBody;
    private State state = State.STATUS_LINE;
    private int lineLength;
    private int headerBytes;
    private int status;
    private boolean keepAlive;
    private long contentLength;
    private boolean transferCoding;
    private boolean chunked;
    private long remaining;
    private boolean started;
    private @Nullable Outcome failure;

    /**
     * A parser for the answers to one kind of request.
     *
     * @param neverBody true for HEAD, whose answers have no body whatever their header says
     */
    ResponseParser(boolean neverBody) {
        this.neverBody = neverBody;
        reset();
    }

    /** Prepares for the next response. */
    void reset() {
        state = State.STATUS_LINE;
        started = false;
        failure = null;
        beginHead();
    }

    private void beginHead() {
        lineLength = 0;
        headerBytes = 0;
        status = 0;
        contentLength = UNTIL_CLOSE;
        transferCoding = false;
        chunked = false;
        remaining = 0;
    }

    /** Whether the response is complete. */
    boolean isDone() {
        return state == State.DONE;
    }

    /** Why it is no response, or null while it may be one. */
    @Nullable
    Outcome failure() {
        return failure;
    }

    /** Whether any byte of the response has come. */
    boolean hasStarted() {
        return started;
    }

    /** Status code of a complete response. */
    int status() {
        return status;
    }

    /** Whether the connection may be used again after this complete response. */
    boolean keepsAlive() {
        return keepAlive;
    }

    /**
     * Reads bytes up to the end of the response.
     *
     * @return the index of the first byte that does not belong to it; {@code to} if all do
     */
    int feed(byte[] bytes, int from, int to) {
        int at = from;
        if (at < to) {
            started = true;
        }
        while (at < to && state != State.DONE && state != State.FAILED) {
            at = switch (state) {
                case BODY, CHUNK_DATA -> skip(at, to);
                case BODY_UNTIL_CLOSE -> to;
                default -> readLine(bytes, at, to);
            };
        }
        return at;
    }

    /** The server has closed: completes a response whose end is the close; returns whether the response is complete. */
    boolean endOfStream() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.DONE;
        }
        return state == State.DONE;
    }

    private int skip(int at, int to) {
        long step = Math.min(remaining, to - at);
        remaining -= step;
        if (remaining == 0) {
            state = state == State.BODY ? State.DONE : State.CHUNK_END;
        }
        return at + (int) step;
    }

    private int readLine(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            byte b = bytes[at];
            if (b == '\n') {
                int end = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
                headerBytes += lineLength;
                lineLength = 0;
                onLine(end);
                return at + 1;
            }
            if (lineLength == MAX_LINE || headerBytes > MAX_HEADER_BYTES) {
                fail(state == State.STATUS_LINE ? NOT_HTTP : TOO_LONG);
                return at;
            }
            if (lineLength == line.length) {
                line = Arrays.copyOf(line, Math.min(2 * line.length, MAX_LINE));
            }
            line[lineLength++] = b;
        }
        if (state == State.STATUS_LINE && !couldBeStatusLine()) {
            fail(NOT_HTTP); // at once: garbage without a line feed would else wait for the timeout
        }
        return to;
    }

    private boolean couldBeStatusLine() {
        String begin = "HTTP/1.";
        for (int i = 0; i < Math.min(lineLength, begin.length()); i++) {
            if (line[i] != begin.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void onLine(int length) {
        switch (state) {
            case STATUS_LINE -> onStatusLine(length);
            case HEADER -> {
                if (length == 0) {
                    onHeadEnd();
                } else {
                    onHeader(length);
                }
            }
            case CHUNK_SIZE -> onChunkSize(length);
            case CHUNK_END -> {
                if (length == 0) {
                    state = State.CHUNK_SIZE;
                } else {
                    fail(BAD_CHUNK);
                }
            }
            case TRAILER -> {
                if (length == 0) {
                    state = State.DONE;
                }
            }
            default -> throw new IllegalStateException("no line expected in " + state);
        }
    }

    /** {@code HTTP/1.x SSS reason}; the reason may be missing. */
    private void onStatusLine(int length) {
        boolean shaped = length >= 12
                && couldBeStatusLine()
                && (line[7] == '0' || line[7] == '1')
                && line[8] == ' '
                && (length == 12 || line[12] == ' ');
        int code = shaped ? threeDigits(9) : -1;
        if (code < 100 || code > 999) {
            fail(NOT_HTTP);
            return;
        }
        status = code;
        keepAlive = line[7] == '1';
        state = State.HEADER;
    }

    private int threeDigits(int at) {
        int number = 0;
        for (int i = at; i < at + 3; i++) {
            if (line[i] < '0' || line[i] > '9') {
                return -1;
            }
            number = number * 10 + line[i] - '0';
        }
        return number;
    }

    private void onHeader(int length) {
        if (line[0] == ' ' || line[0] == '\t') {
            return; // a folded line (RFC 9112, 5.2) continues a value; none that matters is ever folded by a server
        }
        int colon = 0;
        while (colon < length && line[colon] != ':') {
            colon++;
        }
        if (colon == 0 || colon == length || line[colon - 1] == ' ' || line[colon - 1] == '\t') {
            fail(BAD_HEADER);
            return;
        }
        int from = colon + 1;
        int to = length;
        while (from < to && isBlank(line[from])) {
            from++;
        }
        while (to > from && isBlank(line[to - 1])) {
            to--;
        }
        if (isName(colon, "content-length")) {
            onContentLength(from, to);
        } else if (isName(colon, "transfer-encoding")) {
            transferCoding = true;
            chunked = lastWordIs(from, to, "chunked");
        } else if (isName(colon, "connection")) {
            onConnection(from, to);
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private boolean isName(int length, String name) {
        return length == name.length() && matches(0, name);
    }

    private boolean matches(int at, String lowerCase) {
        for (int i = 0; i < lowerCase.length(); i++) {
            byte b = line[at + i];
            int lower = b >= 'A' && b <= 'Z' ? b + 32 : b;
            if (lower != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean lastWordIs(int from, int to, String word) {
        int at = to - word.length();
        return at >= from && matches(at, word) && (at == from || line[at - 1] == ',' || isBlank(line[at - 1]));
    }

    private void onContentLength(int from, int to) {
        if (from == to || to - from > 18) {
            fail(BAD_LENGTH);
            return;
        }
        long length = 0;
        for (int i = from; i < to; i++) {
            if (line[i] < '0' || line[i] > '9') {
                fail(BAD_LENGTH);
                return;
            }
            length = length * 10 + line[i] - '0';
        }
        if (contentLength != UNTIL_CLOSE && contentLength != length) {
            fail(BAD_LENGTH);
            return;
        }
        contentLength = length;
    }

    private void onConnection(int from, int to) {
        int word = from;
        for (int i = from; i <= to; i++) {
            if (i == to || line[i] == ',') {
                int begin = word;
                int end = i;
                while (begin < end && isBlank(line[begin])) {
                    begin++;
                }
                while (end > begin && isBlank(line[end - 1])) {
                    end--;
                }
                if (end - begin == 5 && matches(begin, "close")) {
                    keepAlive = false;
                } else if (end - begin == 10 && matches(begin, "keep-alive") && status != 0) {
                    keepAlive = true;
                }
                word = i + 1;
            }
        }
    }

    private void onHeadEnd() {
        if (status == 101) {
            fail(SWITCHED);
        } else if (status < 200) {
            beginHead();
            state = State.STATUS_LINE;
        } else if (neverBody || status == 204 || status == 304) {
            state = State.DONE;
        } else if (transferCoding && contentLength != UNTIL_CLOSE) {
            fail(BAD_LENGTH);
        } else if (chunked) {
            state = State.CHUNK_SIZE;
        } else if (transferCoding || contentLength == UNTIL_CLOSE) {
            keepAlive = false;
            state = State.BODY_UNTIL_CLOSE;
        } else {
            remaining = contentLength;
            state = remaining == 0 ? State.DONE : State.BODY;
        }
    }

    private void onChunkSize(int length) {
        long size = 0;
        int digits = 0;
        while (digits < length && hexDigit(line[digits]) >= 0) {
            size = size << 4 | hexDigit(line[digits++]);
            if (digits > 15) {
                fail(BAD_CHUNK);
                return;
            }
        }
        int rest = digits;
        while (rest < length && isBlank(line[rest])) {
            rest++;
        }
        if (digits == 0 || (rest < length && line[rest] != ';')) {
            fail(BAD_CHUNK);
            return;
        }
        headerBytes = 0;
        remaining = size;
        state = size == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private static int hexDigit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private void fail(Outcome why) {
        failure = why;
        state = State.FAILED;
    }
}
