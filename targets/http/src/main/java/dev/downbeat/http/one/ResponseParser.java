package dev.downbeat.http.one;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import dev.downbeat.http.wire.HttpFailures;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of an HTTP/1.1 response (RFC 9112) and its effect on the connection. Strict where a lenient reading
 * could confuse two responses (two lengths, a length together with a transfer coding, a bad chunk size); lenient where
 * it cannot (a bare line feed). Bodies are counted, not stored; a sink receives them on request.
 *
 * <p>Input may be split anywhere. Allocates nothing per response, except when a line split over reads is longer than
 * any before. Not thread-safe.
 */
final class ResponseParser {
    static final Outcome BAD_CHUNK = Outcome.failed("bad response: chunk");
    static final Outcome TOO_LONG = Outcome.failed("bad response: header of more than 256 KiB");

    private static final int USUAL_LINE = 512;

    /** For lines other than header fields. */
    private static final int MAX_LINE = 16 * 1024;

    /** As for a header block of HTTP/2. */
    private static final int MAX_HEADER_BYTES = 256 * 1024;

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

    private final KnownHead known;
    private boolean neverBody;
    private @Nullable ResponseSink sink;
    private final ResponseHead head = new ResponseHead();
    private State state = State.STATUS_LINE;
    private boolean started;
    private int status;
    private boolean keepAlive;
    private long remaining;
    private @Nullable Outcome failure;

    /** The start of an incomplete line. */
    private byte[] partialLine = new byte[USUAL_LINE];

    private int partialLength;
    private int headerBytes;

    /** The start of the head in the current input; -1 if it began in an earlier one. */
    private int headFrom;

    /**
     * A parser for responses to one kind of request.
     *
     * @param neverBody true for HEAD, whose responses never have a body
     * @param known shared by all parsers of this kind on one thread
     */
    ResponseParser(boolean neverBody, KnownHead known) {
        this.neverBody = neverBody;
        this.known = known;
        reset();
    }

    /** Resets for the response to another kind of request. */
    void reset(boolean neverBody, @Nullable ResponseSink sink) {
        this.neverBody = neverBody;
        this.sink = sink;
        reset();
    }

    void reset() {
        started = false;
        status = 0;
        keepAlive = false;
        failure = null;
        remaining = 0;
        partialLength = 0;
        beginHead();
    }

