package dev.downbeat.http.two;

import dev.downbeat.h2.HpackDecoder;
import dev.downbeat.h2.Http2Exception;
import dev.downbeat.http.message.ResponseSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of the responses of one connection. A block that equals the last one and means the same is compared and not
 * unpacked; what it adds to the table each time (nginx tells all fields anew with each response) is added when another block
 * needs it. Not thread-safe.
 */
final class H2Heads implements HpackDecoder.Fields {
    static final int LONGEST_LIST = 256 * 1024;

    private static final int TABLE_BYTES = 4096; // what a connection begins with, and we ask for nothing else
    private static final int LONGEST_KNOWN = 1024;
    private static final byte[] STATUS = ":status".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTENT_LENGTH = "content-length".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COLON = {':', ' '};
    private static final byte[] VERSION = "HTTP/2 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};
    private static final HpackDecoder.Fields UNHEARD = (name, nameFrom, nameTo, value, valueFrom, valueTo) -> {};

    private final HpackDecoder decoder = new HpackDecoder(TABLE_BYTES, LONGEST_LIST);
    private final byte[] known = new byte[LONGEST_KNOWN];
    private int knownLength = -1;

    /** How often the known block has come again, with what it adds to the table not added. */
    private long repeats;

    private byte[] line = new byte[256];
    private @Nullable ResponseSink sink;
    private int status;
    private long contentLength;
    private boolean isGarbled;

    /** Reads the next block of the connection, whosever it is. */
    void read(byte[] block, int from, int to, @Nullable ResponseSink asker) throws Http2Exception {
        if (asker == null && Arrays.equals(known, 0, Math.max(0, knownLength), block, from, to) && knownLength > 0) {
            repeats++;
            return;
        }
        catchUp();
        status = 0;
        contentLength = H2Stream.NO_LENGTH;
        isGarbled = false;
        sink = asker;
        decoder.decode(block, from, to, this);
        sink = null;
        boolean isWorthKnowing = asker == null && decoder.meansTheSameAgain() && to - from <= LONGEST_KNOWN;
        knownLength = isWorthKnowing ? to - from : -1;
        if (isWorthKnowing) {
            System.arraycopy(block, from, known, 0, to - from);
        }
    }

    /** Adds to the table what the repeats would have: of many, the last ones are all that fits. */
    private void catchUp() throws Http2Exception {
        if (repeats > 0 && decoder.addedBytes() > 0) {
            long fill = TABLE_BYTES / decoder.addedBytes() + 1L;
            for (long left = Math.min(repeats, fill); left > 0; left--) {
                decoder.decode(known, 0, knownLength, UNHEARD);
            }
        }
        repeats = 0;
    }

    /** The status; 0 if there is none, as in trailers. */
    int status() {
        return status;
    }

    /** In bytes; {@link H2Stream#NO_LENGTH} if none was given. */
    long contentLength() {
        return contentLength;
    }

    /** Whether the fields are none that a response can have (RFC 9113, 8.1.1). */
    boolean isGarbled() {
        return isGarbled;
    }

    @Override
    public void field(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo) {
        if (nameTo > nameFrom && name[nameFrom] == ':') {
            boolean isStatus = status == 0 && Arrays.equals(name, nameFrom, nameTo, STATUS, 0, STATUS.length);
            long code = isStatus && valueTo - valueFrom == 3 ? number(value, valueFrom, valueTo) : -1;
            isGarbled |= code < 100;
            status = (int) Math.max(0, code);
            if (sink != null && code >= 100) {
                tell(sink, VERSION, 0, VERSION.length, NOTHING, value, valueFrom, valueTo);
            }
            return;
        }
        if (Arrays.equals(name, nameFrom, nameTo, CONTENT_LENGTH, 0, CONTENT_LENGTH.length)) {
            long length = number(value, valueFrom, valueTo);
            isGarbled |= length < 0 || (contentLength != H2Stream.NO_LENGTH && contentLength != length);
            contentLength = length;
        }
        if (sink != null) {
            tell(sink, name, nameFrom, nameTo, COLON, value, valueFrom, valueTo);
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

    private void tell(
            ResponseSink asker,
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
        asker.line(line, 0, to);
    }
}
