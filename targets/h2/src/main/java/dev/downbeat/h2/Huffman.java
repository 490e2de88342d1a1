package dev.downbeat.h2;

/** The code of RFC 7541, appendix B. It is canonical: the lengths of its words tell the words. Thread-safe. */
final class Huffman {
    private static final int END = 256;
    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;

    /** Words up to this length are looked up at once; longer ones stand for bytes that hardly occur. */
    private static final int QUICK = 10;

    /** Bits in the word of each byte, and of the end. */
    private static final byte[] LENGTHS =
            lengths("13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28"
                    + " 28 28 28 28 6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10 13 6 7 7 7 7 7 7 7 7 7"
                    + " 7 7 7 7 7 7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6 15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13"
                    + " 28 20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24 22 21 20 22 22"
                    + " 23 23 21 23 22 22 24 21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23 26 26 20 19 22 23 22 25 26 26 26"
                    + " 27 27 26 24 25 19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27 20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26"
                    + " 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26 30");

    /** All symbols, by length of their words and then by number. */
    private static final short[] SYMBOLS = new short[END + 1];

    /** By length: the first word, where its symbol is in {@link #SYMBOLS}, and how many there are. */
    private static final int[] FIRST_WORD = new int[LONGEST + 1];

    private static final int[] FIRST_AT = new int[LONGEST + 1];
    private static final int[] COUNT = new int[LONGEST + 1];

    /** By the next {@link #QUICK} bits: length of the word and its byte; 0 if the word is longer. */
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

    /** How many bytes a text of this many packed bytes can have at most. */
    static int mostBytes(int packed) {
        return packed * 8 / SHORTEST;
    }

    /**
     * Unpacks a text.
     *
     * @param into has room for {@link #mostBytes}
     * @return how many bytes it has
     * @throws Http2Exception if it contains the end, or does not end in fewer than eight ones
     */
    static int decode(byte[] packed, int from, int to, byte[] into, int intoFrom) throws Http2Exception {
        long bits = 0; // those not used yet are the lowest
        int left = 0;
        int at = intoFrom;
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
            if (length == 0) { // no whole word is left
                if (left > 7 || first(bits, left, left) != (1 << left) - 1) {
                    throw new Http2Exception(
                            ErrorCode.COMPRESSION_ERROR, "HTTP/2: header text that does not end as it must");
                }
                return at - intoFrom;
            }
            int symbol = SYMBOLS[FIRST_AT[length] + first(bits, left, length) - FIRST_WORD[length]];
            if (symbol == END) {
                throw new Http2Exception(ErrorCode.COMPRESSION_ERROR, "HTTP/2: header text with an end within");
            }
            into[at++] = (byte) symbol;
            left -= length;
        }
    }

    /** The next bits, filled up with ones where there are fewer. */
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
