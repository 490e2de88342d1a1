package dev.downbeat.loopback.front;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request or response as received, for forwarding. The body is kept in wire format, including chunks, one character
 * per byte.
 *
 * @param firstLine without its line end
 * @param headers complete header lines, without line ends
 * @param body as received
 */
record HttpMessage(String firstLine, List<String> headers, String body) {
    private static final int LARGEST_HEAD = 64 * 1024;
    private static final int LARGEST_BODY = 16 * 1024 * 1024;

    /**
     * Reads the next message.
     *
     * @return null if the peer closed before its first byte
     * @throws IOException if it closed later, or sent something that cannot be forwarded
     */
    static @Nullable HttpMessage read(InputStream in) throws IOException {
        String first = line(in);
        while (first != null && first.isEmpty()) {
            first = line(in);
        }
        if (first == null) {
            return null;
        }
        List<String> headers = new ArrayList<>();
        for (String header = line(in); ; header = line(in)) {
            if (header == null) {
                throw new EOFException("closed within a head");
            }
            if (header.isEmpty()) {
                HttpMessage head = new HttpMessage(first, headers, "");
                return head.isInterim() ? read(in) : new HttpMessage(first, headers, head.readBody(in));
            }
            headers.add(header);
        }
    }

    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                if (line.length() == 0) {
                    return null;
                }
                throw new EOFException("closed within a line");
            }
            if (line.length() > LARGEST_HEAD) {
                throw new IOException("a line is longer than 64 KiB");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    /** {@code 100 Continue} and similar, which precede the response. */
    private boolean isInterim() {
        return firstLine.matches("HTTP/1\\.1 1[0-9]{2}.*");
    }

    private String readBody(InputStream in) throws IOException {
        if (header("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
            return readChunks(in);
        }
        String length = header("content-length");
        if (length.isEmpty()) {
            return "";
        }
        int bytes = Integer.parseInt(length);
        if (bytes < 0 || bytes > LARGEST_BODY) {
            throw new IOException("a body must have from 0 to 16 MiB, but had " + length + " bytes");
        }
        byte[] body = in.readNBytes(bytes);
        if (body.length < bytes) {
            throw new EOFException("closed within a body");
        }
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    private static String readChunks(InputStream in) throws IOException {
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        int size = -1;
        while (size != 0) {
            String line = line(in);
            if (line == null) {
                throw new EOFException("closed within chunks");
            }
            raw.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            size = Integer.parseInt(line.replaceFirst("[ ;].*", ""), 16);
            if (size > LARGEST_BODY) {
                throw new IOException("a chunk is larger than 16 MiB");
            }
            raw.writeBytes(in.readNBytes(size));
            if (size > 0) {
                line(in);
                raw.writeBytes(new byte[] {'\r', '\n'});
            }
        }
        for (String trailer = line(in); trailer != null; trailer = line(in)) {
            raw.writeBytes((trailer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            if (trailer.isEmpty()) {
                break;
            }
        }
        return raw.toString(StandardCharsets.ISO_8859_1);
    }

    /** The value of a header, or an empty string. */
    String header(String name) {
        for (String header : headers) {
            if (header.regionMatches(true, 0, name, 0, name.length()) && header.startsWith(":", name.length())) {
                return header.substring(name.length() + 1).strip();
            }
        }
        return "";
    }

    boolean wantsClose() {
        return header("connection").equalsIgnoreCase("close");
    }

    boolean expectsContinue() {
        return header("expect").equalsIgnoreCase("100-continue");
    }

    /** Writes the message at once, with its connection headers replaced. */
    void write(OutputStream out, boolean close) throws IOException {
        StringBuilder head = new StringBuilder(firstLine).append("\r\n");
        for (String header : headers) {
            String name = header.toLowerCase(Locale.ROOT);
            if (!name.startsWith("connection:") && !name.startsWith("keep-alive:") && !name.startsWith("expect:")) {
                head.append(header).append("\r\n");
            }
        }
        head.append(close ? "Connection: close\r\n\r\n" : "\r\n");
        out.write(head.append(body).toString().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }
}
