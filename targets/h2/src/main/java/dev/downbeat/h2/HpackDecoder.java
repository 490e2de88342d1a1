package dev.downbeat.h2;

import java.util.Arrays;

/**
 * Decodes the header blocks of one connection, in order of arrival (RFC 7541). Every block must be decoded, even for
 * abandoned streams, because it can change the meaning of the next. Allocates nothing once its buffers fit the longest
 * text. Not thread-safe.
 */
public final class HpackDecoder {
    private final HpackTable table;
    private final int maxTableBytes;
    private final int maxListBytes;
    private byte[] nameBuffer = new byte[64];
    private byte[] valueBuffer = new byte[256];
    private byte[] text = nameBuffer;
    private int textFrom;
    private int textTo;
    private byte[] block = nameBuffer;
    private int at;
    private int end;
    private int addedBytes;
    private boolean usesTable;

    /** Receives the fields. Arrays belong to the decoder and must not be retained. */
    @FunctionalInterface
    public interface Fields {
        /** One field, in the order of the block. */
        void field(byte[] name, int nameFrom, int nameTo, byte[] value, int valueFrom, int valueTo)
                throws Http2Exception;
    }

    /**
     * For a new connection.
     *
     * @param tableBytes the SETTINGS_HEADER_TABLE_SIZE sent to the peer
     * @param listBytes maximum sum of a block's names and values, plus 32 for each field
     */
    public HpackDecoder(int tableBytes, int listBytes) {
        table = new HpackTable(tableBytes);
        maxTableBytes = tableBytes;
        maxListBytes = listBytes;
    }

    /**
     * Whether a repetition of the last block would have the same meaning: the block adds nothing to the table, or does
     * not refer to it.
     */
    public boolean isRepeatable() {
        return addedBytes == 0 || !usesTable;
    }

    /** The size that the last block added to the table, as the table counts it. */
    public int addedBytes() {
        return addedBytes;
    }

