package dev.downbeat.h2;

import java.util.Arrays;

/**
 * Encodes the header blocks of one connection (RFC 7541). An indexed field is sent once, and takes one or two bytes
 * from then on; others are literals. Texts are not Huffman-coded: constant ones are sent once, and the rest is short.
 * Not thread-safe.
 */
public final class HpackEncoder {
    private static final int INDEXED = 0x80;
    private static final int LITERAL_INDEXED = 0x40;
    private static final int RESIZE = 0x20;

    private final int maxBytes;
    private final HpackTable table;
    private int smallest;
    private boolean mustSendSizeUpdate;
    private boolean changedTable;

    /**
     * For a new connection.
     *
     * @param maxBytes maximum size of the table, even if the peer allows more; RFC 7541 starts with 4096
     */
    public HpackEncoder(int maxBytes) {
        this.maxBytes = maxBytes;
        this.table = new HpackTable(maxBytes);
        this.smallest = maxBytes;
    }

    /** Applies the peer's SETTINGS_HEADER_TABLE_SIZE; the next block announces the new size. */
    public void limit(long bytes) {
        int limit = (int) Math.min(bytes, maxBytes);
        if (limit != table.limit()) {
            smallest = mustSendSizeUpdate ? Math.min(smallest, limit) : limit;
            table.limit(limit);
            mustSendSizeUpdate = true;
        }
    }

    public void begin(Frames into) {
        changedTable = mustSendSizeUpdate;
        if (mustSendSizeUpdate) {
            mustSendSizeUpdate = false;
            if (smallest < table.limit()) {
                integer(RESIZE, 5, smallest, into);
            }
            integer(RESIZE, 5, table.limit(), into);
        }
    }

    /** Whether encoding the fields of the last block again would give another block. */
    public boolean changedTable() {
        return changedTable;
    }

    /**
     * Encodes a field.
     *
     * @param name in lower case
     * @param isIndexed whether to index it, because it will be repeated
     */
    public void field(
            byte[] name,
            int nameFrom,
            int nameTo,
            byte[] value,
            int valueFrom,
            int valueTo,
            boolean isIndexed,
            Frames into) {
        int dynamic = table.find(name, nameFrom, nameTo, value, valueFrom, valueTo);
        if (dynamic >= 0) {
            integer(INDEXED, 7, HpackTable.STATIC_SIZE + 1 + dynamic, into);
            return;
        }
        int nameIndex = 0;
        for (int index = 1; index <= HpackTable.STATIC_SIZE; index++) {
            byte[] known = HpackTable.staticName(index);
            if (known.length == nameTo - nameFrom && Arrays.equals(known, 0, known.length, name, nameFrom, nameTo)) {
                byte[] knownValue = HpackTable.staticValue(index);
                if (knownValue.length > 0
                        && Arrays.equals(knownValue, 0, knownValue.length, value, valueFrom, valueTo)) {
                    integer(INDEXED, 7, index, into);
                    return;
                }
                nameIndex = nameIndex == 0 ? index : nameIndex;
            }
        }
        boolean fits = isIndexed && HpackTable.sizeOf(nameTo - nameFrom, valueTo - valueFrom) <= table.limit();
        integer(fits ? LITERAL_INDEXED : 0, fits ? 6 : 4, nameIndex, into);
        if (nameIndex == 0) {
            string(name, nameFrom, nameTo, into);
        }
        string(value, valueFrom, valueTo, into);
        if (fits) {
            table.add(name, nameFrom, nameTo, value, valueFrom, valueTo);
            changedTable = true;
        }
    }

    private static void string(byte[] text, int from, int to, Frames into) {
        integer(0, 7, to - from, into);
        into.append(text, from, to);
    }

    private static void integer(int pattern, int prefixBits, int value, Frames into) {
        int most = (1 << prefixBits) - 1;
        if (value < most) {
            into.one(pattern | value);
            return;
        }
        into.one(pattern | most);
        int rest = value - most;
        while (rest >= 0x80) {
            into.one((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        into.one(rest);
    }
}
