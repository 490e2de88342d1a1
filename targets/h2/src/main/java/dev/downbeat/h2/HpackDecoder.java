package dev.downbeat.h2;

import java.util.Arrays;

/**
 * Unpacks the header blocks of one connection, in the order of their coming (RFC 7541). Every block must be given, also those
 * of streams that nobody waits for: each can change what the next means. Allocates nothing once its rooms are as large as the
 * longest text. Not thread-safe.
 */
public final class HpackDecoder {
    private final DynamicTable table;
    private final int mostTableBytes;
    private final int mostListBytes;
    private byte[] nameRoom = new byte[64];
    private byte[] valueRoom = new byte[256];
    private byte[] text = nameRoom;
    private int textFrom;
    private int textTo;
    private byte[] block = nameRoom;
    private int at;
    private int end;
    private int addedBytes;
    private boolean isOfTable;

    /** Is told each field. The arrays are the decoder's: keep none of them. */
    @FunctionalInterface
    public interface Fields {
        /** One field, in the order of the block. */
        void field(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo)
                throws Http2Exception;
    }

    /**
     * For a new connection.
     *
     * @param tableBytes what we have told the other side: our SETTINGS_HEADER_TABLE_SIZE
     * @param listBytes the largest sum of a block's names and values, and 32 for each, that is not refused
     */
    public HpackDecoder(int tableBytes, int listBytes) {
        table = new DynamicTable(tableBytes);
        mostTableBytes = tableBytes;
        mostListBytes = listBytes;
    }

    /**
     * Whether the block decoded last would mean the same if it came again next: it adds nothing to the table, or needs nothing
     * of it.
     */
    public boolean isRepeatable() {
        return addedBytes == 0 || !isOfTable;
    }

    /** What the block decoded last has added to the table, in bytes as the table counts them. */
    public int addedBytes() {
        return addedBytes;
    }

    /**
     * Unpacks a block.
     *
     * @throws Http2Exception if it is garbled or too long; nothing more of the connection can be understood then
     */
    public void decode(byte[] bytes, int from, int to, Fields fields) throws Http2Exception {
        block = bytes;
        at = from;
        end = to;
        addedBytes = 0;
        isOfTable = false;
        boolean begun = false;
        int listBytes = 0;
        while (at < end) {
            int first = block[at];
            if ((first & 0xe0) == 0x20) {
                resize(begun);
                continue;
            }
            begun = true;
            listBytes += first < 0 ? indexed(fields) : literal((first & 0x40) != 0, fields);
            if (listBytes > mostListBytes) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM, "HTTP/2: header list longer than " + mostListBytes + " bytes");
            }
        }
    }

    private void resize(boolean begun) throws Http2Exception {
        int size = integer(5);
        if (begun) {
            throw garbled("a table size that does not come first");
        }
        if (size > mostTableBytes) {
            throw garbled("a table larger than allowed");
        }
        table.limit(size);
    }

    private int indexed(Fields fields) throws Http2Exception {
        int index = integer(7);
        if (index > 0 && index <= StaticTable.SIZE) {
            byte[] name = StaticTable.name(index);
            byte[] value = StaticTable.value(index);
            fields.field(name, 0, name.length, value, 0, value.length);
            return DynamicTable.sizeOf(name.length, value.length);
        }
        int told = toldIndex(index);
        int nameFrom = table.nameFrom(told);
        int nameTo = table.nameTo(told);
        int valueTo = table.valueTo(told);
        fields.field(table.bytes(), nameFrom, nameTo, table.bytes(), nameTo, valueTo);
        return DynamicTable.sizeOf(nameTo - nameFrom, valueTo - nameTo);
    }

    private int toldIndex(int index) throws Http2Exception {
        int told = index - StaticTable.SIZE - 1;
        if (told < 0 || told >= table.count()) {
            throw garbled("an index that is not in the table");
        }
        isOfTable = true;
        return told;
    }

    private int literal(boolean isKept, Fields fields) throws Http2Exception {
        int index = integer(isKept ? 6 : 4);
        byte[] name;
        int nameFrom = 0;
        int nameTo;
        if (index == 0) {
            nameRoom = string(nameRoom);
            name = text;
            nameFrom = textFrom;
            nameTo = textTo;
        } else if (index <= StaticTable.SIZE) {
            name = StaticTable.name(index);
            nameTo = name.length;
        } else { // a copy, since adding it may drop the field it is taken from
            int told = toldIndex(index);
            nameTo = table.nameTo(told) - table.nameFrom(told);
            nameRoom = room(nameRoom, nameTo);
            System.arraycopy(table.bytes(), table.nameFrom(told), nameRoom, 0, nameTo);
            name = nameRoom;
        }
        valueRoom = string(valueRoom);
        if (isKept) {
            table.add(name, nameFrom, nameTo, text, textFrom, textTo);
            addedBytes += DynamicTable.sizeOf(nameTo - nameFrom, textTo - textFrom);
        }
        fields.field(name, nameFrom, nameTo, text, textFrom, textTo);
        return DynamicTable.sizeOf(nameTo - nameFrom, textTo - textFrom);
    }

    /** Sets where the next text is: in the block, or unpacked in a room, which is returned as large as it has become. */
    private byte[] string(byte[] room) throws Http2Exception {
        if (at == end) {
            throw garbled("an end within a field");
        }
        boolean isPacked = block[at] < 0;
        int length = integer(7);
        if (length > end - at) {
            throw garbled("a text longer than its block");
        }
        int from = at;
        at += length;
        if (!isPacked) {
            text = block;
            textFrom = from;
            textTo = at;
            return room;
        }
        byte[] large = room(room, Huffman.mostBytes(length));
        text = large;
        textFrom = 0;
        textTo = Huffman.decode(block, from, at, large, 0);
        return large;
    }

    private static byte[] room(byte[] room, int bytes) {
        return room.length >= bytes ? room : Arrays.copyOf(room, Math.max(bytes, 2 * room.length));
    }

    /** RFC 7541, 5.1. */
    private int integer(int prefixBits) throws Http2Exception {
        int most = (1 << prefixBits) - 1;
        long value = block[at++] & most;
        if (value < most) {
            return (int) value;
        }
        for (int shift = 0; shift <= 28; shift += 7) {
            if (at == end) {
                throw garbled("an end within a number");
            }
            int next = block[at++];
            value += (long) (next & 0x7f) << shift;
            if (next >= 0) {
                if (value > Integer.MAX_VALUE) {
                    break;
                }
                return (int) value;
            }
        }
        throw garbled("a number that is too large");
    }

    private static Http2Exception garbled(String what) {
        return new Http2Exception(ErrorCode.COMPRESSION_ERROR, "HTTP/2: header block with " + what);
    }
}