    /**
     * Decodes a block.
     *
     * @throws Http2Exception if it is malformed or too long; later blocks cannot be decoded then
     */
    public void decode(byte[] bytes, int from, int to, Fields fields) throws Http2Exception {
        block = bytes;
        at = from;
        end = to;
        addedBytes = 0;
        usesTable = false;
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
            if (listBytes > maxListBytes) {
                throw new Http2Exception(
                        ErrorCode.ENHANCE_YOUR_CALM, "HTTP/2: header list longer than " + maxListBytes + " bytes");
            }
        }
    }

    private void resize(boolean begun) throws Http2Exception {
        int size = integer(5);
        if (begun) {
            throw corrupt("table size update not at block start");
        }
        if (size > maxTableBytes) {
            throw corrupt("table size above the limit");
        }
        table.limit(size);
    }

    private int indexed(Fields fields) throws Http2Exception {
        int index = integer(7);
        if (index > 0 && index <= HpackTable.STATIC_SIZE) {
            byte[] name = HpackTable.staticName(index);
            byte[] value = HpackTable.staticValue(index);
            fields.field(name, 0, name.length, value, 0, value.length);
            return HpackTable.sizeOf(name.length, value.length);
        }
        int dynamic = dynamicIndex(index);
        int nameFrom = table.nameFrom(dynamic);
        int nameTo = table.nameTo(dynamic);
        int valueTo = table.valueTo(dynamic);
        fields.field(table.bytes(), nameFrom, nameTo, table.bytes(), nameTo, valueTo);
        return HpackTable.sizeOf(nameTo - nameFrom, valueTo - nameTo);
    }

    private int dynamicIndex(int index) throws Http2Exception {
        int dynamic = index - HpackTable.STATIC_SIZE - 1;
        if (dynamic < 0 || dynamic >= table.count()) {
            throw corrupt("index not in the table");
        }
        usesTable = true;
        return dynamic;
    }

    private int literal(boolean isIndexed, Fields fields) throws Http2Exception {
        int index = integer(isIndexed ? 6 : 4);
        byte[] name;
        int nameFrom = 0;
        int nameTo;
        if (index == 0) {
            nameBuffer = string(nameBuffer);
            name = text;
            nameFrom = textFrom;
            nameTo = textTo;
        } else if (index <= HpackTable.STATIC_SIZE) {
            name = HpackTable.staticName(index);
            nameTo = name.length;
        } else { // a copy, because adding it may evict its source
            int dynamic = dynamicIndex(index);
            nameTo = table.nameTo(dynamic) - table.nameFrom(dynamic);
            nameBuffer = grown(nameBuffer, nameTo);
            System.arraycopy(table.bytes(), table.nameFrom(dynamic), nameBuffer, 0, nameTo);
            name = nameBuffer;
        }
        valueBuffer = string(valueBuffer);
        if (isIndexed) {
            table.add(name, nameFrom, nameTo, text, textFrom, textTo);
            addedBytes += HpackTable.sizeOf(nameTo - nameFrom, textTo - textFrom);
        }
        fields.field(name, nameFrom, nameTo, text, textFrom, textTo);
        return HpackTable.sizeOf(nameTo - nameFrom, textTo - textFrom);
    }

    /**
     * Sets the position of the next text: in the block, or decoded in the buffer, which is returned and may have grown.
     */
    private byte[] string(byte[] buffer) throws Http2Exception {
        if (at == end) {
            throw corrupt("truncated field");
        }
        boolean isHuffman = block[at] < 0;
        int length = integer(7);
        if (length > end - at) {
            throw corrupt("string longer than its block");
        }
        int from = at;
        at += length;
        if (!isHuffman) {
            text = block;
            textFrom = from;
            textTo = at;
            return buffer;
        }
        byte[] large = grown(buffer, Huffman.mostBytes(length));
        text = large;
        textFrom = 0;
        textTo = Huffman.decode(block, from, at, large);
        return large;
    }

    private static byte[] grown(byte[] buffer, int bytes) {
        return buffer.length >= bytes ? buffer : Arrays.copyOf(buffer, Math.max(bytes, 2 * buffer.length));
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
                throw corrupt("truncated integer");
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
        throw corrupt("integer too large");
    }

    private static Http2Exception corrupt(String rule) {
        return new Http2Exception(ErrorCode.COMPRESSION_ERROR, "HTTP/2: HPACK: " + rule);
    }

    /** The code of RFC 7541, appendix B. It is canonical: the lengths of its words determine them. Thread-safe. */
    private static final class Huffman {
        private static final int END = 256;
        private static final int SHORTEST = 5;
        private static final int LONGEST = 30;

        /** Words up to this length are found in one lookup; longer ones encode bytes that hardly occur. */
        private static final int QUICK = 10;

        /** The word length of each byte and of the end, in bits. */
        private static final byte[] LENGTHS =
                lengths("13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28"
                        + " 28 28 28 28 6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10 13 6 7 7 7 7 7 7 7 7 7"
                        + " 7 7 7 7 7 7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6 15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13"
                        + " 28 20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24 22 21 20 22 22"
                        + " 23 23 21 23 22 22 24 21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23 26 26 20 19 22 23 22 25 26 26 26"
                        + " 27 27 26 24 25 19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27 20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26"
                        + " 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26 30");

        /** All symbols, ordered by word length, then by number. */
        private static final short[] SYMBOLS = new short[END + 1];

        /** By length: the first word, the index of its symbol in {@link #SYMBOLS}, and the number of words. */
        private static final int[] FIRST_WORD = new int[LONGEST + 1];

        private static final int[] FIRST_AT = new int[LONGEST + 1];
        private static final int[] COUNT = new int[LONGEST + 1];

        /** By the next {@link #QUICK} bits: word length and byte; 0 if the word is longer. */
        private static final short[] BY_BITS = new short[1 << QUICK];

        static {
            int at = 0;
            int word = 0;
            for (int length = SHORTEST; length <= LONGEST; length++) {
                word <<= 1;
                FIRST_WORD[length] = word;
                FIRST_AT[length] = at;
                for (int symbol = 0; symbol <= END; symbol++) {
                    if (LENGTHS[symbol] == length) {
                        enter(symbol, word++, length);
                        SYMBOLS[at++] = (short) symbol;
                    }
                }
                COUNT[length] = at - FIRST_AT[length];
            }
        }

        private Huffman() {}

        private static byte[] lengths(String text) {
            String[] numbers = text.split(" ", -1);
            byte[] lengths = new byte[numbers.length];
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = Byte.parseByte(numbers[i]);
            }
            return lengths;
        }

        private static void enter(int symbol, int word, int length) {
            if (length <= QUICK) {
                int from = word << (QUICK - length);
                for (int bits = from; bits < from + (1 << (QUICK - length)); bits++) {
                    BY_BITS[bits] = (short) (length << 8 | symbol);
                }
            }
        }

        /** The maximum decoded length of this many encoded bytes. */
        static int mostBytes(int packed) {
            return packed * 8 / SHORTEST;
        }

        /**
         * Decodes a text and returns its length.
         *
         * @param into has room for {@link #mostBytes}
         * @throws Http2Exception if it contains the end symbol or is not padded with fewer than eight ones (RFC 7541, 5.2)
         */
        static int decode(byte[] packed, int from, int to, byte[] into) throws Http2Exception {
            long bits = 0; // the unused ones are the lowest
            int left = 0;
            int at = 0;
            int next = from;
            while (true) {
                while (left <= 32 && next < to) {
                    bits = bits << 8 | (packed[next++] & 0xff);
                    left += 8;
                }
                int word = first(bits, left, QUICK);
                int quick = BY_BITS[word];
                int length = quick >> 8;
                if (quick != 0 && length <= left) {
                    into[at++] = (byte) quick;
                    left -= length;
                    continue;
                }
                length = quick != 0 ? 0 : lengthOfWord(bits, left);
                if (length == 0) { // no complete word is left
                    if (left > 7 || first(bits, left, left) != (1 << left) - 1) {
                        throw new Http2Exception(ErrorCode.COMPRESSION_ERROR, "HTTP/2: HPACK: invalid Huffman padding");
                    }
                    return at;
                }
                int symbol = SYMBOLS[FIRST_AT[length] + first(bits, left, length) - FIRST_WORD[length]];
                if (symbol == END) {
                    throw new Http2Exception(
                            ErrorCode.COMPRESSION_ERROR, "HTTP/2: HPACK: EOS symbol in a Huffman string");
                }
                into[at++] = (byte) symbol;
                left -= length;
            }
        }

        /** The next bits, padded with ones. */
        private static int first(long bits, int left, int wanted) {
            return left >= wanted
                    ? (int) (bits >>> (left - wanted)) & ((1 << wanted) - 1)
                    : (int) (bits << (wanted - left) | ((1 << (wanted - left)) - 1)) & ((1 << wanted) - 1);
        }

        private static int lengthOfWord(long bits, int left) {
            for (int length = QUICK + 1; length <= Math.min(LONGEST, left); length++) {
                int beyond = first(bits, left, length) - FIRST_WORD[length];
                if (beyond >= 0 && beyond < COUNT[length]) {
                    return length;
                }
            }
            return 0;
        }
    }
}