    private void beginHead() {
        state = State.STATUS_LINE;
        headerBytes = 0;
        headFrom = -1;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    @Nullable
    Outcome failure() {
        return failure;
    }

    boolean hasStarted() {
        return started;
    }

    int status() {
        return status;
    }

    /** Whether the connection may be reused after this complete response. */
    boolean keepsAlive() {
        return keepAlive;
    }

    /** Consumes bytes up to the end of the response; returns the index of the first byte after it, or {@code to}. */
    int feed(byte[] bytes, int from, int to) {
        int at = from;
        if (at < to) {
            started = true;
        }
        headFrom = -1;
        while (at < to && state != State.DONE && state != State.FAILED) {
            at = switch (state) {
                case BODY, CHUNK_DATA -> readBody(bytes, at, to);
                case BODY_UNTIL_CLOSE -> passBody(bytes, at, to);
                case STATUS_LINE -> readHead(bytes, at, to);
                default -> readLine(bytes, at, to);
            };
        }
        return at;
    }

    /**
     * The server closed the connection, which completes a response delimited by it. Returns whether the response is
     * complete.
     */
    boolean endOfStream() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.DONE;
        }
        return state == State.DONE;
    }

    private int readBody(byte[] bytes, int at, int to) {
        long step = Math.min(remaining, to - at);
        remaining -= step;
        if (remaining == 0) {
            state = state == State.BODY ? State.DONE : State.CHUNK_END;
        }
        return passBody(bytes, at, at + (int) step);
    }

    private int passBody(byte[] bytes, int from, int to) {
        if (sink != null) {
            sink.body(bytes, from, to);
        }
        return to;
    }

    /** Whether its head means the same for the next request: a HEAD has the head of a GET, but no body. */
    private boolean isPlain() {
        return sink == null && !neverBody;
    }

    private int readHead(byte[] bytes, int from, int to) {
        if (partialLength > 0) {
            return readLine(bytes, from, to);
        }
        if (isPlain() && known.begins(bytes, from, to)) {
            status = known.status;
            keepAlive = known.keepAlive;
            expectBody(known.bodyBytes);
            return from + known.length;
        }
        headFrom = from;
        head.begin();
        return readLine(bytes, from, to);
    }

    private int readLine(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        int length = partialLength + end - from;
        boolean isField = state == State.HEADER || state == State.TRAILER;
        if (length > (isField ? MAX_HEADER_BYTES : MAX_LINE) || headerBytes + length > MAX_HEADER_BYTES) {
            fail(isField ? TOO_LONG : state == State.STATUS_LINE ? ResponseHead.NOT_HTTP : BAD_CHUNK);
            return end;
        }
        if (end == to) {
            keepPartial(bytes, from, to);
            if (state == State.STATUS_LINE && !ResponseHead.couldBeStatusLine(partialLine, 0, partialLength)) {
                // immediately, because garbage without a line feed would otherwise wait for the timeout
                fail(ResponseHead.noStatusLine(partialLine, 0, partialLength));
            }
            return to;
        }
        headerBytes += length;
        if (partialLength == 0) {
            onLine(bytes, from, end, end + 1);
        } else {
            keepPartial(bytes, from, end);
            partialLength = 0;
            onLine(partialLine, 0, length, -1);
            if (partialLine.length > MAX_LINE) {
                partialLine = new byte[USUAL_LINE]; // each connection has one
            }
        }
        return end + 1;
    }

    private void keepPartial(byte[] bytes, int from, int to) {
        int length = partialLength + to - from;
        if (length > partialLine.length) {
            partialLine =
                    Arrays.copyOf(partialLine, Math.max(length, Math.min(2 * partialLine.length, MAX_HEADER_BYTES)));
        }
        System.arraycopy(bytes, from, partialLine, partialLength, to - from);
        partialLength = length;
    }

    /**
     * Handles a complete line; {@code next} is the start of the next one if both are in the current input, otherwise
     * -1.
     */
    private void onLine(byte[] text, int from, int lineFeed, int next) {
        int to = lineFeed > from && text[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
        boolean empty = to == from;
        if (sink != null && !empty && (state == State.STATUS_LINE || state == State.HEADER)) {
            sink.line(text, from, to);
        }
        switch (state) {
            case STATUS_LINE -> {
                state = State.HEADER;
                failIf(head.statusLine(text, from, to));
            }
            case HEADER -> {
                if (empty) {
                    onHeadEnd(text, next);
                } else {
                    failIf(head.field(text, from, to));
                }
            }
            case CHUNK_SIZE -> onChunkSize(text, from, to);
            case CHUNK_END -> {
                state = State.CHUNK_SIZE;
                failIf(empty ? null : BAD_CHUNK);
            }
            case TRAILER -> state = empty ? State.DONE : State.TRAILER;
            default -> throw new IllegalStateException("no line expected in " + state);
        }
    }

    private void onHeadEnd(byte[] text, int next) {
        status = head.status;
        keepAlive = head.keepAlive;
        boolean bodiless = neverBody || status == 204 || status == 304;
        if (status == 101) {
            fail(HttpFailures.SWITCHED);
        } else if (status < 200) {
            beginHead();
        } else if (bodiless || (head.contentLength != ResponseHead.NO_LENGTH && !head.transferCoding)) {
            expectBody(bodiless ? 0 : head.contentLength);
            if (isPlain() && headFrom >= 0 && next >= 0) {
                known.remember(text, headFrom, next, head, keepAlive, remaining);
            }
        } else if (head.contentLength != ResponseHead.NO_LENGTH) {
            fail(HttpFailures.BAD_LENGTH);
        } else if (head.chunked) {
            state = State.CHUNK_SIZE;
        } else {
            keepAlive = false;
            state = State.BODY_UNTIL_CLOSE;
        }
    }

    private void expectBody(long bytes) {
        remaining = bytes;
        state = bytes == 0 ? State.DONE : State.BODY;
    }

    private void onChunkSize(byte[] text, int from, int to) {
        long size = ChunkSize.of(text, from, to);
        if (size == ChunkSize.MALFORMED) {
            fail(BAD_CHUNK);
            return;
        }
        headerBytes = 0;
        remaining = size;
        state = size == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private void failIf(@Nullable Outcome wrong) {
        if (wrong != null) {
            fail(wrong);
        }
    }

    private void fail(Outcome why) {
        failure = why;
        state = State.FAILED;
    }

    /** The line before a chunk (RFC 9112, section 7.1): a hexadecimal size, and extensions, which are ignored. */
    private static final class ChunkSize {
        static final long MALFORMED = -1;

        private static final int MAX_DIGITS = 15;

        private ChunkSize() {}

        /** The size in bytes; {@link #MALFORMED} if the line has none, or implausibly many digits. */
        static long of(byte[] text, int from, int to) {
            long size = 0;
            int at = from;
            while (at < to && hexDigit(text[at]) >= 0) {
                size = size << 4 | hexDigit(text[at++]);
                if (at - from > MAX_DIGITS) {
                    return MALFORMED;
                }
            }
            int rest = at;
            while (rest < to && ResponseHead.isBlank(text[rest])) {
                rest++;
            }
            boolean endsWell = rest == to || text[rest] == ';';
            return at > from && endsWell ? size : MALFORMED;
        }

        private static int hexDigit(byte b) {
            if (b >= '0' && b <= '9') {
                return b - '0';
            }
            int lower = b | 0x20;
            return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
        }
    }

    /**
     * Parses what a response head says about its body and connection (RFC 9112), line by line, without line ends.
     * Allocates nothing. Not thread-safe.
     */
    static final class ResponseHead {
        static final Outcome NOT_HTTP = Outcome.failed("not HTTP: bad status line");
        static final Outcome SPEAKS_TLS = Outcome.failed("bad response: the server speaks TLS (try https://)");

        /** The first byte of a TLS server's reply to a request that is not a handshake (RFC 8446, 5.1). */
        private static final byte TLS_ALERT = 21;

        static final Outcome BAD_HEADER = Outcome.failed("bad response: header");

        static final long NO_LENGTH = -1;

        private static final int MAX_LENGTH_DIGITS = 18;

        private static final int STATUS_LINE_LENGTH = "HTTP/1.1 200".length();

        private int status;

        private boolean keepAlive;

        /** Whether a Connection field has {@code close}, which overrides its other options (RFC 9112, 9.3). */
        private boolean closes;

        /** In bytes; {@link #NO_LENGTH} if absent. */
        private long contentLength;

        private boolean transferCoding;
        private boolean chunked;

        /** Resets for the next head, whose first line has its status and what follows from its version. */
        void begin() {
            closes = false;
            contentLength = NO_LENGTH;
            transferCoding = false;
            chunked = false;
        }

        static Outcome noStatusLine(byte[] text, int from, int to) {
            return to > from && text[from] == TLS_ALERT ? SPEAKS_TLS : NOT_HTTP;
        }

        static boolean couldBeStatusLine(byte[] text, int from, int to) {
            String begin = "HTTP/1.";
            for (int i = 0; i < Math.min(to - from, begin.length()); i++) {
                if (text[from + i] != begin.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        /** Parses {@code HTTP/1.x SSS reason}; the reason may be missing. Returns the failure, or null. */
        @Nullable
        Outcome statusLine(byte[] text, int from, int to) {
            boolean shaped = to - from >= STATUS_LINE_LENGTH
                    && couldBeStatusLine(text, from, to)
                    && (text[from + 7] == '0' || text[from + 7] == '1')
                    && text[from + 8] == ' '
                    && (to - from == STATUS_LINE_LENGTH || text[from + STATUS_LINE_LENGTH] == ' ');
            int code = shaped ? threeDigits(text, from + 9) : -1;
            if (code < 100) {
                return noStatusLine(text, from, to);
            }
            status = code;
            keepAlive = text[from + 7] == '1';
            return null;
        }

        private static int threeDigits(byte[] text, int from) {
            int number = 0;
            for (int i = from; i < from + 3; i++) {
                if (text[i] < '0' || text[i] > '9') {
                    return -1;
                }
                number = number * 10 + text[i] - '0';
            }
            return number;
        }

        /** Parses a non-empty header field. Returns the failure, or null. */
        @Nullable
        Outcome field(byte[] text, int from, int to) {
            if (isBlank(text[from])) {
                return null; // a folded line (RFC 9112, 5.2) continues a value; no server folds a relevant one
            }
            int colon = from;
            while (colon < to && text[colon] != ':') {
                colon++;
            }
            if (colon == from || colon == to || isBlank(text[colon - 1])) {
                return BAD_HEADER;
            }
            int begin = colon + 1;
            int end = to;
            while (begin < end && isBlank(text[begin])) {
                begin++;
            }
            while (end > begin && isBlank(text[end - 1])) {
                end--;
            }
            if (is(text, from, colon, "content-length")) {
                return contentLength(text, begin, end);
            } else if (is(text, from, colon, "transfer-encoding")) {
                transferCoding = true;
                chunked = endsWithToken(text, begin, end, "chunked");
            } else if (is(text, from, colon, "connection")) {
                connection(text, begin, end);
            }
            return null;
        }

        private @Nullable Outcome contentLength(byte[] text, int from, int to) {
            if (from == to || to - from > MAX_LENGTH_DIGITS) {
                return HttpFailures.BAD_LENGTH;
            }
            long length = 0;
            for (int i = from; i < to; i++) {
                if (text[i] < '0' || text[i] > '9') {
                    return HttpFailures.BAD_LENGTH;
                }
                length = length * 10 + text[i] - '0';
            }
            if (contentLength != NO_LENGTH && contentLength != length) {
                return HttpFailures.BAD_LENGTH;
            }
            contentLength = length;
            return null;
        }

        private void connection(byte[] text, int from, int to) {
            int word = from;
            for (int i = from; i <= to; i++) {
                if (i == to || text[i] == ',') {
                    int begin = word;
                    int end = i;
                    while (begin < end && isBlank(text[begin])) {
                        begin++;
                    }
                    while (end > begin && isBlank(text[end - 1])) {
                        end--;
                    }
                    if (is(text, begin, end, "close")) {
                        closes = true;
                        keepAlive = false;
                    } else if (is(text, begin, end, "keep-alive")) {
                        keepAlive = !closes;
                    }
                    word = i + 1;
                }
            }
        }

        static boolean isBlank(byte b) {
            return b == ' ' || b == '\t';
        }

        private static boolean is(byte[] text, int from, int to, String lowerCase) {
            if (to - from != lowerCase.length()) {
                return false;
            }
            for (int i = 0; i < lowerCase.length(); i++) {
                byte b = text[from + i];
                int lower = b >= 'A' && b <= 'Z' ? b + 32 : b;
                if (lower != lowerCase.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean endsWithToken(byte[] text, int from, int to, String word) {
            int at = to - word.length();
            return at >= from && is(text, at, to, word) && (at == from || text[at - 1] == ',' || isBlank(text[at - 1]));
        }
    }

    /**
     * Caches the last complete response head and its meaning. A server's heads are mostly identical until the Date
     * changes. Comparing takes a few nanoseconds, parsing a few hundred. Not thread-safe: shared by the connections of
     * one lane.
     */
    static final class KnownHead {
        private static final int MAX_BYTES = 4096;

        private byte[] bytes = new byte[512];
        private int length;
        private int status;
        private boolean keepAlive;
        private long bodyBytes;

        boolean begins(byte[] text, int from, int to) {
            return length > 0 && to - from >= length && Arrays.equals(bytes, 0, length, text, from, from + length);
        }

        /** Stores a head, including its empty line, with a body of exactly this many bytes. */
        void remember(byte[] text, int from, int to, ResponseHead head, boolean keepAlive, long bodyBytes) {
            length = to - from;
            if (length > MAX_BYTES) {
                length = 0;
                return;
            }
            if (length > bytes.length) {
                bytes = new byte[MAX_BYTES];
            }
            System.arraycopy(text, from, bytes, 0, length);
            this.status = head.status;
            this.keepAlive = keepAlive;
            this.bodyBytes = bodyBytes;
        }
    }
}
