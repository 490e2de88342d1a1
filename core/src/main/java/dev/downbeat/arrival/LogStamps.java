package dev.downbeat.arrival;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.Locale;

/**
 * Finds the time in each line of an access log. A stamp equal to the previous line's is not parsed again, which makes a
 * million lines fast. Use once.
 */
public final class LogStamps {
    /** A second in nanoseconds, the resolution of many logs. */
    public static final long SECOND_NANOS = 1_000_000_000L;

    /** No stamp found. */
    public static final long NONE = Long.MIN_VALUE;

    private static final DateTimeFormatter COMMON = DateTimeFormatter.ofPattern(
                    "dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH)
            .withResolverStyle(ResolverStyle.STRICT);
    private static final int COMMON_LENGTH = "10/Oct/2000:13:55:36 -0700".length();

    private int decimals;
    private byte[] cachedStamp = new byte[0];
    private long cachedStampNanos = NONE;

    /**
     * Refuses a log compressed by gzip, of which no line would be found.
     *
     * @param name the name used in the message
     * @param first its first bytes, at least two unless it is shorter
     * @throws IllegalArgumentException if it is compressed
     */
    public static void refuseCompressed(String name, byte[] first) {
        if (first.length > 1 && first[0] == 0x1f && first[1] == (byte) 0x8b) {
            throw new IllegalArgumentException(name + " is compressed: unpack it first, as with gunzip");
        }
    }

    /**
     * Nanoseconds since 1970; {@link #NONE} if there is no stamp: common or combined log format ({@code
     * [10/Oct/2000:13:55:36 -0700]}), ISO 8601 ({@code 2000-10-10T13:55:36.123Z}, in UTC without a zone), or seconds since
     * 1970 with a fraction ({@code 1700000000.123}, nginx's {@code $msec}).
     */
    public long stamp(byte[] text, int from, int to) {
        long found = NONE;
        for (int i = from; i + 10 < to && found == NONE; i++) {
            byte c = text[i];
            if (c == '[' && i + 1 + COMMON_LENGTH < to && text[i + 3] == '/') {
                long coarseNanos = cachedNanos(text, i + 1, i + 1 + COMMON_LENGTH);
                found = coarseNanos == NONE ? NONE : refined(text, from, to, coarseNanos);
            }
            if (!isDigit(c) || (i > from && isPartOfNumber(text[i - 1]))) {
                continue;
            }
            if (text[i + 4] == '-' && text[i + 7] == '-') {
                int end = i + 10;
                while (end < to
                        && isStampCharacter(text[end])
                        && (end == i + 10 || text[end] != ' ' || isZone(text, end, to))) {
                    end++;
                }
                while (",.:".indexOf(text[end - 1]) >= 0) {
                    end--; // what separates it from the next field
                }
                found = cachedNanos(text, i, end);
            } else if (i + 11 < to && isEpoch(text, i)) {
                int end = endOfDigits(text, i + 11, to);
                found = cachedNanos(text, i, end);
            }
        }
        return found;
    }

    /** Whether a blank is followed by a zone, as in {@code 02:30:00 +0200}, and not by the next field, such as -1. */
    private static boolean isZone(byte[] text, int blank, int to) {
        int from = blank + 2;
        if (from > to || (text[blank + 1] != '+' && text[blank + 1] != '-')) {
            return false;
        }
        int end = from;
        while (end < to && (isDigit(text[end]) || text[end] == ':')) {
            end++;
        }
        boolean isWhole = end == to || text[end] != '.';
        boolean hasColon = end - from == 5 && text[from + 2] == ':';
        return isWhole && (end - from == 2 || end - from == 4 || hasColon); // 02, 0200 or 02:00
    }

    /** Ten digits, a point and a digit. An address has points before; to parse one in each line would take long. */
    private static boolean isEpoch(byte[] text, int from) {
        boolean isEpoch = text[from + 10] == '.' && isDigit(text[from + 11]);
        for (int i = from; i < from + 10; i++) {
            isEpoch &= isDigit(text[i]);
        }
        return isEpoch;
    }

    /** Parses a field that contains only a stamp, with optional brackets. */
    public long parseField(byte[] text, int from, int to) {
        boolean isBracketed = to - from > 2 && text[from] == '[' && text[to - 1] == ']';
        return isBracketed ? cachedNanos(text, from + 1, to - 1) : cachedNanos(text, from, to);
    }

    /** Refines an instant with nginx's $msec, if the line also has that outside quotes. */
    private long refined(byte[] text, int from, int to, long coarseNanos) {
        boolean isQuoted = false;
        for (int i = from; i + 11 < to; i++) {
            isQuoted ^= text[i] == '"';
            boolean begins = !isQuoted && (i == from || !isPartOfNumber(text[i - 1]));
            if (begins && isEpoch(text, i)) {
                int end = endOfDigits(text, i + 11, to);
                long fineNanos = epoch(text, i, end);
                if (Math.abs(fineNanos - coarseNanos) < 2 * SECOND_NANOS) {
                    decimals = Math.max(decimals, end - i - 11);
                    return fineNanos;
                }
            }
        }
        return coarseNanos;
    }

    private static int endOfDigits(byte[] text, int from, int to) {
        int end = from;
        while (end < to && isDigit(text[end])) {
            end++;
        }
        return end;
    }

    private static long epoch(byte[] text, int from, int to) {
        long nanos = 0;
        long unit = SECOND_NANOS;
        for (int i = from; i < to; i++) {
            if (!isPartOfNumber(text[i])) {
                return 0;
            }
            if (text[i] != '.' && i < from + 10) {
                nanos = nanos * 10 + (text[i] - '0') * SECOND_NANOS;
            } else if (text[i] != '.') {
                unit /= 10;
                nanos += (text[i] - '0') * unit;
            }
        }
        return nanos;
    }

    private static boolean isStampCharacter(byte c) {
        return "0123456789:.,T +-Z".indexOf(c) >= 0;
    }

    public static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isPartOfNumber(byte c) {
        return isDigit(c) || c == '.';
    }

    private long cachedNanos(byte[] text, int from, int to) {
        if (!Arrays.equals(text, from, to, cachedStamp, 0, cachedStamp.length)) {
            cachedStamp = Arrays.copyOfRange(text, from, to);
            cachedStampNanos = parse(new String(cachedStamp, StandardCharsets.ISO_8859_1).strip());
        }
        return cachedStampNanos;
    }

    private long parse(String text) {
        try {
            if (text.indexOf('/') == 2) {
                return nanos(OffsetDateTime.parse(text, COMMON).toInstant());
            }
            if (text.matches("[0-9]{10}")) {
                return nanos(Instant.ofEpochSecond(Long.parseLong(text)));
            }
            int point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
            if (point == 10 && text.indexOf('-') < 0) {
                String fraction = text.substring(point + 1);
                decimals = Math.max(decimals, fraction.length());
                return nanos(Instant.ofEpochSecond(
                        Long.parseLong(text.substring(0, point)),
                        Long.parseLong((fraction + "000000000").substring(0, 9))));
            }
            if (point > 0) {
                decimals = Math.max(decimals, (int) text.substring(point + 1)
                        .chars()
                        .takeWhile(Character::isDigit)
                        .count());
            }
            String iso = text.replace(',', '.')
                    .replaceFirst(" ([+-]\\d[\\d:]*)$", "$1")
                    .replace(' ', 'T')
                    .replace('\t', 'T')
                    .replaceFirst("([+-]\\d{2})(\\d{2})$", "$1:$2")
                    .replaceFirst("(:\\d{2}(?:\\.\\d+)?[+-]\\d{2})$", "$1:00");
            boolean hasZone = iso.endsWith("Z") || iso.lastIndexOf('+') > 10 || iso.lastIndexOf('-') > 10;
            return nanos(
                    hasZone
                            ? OffsetDateTime.parse(iso).toInstant()
                            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC));
        } catch (NumberFormatException | DateTimeException | ArithmeticException unreadable) {
            return NONE;
        }
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND_NANOS), instant.getNano());
    }

    /** The resolution of the finest stamp. */
    public long resolutionNanos() {
        long nanos = SECOND_NANOS;
        for (int i = 0; i < Math.min(9, decimals); i++) {
            nanos /= 10;
        }
        return nanos;
    }
}
