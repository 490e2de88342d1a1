package dev.downbeat.http.one;

/** The line before a chunk (RFC 9112, section 7.1): a hexadecimal size, and extensions, which are ignored. */
final class ChunkSize {
    static final long MALFORMED = -1;

    private static final int MAX_DIGITS = 15;

    private ChunkSize() {}

    /** The size in bytes; {@link #MALFORMED} if the line has none, or implausibly many digits. */
    static long of(byte[] text, int from, int to) {
        long size = 0;
        int at = from;
        while (at < to && hexDigit(text[at]) >= 0) {
            size = size << 4 | hexDigit(text[at++]);
            if (at - from > MAX_DIGITS) {
                return MALFORMED;
            }
        }
        int rest = at;
        while (rest < to && ResponseHead.isBlank(text[rest])) {
            rest++;
        }
        boolean endsWell = rest == to || text[rest] == ';';
        return at > from && endsWell ? size : MALFORMED;
    }

    private static int hexDigit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }
}
