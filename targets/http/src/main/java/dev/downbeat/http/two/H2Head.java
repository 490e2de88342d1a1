package dev.downbeat.http.two;

import dev.downbeat.h2.Frames;
import dev.downbeat.h2.HpackEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An HTTP/2 request head (RFC 9113, 8.2 and 8.3), derived from the HTTP/1.1 text that writers produce. Reused for each
 * request; allocates nothing once it has reached its maximum size. Not thread-safe.
 */
final class H2Head {
    private static final byte[] METHOD = ascii(":method");
    private static final byte[] SCHEME = ascii(":scheme");
    private static final byte[] PATH = ascii(":path");
    private static final byte[] AUTHORITY = ascii(":authority");

    /** Connection-specific HTTP/1.1 headers, which must not be sent. */
    private static final byte[][] CONNECTION_HEADERS = {
        ascii("connection"),
        ascii("keep-alive"),
        ascii("proxy-connection"),
        ascii("transfer-encoding"),
        ascii("upgrade")
    };

    private static final byte[] HOST = ascii("host");
    private static final int BOUNDS_PER_FIELD = 4;
    private static final int RECENT_FIELDS = 256;

    private final byte[] scheme;

    /** Lower-case names and values, concatenated, with their boundaries. */
    private byte[] text = new byte[512];

    private int length;
    private int[] bounds = new int[64];
    private int count;

    /** Hashes of recent fields: repeated ones are worth indexing. */
    private final int[] recentHashes = new int[RECENT_FIELDS];

    private int bodyFrom;

    H2Head(boolean tls) {
        scheme = ascii(tls ? "https" : "http");
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    /** Extracts the head of a request, which is well-formed because Downbeat wrote it. */
    void parse(byte[] request, int to) {
        length = 0;
        count = 0;
        int lineEnd = indexOf(request, '\r', 0, to);
        int methodEnd = indexOf(request, ' ', 0, lineEnd);
        int pathEnd = indexOf(request, ' ', methodEnd + 1, lineEnd);
        add(METHOD, request, 0, methodEnd);
        add(SCHEME, scheme, 0, scheme.length);
        add(PATH, request, methodEnd + 1, pathEnd);
        int at = lineEnd + 2;
        int fields = at;
        for (int end = indexOf(request, '\r', at, to); end > at; at = end + 2, end = indexOf(request, '\r', at, to)) {
            int colon = indexOf(request, ':', at, end);
            if (isNamed(HOST, request, at, colon)) { // pseudo-headers come first
                add(AUTHORITY, request, valueFrom(request, colon, end), valueTo(request, colon, end));
            }
        }
        bodyFrom = at + 2;
        at = fields;
        for (int end = indexOf(request, '\r', at, to); end > at; at = end + 2, end = indexOf(request, '\r', at, to)) {
            int colon = indexOf(request, ':', at, end);
            if (!isNamed(HOST, request, at, colon) && !isConnectionHeader(request, at, colon)) {
                addLowered(request, at, colon, valueFrom(request, colon, end), valueTo(request, colon, end));
            }
        }
    }

    int bodyFrom() {
        return bodyFrom;
    }

    /** Encodes the head. Unless all requests are the same, a field is indexed at its second occurrence. */
    void encode(HpackEncoder encoder, boolean isConstant, Frames into) {
        encoder.begin(into);
        for (int i = 0; i < count; i += BOUNDS_PER_FIELD) {
            boolean isKept = isConstant || isRepeated(bounds[i], bounds[i + 3]);
            encoder.field(text, bounds[i], bounds[i + 1], text, bounds[i + 2], bounds[i + 3], isKept, into);
        }
    }

    private boolean isRepeated(int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        int place = (hash ^ hash >>> 16) & (RECENT_FIELDS - 1);
        boolean repeated = recentHashes[place] == hash;
        recentHashes[place] = hash;
        return repeated;
    }

    private void add(byte[] name, byte[] value, int valueFrom, int valueTo) {
        begin(name.length + valueTo - valueFrom);
        put(name, 0, name.length);
        put(value, valueFrom, valueTo);
    }

    private void addLowered(byte[] line, int nameFrom, int nameTo, int valueFrom, int valueTo) {
        begin(valueTo - nameFrom);
        put(line, nameFrom, nameTo);
        for (int i = bounds[count - 2]; i < length; i++) {
            text[i] = lower(text[i]);
        }
        put(line, valueFrom, valueTo);
    }

    private void begin(int bytes) {
        if (text.length - length < bytes) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, length + bytes));
        }
        if (bounds.length - count < BOUNDS_PER_FIELD) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
    }

    private void put(byte[] from, int at, int to) {
        System.arraycopy(from, at, text, length, to - at);
        bounds[count++] = length;
        length += to - at;
        bounds[count++] = length;
    }

    private static boolean isConnectionHeader(byte[] line, int from, int to) {
        for (byte[] name : CONNECTION_HEADERS) {
            if (isNamed(name, line, from, to)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(byte[] name, byte[] line, int from, int to) {
        if (to - from != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (lower(line[from + i]) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? (byte) (letter + 32) : letter;
    }

    private static int valueFrom(byte[] line, int colon, int end) {
        int at = colon + 1;
        while (at < end && (line[at] == ' ' || line[at] == '\t')) {
            at++;
        }
        return at;
    }

    /** A value that ends with a blank would be malformed (RFC 9113, 8.2.1). */
    private static int valueTo(byte[] line, int colon, int end) {
        int to = end;
        while ((line[to - 1] == ' ' || line[to - 1] == '\t') && to > valueFrom(line, colon, end)) {
            to--;
        }
        return to;
    }

    private static int indexOf(byte[] bytes, char sought, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != sought) {
            at++;
        }
        return at;
    }
}
