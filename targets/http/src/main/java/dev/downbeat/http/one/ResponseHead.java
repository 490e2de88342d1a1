package dev.downbeat.http.one;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.wire.HttpFailures;
import org.jspecify.annotations.Nullable;

/**
 * Parses what a response head says about its body and connection (RFC 9112), line by line, without line ends. Allocates
 * nothing. Not thread-safe.
 */
final class ResponseHead {
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
    private long contentLength;
    private boolean transferCoding;
    private boolean chunked;

    ResponseHead() {
        begin();
    }

    /** Resets for the next head. */
    void begin() {
        status = 0;
        keepAlive = false;
        contentLength = NO_LENGTH;
        transferCoding = false;
        chunked = false;
    }

    int status() {
        return status;
    }

    /** Whether the head allows the connection to persist. */
    boolean keepsAlive() {
        return keepAlive;
    }

    /** The length in bytes; {@link #NO_LENGTH} if absent. */
    long contentLength() {
        return contentLength;
    }

    boolean hasTransferCoding() {
        return transferCoding;
    }

    boolean isChunked() {
        return chunked;
    }

    /** The failure for data that does not begin like HTTP. */
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
            // server
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
                    keepAlive = false;
                } else if (is(text, begin, end, "keep-alive")) {
                    keepAlive = true;
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
