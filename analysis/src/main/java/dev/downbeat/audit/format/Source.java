package dev.downbeat.audit.format;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Reads a file by lines or bytes; unpacks gzip and skips a byte order mark. Not thread-safe. */
final class Source implements Closeable {
    /** Number of characters used to recognise the format. */
    static final int HEAD = 1 << 16;

    private static final int LONGEST_LINE = 1 << 24;
    private static final int GZIP = 0x1f8b;

    /** What Windows writes before UTF-8. */
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final InputStream in;
    private byte[] bytes = new byte[1 << 20];
    private int filled;
    private int next;
    private boolean isEnd;
    private long number;
    private int from;
    private int to;
    private boolean isCutOff;

    Source(InputStream raw) throws IOException {
        BufferedInputStream peeked = new BufferedInputStream(raw, 1 << 16);
        peeked.mark(2);
        int magic = peeked.read() << 8 | peeked.read();
        peeked.reset();
        this.in = magic == GZIP ? new BufferedInputStream(new GZIPInputStream(peeked, 1 << 16), 1 << 16) : peeked;
        in.mark(BYTE_ORDER_MARK.length);
        if (!Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
            in.reset();
        }
    }

    /** The first characters of the file; binary content is not decoded. */
    String head() throws IOException {
        while (!isEnd && filled < HEAD) {
            fill();
        }
        return new String(bytes, 0, Math.min(filled, HEAD), StandardCharsets.UTF_8);
    }

    private void fill() throws IOException {
        if (filled == bytes.length) {
            if (from > 0) {
                System.arraycopy(bytes, from, bytes, 0, filled - from);
                filled -= from;
                next -= from;
                to -= from;
                from = 0;
            } else if (bytes.length >= LONGEST_LINE) {
                throw new IOException("longer than " + LONGEST_LINE + " bytes");
            } else {
                bytes = Arrays.copyOf(bytes, 2 * bytes.length);
            }
        }
        int read = in.read(bytes, filled, bytes.length - filled);
        isEnd = read < 0;
        filled += Math.max(0, read);
    }

    /** Goes to the next line; false at the end. */
    boolean line() throws IOException {
        number++;
        from = next;
        to = next;
        return extend();
    }

    /** Goes to the next record, which may contain line breaks within quotes. */
    boolean record() throws IOException {
        boolean is = line();
        int counted = from;
        int quotes = 0;
        while (is) {
            for (int i = counted; i < to; i++) {
                quotes += bytes[i] == '"' ? 1 : 0;
            }
            counted = to;
            if ((quotes & 1) == 0) {
                return true;
            }
            number++;
            int before = to - from;
            if (next - from > 1 << 20 || !extend()) {
                throw new IOException("a quote is not closed");
            }
            counted = from + before;
        }
        return false;
    }

    private boolean extend() throws IOException {
        int at = next - from;
        while (true) {
            for (int i = from + at; i < filled; i++) {
                if (bytes[i] == '\n') {
                    to = i > from && bytes[i - 1] == '\r' ? i - 1 : i;
                    next = i + 1;
                    return true;
                }
            }
            at = filled - from;
            if (isEnd) {
                isCutOff = filled > next;
                to = filled > from && bytes[filled - 1] == '\r' ? filled - 1 : filled;
                next = filled;
                return isCutOff;
            }
            fill();
        }
    }

    /** Whether the last line lacks a line feed. */
    boolean isCutOff() {
        return isCutOff;
    }

    long number() {
        return number;
    }

    /** Sets the position, for formats that are not read by lines. */
    void number(long place) {
        number = place;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Where the line begins in {@link #bytes}. */
    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isBlank() {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** The rest of the file after {@link #head}. Nothing else is read after it. */
    InputStream stream() {
        return new SequenceInputStream(new ByteArrayInputStream(bytes, next, filled - next), in);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
