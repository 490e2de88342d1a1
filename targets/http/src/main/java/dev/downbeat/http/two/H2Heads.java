package dev.downbeat.http.two;

import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the response heads of one connection. A block identical to the last one is compared instead of decoded. Its
 * additions to the dynamic table (nginx indexes all fields anew in each response) are deferred until another block
 * needs them. Not thread-safe.
 */
final class H2Heads implements HpackDecoder.Fields {
    static final int LONGEST_LIST = 256 * 1024;

    private static final int TABLE_BYTES = 4096; // the initial setting, which is never changed
    private static final int LONGEST_KNOWN = 1024;
    private static final byte[] STATUS = ":status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_LENGTH = "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COLON = {':', ' '};
    private static final byte[] VERSION = "HTTP/2 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};
    private static final HpackDecoder.Fields IGNORE_FIELDS = (name, nameFrom, nameTo, value, valueFrom, valueTo) -> {};

    private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, LONGEST_LIST);
    private final byte[] known = new byte[LONGEST_KNOWN];
    private int knownLength = -1;

    /** The number of repetitions of the known block with deferred additions. */
    private long repeats;

    private byte[] line = new byte[256];
    private @Nullable ResponseSink sink;
    private int status;
    private long contentLength;
    private boolean isMalformed;

    /** Decodes the connection's next block, of any stream. */
    void read(byte[] block, int from, int to, @Nullable ResponseSink consumer) throws Http2Exception {
        if (consumer == null && Arrays.equals(known, 0, Math.max(0, knownLength), block, from, to) && knownLength > 0) {
            repeats++;
            return;
        }
        catchUp();
        status = 0;
        contentLength = H2Stream.NO_LENGTH;
        isMalformed = false;
        sink = consumer;
        decoder.decode(block, from, to, this);
        sink = null;
        boolean isCacheable = consumer == null && decoder.isRepeatable() && to - from <= LONGEST_KNOWN;
        knownLength = isCacheable ? to - from : -1;
        if (isCacheable) {
            System.arraycopy(block, from, known, 0, to - from);
        }
    }

    /** Applies the deferred additions; of many, only the last ones fit into the table. */
    private void catchUp() throws Http2Exception {
        if (repeats > 0 && decoder.addedBytes() > 0) {
            long fill = TABLE_BYTES / decoder.addedBytes() + 1L;
            for (long left = Math.min(repeats, fill); left > 0; left--) {
                decoder.decode(known, 0, knownLength, IGNORE_FIELDS);
            }
        }
        repeats = 0;
    }

    /** The status; 0 if absent, as in trailers. */
    int status() {
        return status;
    }

    /** The length in bytes; {@link H2Stream#NO_LENGTH} if absent. */
    long contentLength() {
        return contentLength;
    }

    /** RFC 9113, 8.1.1. */
    boolean isMalformed() {
        return isMalformed;
    }

    @Override
    public void field(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo) {
        if (nameTo > nameFrom && name[nameFrom] == ':') {
            boolean isStatus = status == 0 && Arrays.equals(name, nameFrom, nameTo, STATUS, 0, STATUS.length);
            long code = isStatus && valueTo - valueFrom == 3 ? number(value, valueFrom, valueTo) : -1;
            isMalformed |= code < 100;
            status = (int) Math.max(0, code);
            if (sink != null && code >= 100) {
                passLine(sink, VERSION, 0, VERSION.length, NOTHING, value, valueFrom, valueTo);
            }
            return;
        }
        if (Arrays.equals(name, nameFrom, nameTo, CONTENT_LENGTH, 0, CONTENT_LENGTH.length)) {
            long length = number(value, valueFrom, valueTo);
            isMalformed |= length < 0 || (contentLength != H2Stream.NO_LENGTH && contentLength != length);
            contentLength = length;
        }
        if (sink != null) {
            passLine(sink, name, nameFrom, nameTo, COLON, value, valueFrom, valueTo);
        }
    }

    private static long number(byte[] text, int from, int to) {
        if (from == to || to - from > 18) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            if (text[i] < '0' || text[i] > '9') {
                return -1;
            }
            number = number * 10 + text[i] - '0';
        }
        return number;
    }

    private void passLine(
            ResponseSink consumer,
            byte[] name,
            int nameFrom,
            int nameTo,
            byte[] between,
            byte[] value,
            int valueFrom,
            int valueTo) {
        int nameEnd = nameTo - nameFrom;
        int from = nameEnd + between.length;
        int to = from + valueTo - valueFrom;
        if (line.length < to) {
            line = new byte[2 * to];
        }
        System.arraycopy(name, nameFrom, line, 0, nameEnd);
        System.arraycopy(between, 0, line, nameEnd, between.length);
        System.arraycopy(value, valueFrom, line, from, valueTo - valueFrom);
        consumer.line(line, 0, to);
    }
}
