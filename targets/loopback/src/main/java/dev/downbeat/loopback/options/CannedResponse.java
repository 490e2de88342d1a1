package dev.downbeat.loopback.options;

import java.nio.charset.StandardCharsets;

/** The bytes of one response, built once and written many times. Immutable. */
public final class CannedResponse {
    public static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final String END = "\r\n";

    private final byte[] bytes;
    private final int headLength;

    private CannedResponse(String head, byte[] body) {
        this((head + END).getBytes(StandardCharsets.US_ASCII), body, 0);
    }

    /** Two arrays; the head ends this many bytes into the second. */
    private CannedResponse(byte[] first, byte[] second, int headLengthInSecond) {
        bytes = new byte[first.length + second.length];
        headLength = first.length + headLengthInSecond;
        System.arraycopy(first, 0, bytes, 0, first.length);
        System.arraycopy(second, 0, bytes, first.length, second.length);
    }

    /** A response with a length, which may announce the connection's end and a cold start. */
    public static CannedResponse plain(int status, int bodyBytes, boolean closing, boolean cold) {
        String begin = statusLine(status) + (cold ? "X-Cold-Start: true" + END : "");
        if (isBodiless(status)) {
            return new CannedResponse(begin + connection(closing), new byte[0]);
        }
        return new CannedResponse(
                begin + type() + "Content-Length: " + bodyBytes + END + connection(closing), body(bodyBytes));
    }

    /** A response with the given text as its body, before the connection is closed. */
    public static CannedResponse refusal(int status, String text) {
        byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
        return new CannedResponse(
                statusLine(status) + type() + "Content-Length: " + body.length + END + connection(true), body);
    }

    /** A response delimited by the end of the connection. */
    public static CannedResponse withoutLength(int status, int bodyBytes) {
        return new CannedResponse(
                statusLine(status) + type() + connection(true), body(isBodiless(status) ? 0 : bodyBytes));
    }

    /** A response in two chunks (one if the body has fewer than 2 bytes), with an extension and a trailer. */
    public static CannedResponse chunked(int status, int bodyBytes, boolean closing) {
        String all = new String(body(bodyBytes), StandardCharsets.US_ASCII);
        int half = bodyBytes / 2;
        String chunks = chunk(all.substring(0, half), ";half=1") + chunk(all.substring(half), "");
        String head = statusLine(status) + type() + "Transfer-Encoding: chunked" + END + "Trailer: Downbeat-Trailer"
                + END + connection(closing);
        return new CannedResponse(
                head, (chunks + "0" + END + "Downbeat-Trailer: end" + END + END).getBytes(StandardCharsets.US_ASCII));
    }

    /** A plain response preceded by an interim one. */
    public static CannedResponse afterContinue(CannedResponse answer) {
        return new CannedResponse(CONTINUE, answer.bytes, answer.headLength);
    }

    /** Text that starts like a response but has no status code. */
    public static CannedResponse badStatusLine() {
        return new CannedResponse("HTTP/1.1 2x0 Fine" + END + "Content-Length: 2" + END, body(2));
    }

    public byte[] bytes() {
        return bytes;
    }

    public int headLength() {
        return headLength;
    }

    public int length() {
        return bytes.length;
    }

    public static boolean isBodiless(int status) {
        return status == 204 || status == 304;
    }

    private static String chunk(String data, String extension) {
        return data.isEmpty() ? "" : Integer.toHexString(data.length()) + extension + END + data + END;
    }

    private static String type() {
        return "Content-Type: text/plain" + END;
    }

    private static String connection(boolean closing) {
        return "Connection: " + (closing ? "close" : "keep-alive") + END;
    }

    public static byte[] body(int length) {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) (i % 2 == 0 ? 'o' : 'k');
        }
        return body;
    }

    private static String statusLine(int status) {
        return "HTTP/1.1 " + status + " " + reason(status) + END;
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 201 -> "Created";
            case 204 -> "No Content";
            case 301 -> "Moved Permanently";
            case 302 -> "Found";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 408 -> "Request Timeout";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            default -> "Status";
        };
    }
}
