package dev.downbeat.http.message;

import dev.downbeat.h2.WireBytes;

/** The bytes of a request, in HTTP/1.1. Not thread-safe. */
public final class RequestBytes extends WireBytes {
    private static final int LONGEST_NUMBER = 20;
    private static final String HEX = "0123456789ABCDEF";

    /** Visible ASCII characters that no URL may contain. */
    private static final String NOT_OF_URLS = "\"<>\\^`{|}";

    /** Characters with a meaning in a URL or a form. */
    private static final String RESERVED = "!#$%&'()*+,/:;=?@[]";

    /** Whether a request is a HEAD, whose response never has a body, regardless of its head. */
    public static boolean isHead(byte[] request, int length) {
        return length > 4
                && request[0] == 'H'
                && request[1] == 'E'
                && request[2] == 'A'
                && request[3] == 'D'
                && request[4] == ' ';
    }

    /** Appends an integer in decimal. */
    public void decimal(long number) {
        reserve(LONGEST_NUMBER);
        if (number < 0) {
            bytes[length++] = '-';
        }
        int digits = 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + Math.abs(rest % 10));
            rest /= 10;
        }
        length += digits;
    }

    /**
     * Percent-encodes, from there to the end, what is not allowed in a URL: white space, control characters, quotes,
     * and everything outside ASCII.
     */
    public void percentEncode(int from) {
        percentEncode(from, "", false);
    }

    /** The same for a value in a URL: {@code #} would begin a fragment, and {@code %} without two digits is invalid. */
    public void percentEncodeValue(int from) {
        percentEncode(from, "#", true);
    }

    /** Percent-encodes, from there to the end, all but what means itself everywhere (RFC 3986, 2.3). */
    public void percentEncodeComponent(int from) {
        percentEncode(from, RESERVED, false);
    }

    /** Decodes, from there to the end, each {@code %} with two digits; others stay. */
    public void percentDecode(int from) {
        int to = from;
        for (int at = from; at < length; at++) {
            if (bytes[at] == '%' && at + 2 < length && isHexDigit(at + 1) && isHexDigit(at + 2)) {
                bytes[to++] = (byte) (16 * Character.digit(bytes[at + 1], 16) + Character.digit(bytes[at + 2], 16));
                at += 2;
            } else {
                bytes[to++] = bytes[at];
            }
        }
        cut(to);
    }

    private void percentEncode(int from, String others, boolean withStray) {
        int end = length;
        int escaped = 0;
        for (int at = from; at < end; at++) {
            escaped += isPlain(at, end, others, withStray) ? 0 : 1;
        }
        if (escaped == 0) {
            return;
        }
        reserve(2 * escaped);
        int to = end + 2 * escaped;
        length = to;
        for (int at = end - 1; at >= from; at--) { // what follows is not yet overwritten, or by itself
            byte one = bytes[at];
            if (isPlain(at, end, others, withStray)) {
                bytes[--to] = one;
            } else {
                bytes[--to] = (byte) HEX.charAt(one & 15);
                bytes[--to] = (byte) HEX.charAt((one >> 4) & 15);
                bytes[--to] = '%';
            }
        }
    }

    private boolean isPlain(int at, int end, String others, boolean withStray) {
        byte one = bytes[at];
        return one > ' '
                && one < 127
                && NOT_OF_URLS.indexOf(one) < 0
                && others.indexOf(one) < 0
                && !(withStray && one == '%' && !(at + 2 < end && isHexDigit(at + 1) && isHexDigit(at + 2)));
    }

    private boolean isHexDigit(int at) {
        return Character.digit(bytes[at], 16) >= 0;
    }

    /** Replaces line breaks by blanks from there to the end, so that a value cannot start another header. */
    public void oneLine(int from) {
        for (int at = from; at < length; at++) {
            if (bytes[at] == '\r' || bytes[at] == '\n' || bytes[at] == 0) {
                bytes[at] = ' ';
            }
        }
    }
}
