package dev.downbeat.loopback;

import java.nio.charset.StandardCharsets;

/** The relevant parts of a request's head. Overwritten by each request of a connection. Not thread-safe. */
final class RequestHead {
    private byte[] bytes = new byte[0];
    private boolean http10;
    private boolean bodiless;
    private boolean closing;
    private boolean chunked;
    private boolean expectsContinue;
    private boolean hasHost;
    private long contentLength;
    private int queryStart;
    private int queryEnd;

    /** Parses an HTTP/1.0 or HTTP/1.1 head, including the empty line at its end. */
    void parse(byte[] source, int from, int to) throws BadRequestException {
        bytes = source;
        closing = false;
        chunked = false;
        expectsContinue = false;
        hasHost = false;
        contentLength = -1;
        int lineEnd = lineEnd(from);
        parseRequestLine(from, textEnd(from, lineEnd));
        for (int line = lineEnd + 1; line < to; line = lineEnd + 1) {
            lineEnd = lineEnd(line);
            int textEnd = textEnd(line, lineEnd);
            if (textEnd > line) {
                parseHeader(line, textEnd);
            }
        }
        if (!http10 && !hasHost) {
            throw new BadRequestException("HTTP/1.1 request has no Host header");
        }
        if (chunked && contentLength >= 0) {
            throw new BadRequestException("request has both Transfer-Encoding and Content-Length");
        }
        contentLength = Math.max(0, contentLength);
    }

    /** Whether the client uses HTTP/1.0: no keep-alive, no chunks, no interim responses. */
    boolean isHttp10() {
        return http10;
    }

    /** Whether the response must have no body (HEAD). */
    boolean wantsNoBody() {
        return bodiless;
    }

    /** Whether the connection ends with the response to this request. */
    boolean wantsClose() {
        return closing || http10;
    }

    boolean isChunked() {
        return chunked;
    }

    boolean expectsContinue() {
        return expectsContinue && !http10;
    }

    /** The length of the body; 0 if it is chunked. */
    long contentLength() {
        return contentLength;
    }

    boolean hasQuery() {
        return queryEnd > queryStart;
    }

    /** The query without its question mark; valid until the body is read. */
    String query() {
        return new String(bytes, queryStart, queryEnd - queryStart, StandardCharsets.ISO_8859_1);
    }

    private int lineEnd(int from) {
        int i = from;
        while (bytes[i] != '\n') {
            i++;
        }
        return i;
    }

    private int textEnd(int from, int lineEnd) {
        return lineEnd > from && bytes[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    }

    private void parseRequestLine(int from, int to) throws BadRequestException {
        int methodEnd = from;
        while (methodEnd < to && isToken(bytes[methodEnd])) {
            methodEnd++;
        }
        int targetEnd = methodEnd + 1;
        queryStart = 0;
        while (targetEnd < to && bytes[targetEnd] > ' ') {
            if (bytes[targetEnd] == '?' && queryStart == 0) {
                queryStart = targetEnd + 1;
            }
            targetEnd++;
        }
        boolean wellFormed = methodEnd > from
                && targetEnd > methodEnd + 1
                && targetEnd < to
                && bytes[methodEnd] == ' '
                && bytes[targetEnd] == ' ';
        int version = targetEnd + 1;
        if (!wellFormed || to - version != 8 || !is("http/1.", version, version + 7)) {
            throw new BadRequestException("request line is not METHOD TARGET HTTP/1.1");
        }
        queryEnd = queryStart == 0 ? 0 : targetEnd;
        http10 = bytes[to - 1] == '0';
        bodiless = is("head", from, methodEnd);
    }

    private void parseHeader(int from, int to) throws BadRequestException {
        int colon = from;
        while (colon < to && isToken(bytes[colon])) {
            colon++;
        }
        if (colon == from || colon == to || bytes[colon] != ':') {
            throw new BadRequestException("header line is not NAME: VALUE");
        }
        int valueStart = colon + 1;
        while (valueStart < to && isBlank(bytes[valueStart])) {
            valueStart++;
        }
        int valueEnd = to;
        while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) {
            valueEnd--;
        }
        if (is("host", from, colon)) {
            hasHost = true;
        } else if (is("connection", from, colon)) {
            closing |= listContains("close", valueStart, valueEnd);
        } else if (is("content-length", from, colon)) {
            parseContentLength(valueStart, valueEnd);
        } else if (is("transfer-encoding", from, colon)) {
            if (!is("chunked", valueStart, valueEnd)) {
                throw new BadRequestException("Transfer-Encoding is not chunked");
            }
            chunked = true;
        } else if (is("expect", from, colon)) {
            expectsContinue = is("100-continue", valueStart, valueEnd);
        }
    }

    private void parseContentLength(int from, int to) throws BadRequestException {
        long length = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw new BadRequestException("Content-Length is not a number");
            }
            length = length * 10 + digit;
        }
        if (from == to || to - from > 18) {
            throw new BadRequestException("Content-Length does not have 1 to 18 digits");
        }
        if (contentLength >= 0 && contentLength != length) {
            throw new BadRequestException("request has two different Content-Lengths");
        }
        contentLength = length;
    }

    private boolean listContains(String word, int from, int to) {
        int element = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == ',') {
                int elementEnd = i;
                while (element < elementEnd && isBlank(bytes[element])) {
                    element++;
                }
                while (elementEnd > element && isBlank(bytes[elementEnd - 1])) {
                    elementEnd--;
                }
                if (is(word, element, elementEnd)) {
                    return true;
                }
                element = i + 1;
            }
        }
        return false;
    }

    /** Whether the bytes equal the given lower-case word, ignoring case. */
    private boolean is(String lowerCase, int from, int to) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            int lower = b >= 'A' && b <= 'Z' ? b + 32 : b;
            if (lower != lowerCase.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isToken(byte b) {
        return b > ' ' && b < 127 && "\"(),/:;<=>?@[\\]{}".indexOf(b) < 0;
    }

    /** A request that is not HTTP or is not supported by this server. The message is for the client. */
    static final class BadRequestException extends Exception {
        BadRequestException(String message) {
            super(message, null, false, false);
        }
    }
}
