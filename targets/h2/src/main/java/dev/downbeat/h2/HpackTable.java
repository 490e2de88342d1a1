package dev.downbeat.h2;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields that a block can refer to by index (RFC 7541, 2.3): the static ones, and the dynamic ones of one side,
 * youngest first. The bytes of the dynamic ones are in one array, so that a new field allocates nothing. Not
 * thread-safe.
 */
final class HpackTable {
    private static final int OVERHEAD = 32;

    /** The number of static fields (RFC 7541, appendix A). */
    static final int STATIC_SIZE = 61;

    private static final String FIELDS = ":authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|"
            + ":scheme https|:status 200|:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|"
            + "accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept|"
            + "access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|"
            + "content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|"
            + "from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|"
            + "max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|"
            + "strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate";

    private static final byte[][] NAMES = new byte[STATIC_SIZE + 1][];
    private static final byte[][] VALUES = new byte[STATIC_SIZE + 1][];

    static {
        String[] fields = FIELDS.split("\\|");
        for (int i = 1; i <= STATIC_SIZE; i++) {
            String[] parts = fields[i - 1].split(" ", 2);
            NAMES[i] = parts[0].getBytes(StandardCharsets.US_ASCII);
            VALUES[i] = (parts.length > 1 ? parts[1] : "").getBytes(StandardCharsets.US_ASCII);
        }
    }

    private final byte[] bytes;
    private final int[] starts;
    private final int[] nameLengths;
    private final int[] valueLengths;
    private final int mask;
    private int oldest;
    private int count;
    private int end;
    private int size;
    private int limit;

    /** An empty table of at most this size. */
    HpackTable(int mostBytes) {
        int places = Integer.highestOneBit(Math.max(1, mostBytes / OVERHEAD)) * 2;
        bytes = new byte[2 * mostBytes];
        starts = new int[places];
        nameLengths = new int[places];
        valueLengths = new int[places];
        mask = places - 1;
        limit = mostBytes;
    }

    /** The name of a static field, from 1 to {@link #STATIC_SIZE}. */
    static byte[] staticName(int index) {
        return NAMES[index];
    }

    static byte[] staticValue(int index) {
        return VALUES[index];
    }

    static int sizeOf(int nameBytes, int valueBytes) {
        return nameBytes + valueBytes + OVERHEAD;
    }

    int count() {
        return count;
    }

    int limit() {
        return limit;
    }

    /** Sets the limit, up to the maximum size, and evicts fields beyond it. */
    void limit(int newLimit) {
        limit = newLimit;
        evictTo(limit);
    }

    /** The bytes of all dynamic fields; changed by {@link #add}. */
    byte[] bytes() {
        return bytes;
    }

    int nameFrom(int index) {
        return starts[place(index)];
    }

    int nameTo(int index) {
        int place = place(index);
        return starts[place] + nameLengths[place];
    }

    int valueTo(int index) {
        int place = place(index);
        return starts[place] + nameLengths[place] + valueLengths[place];
    }

    /** The youngest has index 0. */
    private int place(int index) {
        return (oldest + count - 1 - index) & mask;
    }

    /** Adds a field whose bytes are not in this table; one that is too large empties the table. */
    void add(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo) {
        int nameLength = nameTo - nameFrom;
        int valueLength = valueTo - valueFrom;
        int needed = sizeOf(nameLength, valueLength);
        evictTo(Math.max(0, limit - needed));
        if (needed > limit) {
            return;
        }
        if (end + nameLength + valueLength > bytes.length) {
            moveToFront();
        }
        System.arraycopy(name, nameFrom, bytes, end, nameLength);
        System.arraycopy(value, valueFrom, bytes, end + nameLength, valueLength);
        int place = (oldest + count) & mask;
        starts[place] = end;
        nameLengths[place] = nameLength;
        valueLengths[place] = valueLength;
        end += nameLength + valueLength;
        count++;
        size += needed;
    }

    private void evictTo(int most) {
        while (size > most) {
            size -= sizeOf(nameLengths[oldest], valueLengths[oldest]);
            oldest = (oldest + 1) & mask;
            count--;
        }
    }

    private void moveToFront() {
        int from = count == 0 ? end : starts[oldest];
        System.arraycopy(bytes, from, bytes, 0, end - from);
        for (int i = 0; i < count; i++) {
            starts[(oldest + i) & mask] -= from;
        }
        end -= from;
    }

    /** The index of a dynamic field, from 0; -1 if absent. */
    int find(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo) {
        for (int index = 0; index < count; index++) {
            if (Arrays.equals(bytes, nameTo(index), valueTo(index), value, valueFrom, valueTo)
                    && Arrays.equals(bytes, nameFrom(index), nameTo(index), name, nameFrom, nameTo)) {
                return index;
            }
        }
        return -1;
    }
}
