package dev.downbeat.http.requests;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds in each line of an access log its time and its request. A stamp that was in the line before is not read again, which is
 * what makes a million lines quick. Use once.
 */
final class LogReader {
    static final long SECOND_NANOS = 1_000_000_000L;

    private static final DateTimeFormatter COMMON =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
    private static final int COMMON_LENGTH = "10/Oct/2000:13:55:36 -0700".length();
    private static final int WINDOW = 1 << 20;
    private static final int LEAST_HEX = 16;
    private static final int MOST_KNOWN = 100_000;
    private static final String OTHERS = "(others)";

    private final ByteBuffer bytes;
    private final Map<Long, Integer> nameOfPath = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long[] stamps = new long[1024];
    private int[] at = new int[1024];
    private int[] named = new int[1024];
    private int count;
    private long unreadable;
    private long firstUnreadable;
    private int decimals;
    private byte[] lastStamp = new byte[0];
    private long lastNanos;

    LogReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** A window at a time, on the heap: a log has a hundred bytes in each line to look at. */
    void readAll() {
        long number = 0;
        int from = 0;
        byte[] window = new byte[WINDOW];
        while (from < bytes.limit()) {
            int length = Math.min(window.length, bytes.limit() - from);
            bytes.get(from, window, 0, length);
            boolean isLast = from + length == bytes.limit();
            int begin = 0;
            for (int end = endOfLine(window, begin, length); end >= 0; end = endOfLine(window, begin, length)) {
                take(window, begin, end, from, ++number);
                begin = end + 1;
            }
            if (isLast && begin < length) {
                take(window, begin, length, from, ++number);
                begin = length;
            }
            if (begin == 0) {
                window = new byte[2 * window.length]; // a line longer than all before
            }
            from += begin;
        }
    }

    private static int endOfLine(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void take(byte[] text, int from, int to, int base, long number) {
        boolean isBlank = to == from || text[from] == '#' || (to - from == 1 && text[from] == '\r');
        if (!isBlank && !line(text, from, to, base)) {
            firstUnreadable = unreadable == 0 ? number : firstUnreadable;
            unreadable++;
        }
    }

    private boolean line(byte[] text, int from, int to, int base) {
        int request = request(text, from, to);
        if (request < 0) {
            return false;
        }
        long nanos = stamp(text, from, to);
        if (nanos == Long.MIN_VALUE) {
            return false;
        }
        if (count == stamps.length) {
            stamps = Arrays.copyOf(stamps, 2 * count);
            at = Arrays.copyOf(at, 2 * count);
            named = Arrays.copyOf(named, 2 * count);
        }
        stamps[count] = nanos;
        at[count] = base + request;
        named[count] = name(text, request, to);
        count++;
        return true;
    }

    /** Where {@code GET /path} begins: capital letters, a blank, and what a path can begin with. */
    private static int request(byte[] text, int from, int to) {
        for (int begin = from; begin < to; begin++) {
            byte one = text[begin];
            if (one < 'A' || one > 'Z' || (begin > from && !isBefore(text[begin - 1]))) {
                continue;
            }
            int letter = begin;
            while (letter < to && text[letter] >= 'A' && text[letter] <= 'Z') {
                letter++;
            }
            boolean isMethod = letter - begin > 2 && letter + 1 < to && text[letter] == ' ';
            if (isMethod && (text[letter + 1] == '/' || text[letter + 1] == '*')) {
                return begin;
            }
        }
        return -1;
    }

    private static boolean isBefore(byte one) {
        return one == '"' || one == ' ' || one == '\t' || one == ':';
    }

    private long stamp(byte[] text, int from, int to) {
        for (int i = from; i + 10 < to; i++) {
            byte one = text[i];
            if (one == '[' && i + 1 + COMMON_LENGTH < to && text[i + 3] == '/') {
                long second = remembered(text, i + 1, i + 1 + COMMON_LENGTH);
                return second == Long.MIN_VALUE ? second : finer(text, from, to, second);
            }
            if (!isDigit(one) || (i > from && isPartOfNumber(text[i - 1]))) {
                continue;
            }
            if (text[i + 4] == '-' && text[i + 7] == '-') {
                int end = i + 10;
                while (end < to && isOfStamp(text[end]) && !(text[end] == ' ' && end > i + 10)) {
                    end++;
                }
                return remembered(text, i, end);
            }
            if (i + 11 < to && text[i + 10] == '.' && isDigit(text[i + 9])) {
                int end = i + 11;
                while (end < to && isDigit(text[end])) {
                    end++;
                }
                return remembered(text, i, end);
            }
        }
        return Long.MIN_VALUE;
    }

    /** The same instant by nginx's $msec, if that stands outside quotes in the line as well: a second is a long time. */
    private long finer(byte[] text, int from, int to, long second) {
        boolean isQuoted = false;
        for (int i = from; i + 11 < to; i++) {
            isQuoted ^= text[i] == '"';
            boolean begins = !isQuoted && isDigit(text[i]) && (i == from || !isPartOfNumber(text[i - 1]));
            if (begins && text[i + 10] == '.' && isDigit(text[i + 11])) {
                int end = i + 11;
                while (end < to && isDigit(text[end])) {
                    end++;
                }
                long fine = epoch(text, i, end);
                if (Math.abs(fine - second) < 2 * SECOND_NANOS) {
                    decimals = Math.max(decimals, end - i - 11);
                    return fine;
                }
            }
        }
        return second;
    }

    private static long epoch(byte[] text, int from, int to) {
        long nanos = 0;
        long unit = SECOND_NANOS;
        for (int i = from; i < to; i++) {
            if (!isPartOfNumber(text[i])) {
                return Long.MIN_VALUE / 2;
            }
            if (text[i] != '.' && i < from + 10) {
                nanos = nanos * 10 + (long) (text[i] - '0') * SECOND_NANOS;
            } else if (text[i] != '.') {
                unit /= 10;
                nanos += (text[i] - '0') * unit;
            }
        }
        return nanos;
    }

    private static boolean isOfStamp(byte one) {
        return "0123456789:.,T +-Z".indexOf(one) >= 0;
    }

    private static boolean isDigit(byte one) {
        return one >= '0' && one <= '9';
    }

    private static boolean isPartOfNumber(byte one) {
        return isDigit(one) || one == '.';
    }

    private long remembered(byte[] text, int from, int to) {
        if (!Arrays.equals(text, from, to, lastStamp, 0, lastStamp.length)) {
            lastStamp = Arrays.copyOfRange(text, from, to);
            lastNanos = parsed(new String(lastStamp, StandardCharsets.ISO_8859_1).strip());
        }
        return lastNanos;
    }

    private long parsed(String text) {
        try {
            if (text.indexOf('/') == 2) {
                return nanos(OffsetDateTime.parse(text, COMMON).toInstant());
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
            String iso = text.replace(',', '.').replace(' ', 'T').replaceFirst("([+-]\\d{2})(\\d{2})$", "$1:$2");
            boolean hasZone = iso.endsWith("Z") || iso.lastIndexOf('+') > 10 || iso.lastIndexOf('-') > 10;
            return nanos(
                    hasZone
                            ? OffsetDateTime.parse(iso).toInstant()
                            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC));
        } catch (NumberFormatException | DateTimeException | ArithmeticException none) {
            return Long.MIN_VALUE;
        }
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND_NANOS), instant.getNano());
    }

    /** Requests of the same method and path have one name, whatever their query and the numbers in their path. */
    private int name(byte[] text, int from, int to) {
        long hash = 1_125_899_906_842_597L;
        int blanks = 0;
        int part = from;
        int end = from;
        for (boolean isOver = false; !isOver; end++) {
            byte one = end < to ? text[end] : (byte) '"';
            blanks += one == ' ' ? 1 : 0;
            isOver = one == '?' || one == '"' || one == '\r' || blanks == 2;
            if (isOver || one == '/') {
                hash = isId(text, part, end) ? 31 * hash + 1 : folded(hash, text, part, end);
                hash = 31 * hash + '/';
                part = end + 1;
            }
        }
        int last = end - 1;
        Integer known = nameOfPath.get(hash);
        if (known != null) {
            return known;
        }
        int place = placeOf(generalised(new String(text, from, last - from, StandardCharsets.UTF_8)));
        if (nameOfPath.size() < MOST_KNOWN) {
            nameOfPath.put(hash, place);
        }
        return place;
    }

    private static long folded(long hash, byte[] text, int from, int to) {
        long folded = hash;
        for (int i = from; i < to; i++) {
            folded = 31 * folded + text[i];
        }
        return folded;
    }

    /** Digits alone, or as many hexadecimal ones as no word has. */
    private static boolean isId(byte[] text, int from, int to) {
        boolean isNumber = to > from;
        boolean isHex = to - from >= LEAST_HEX;
        for (int i = from; i < to && (isNumber || isHex); i++) {
            byte one = text[i];
            isNumber &= isDigit(one);
            isHex &= isDigit(one) || one == '-' || (one >= 'a' && one <= 'f') || (one >= 'A' && one <= 'F');
        }
        return isNumber || isHex;
    }

    private static String generalised(String request) {
        StringBuilder name = new StringBuilder();
        for (String part : request.split("/", -1)) {
            byte[] text = part.getBytes(StandardCharsets.UTF_8);
            name.append(name.length() > 0 ? "/" : "").append(isId(text, 0, text.length) ? "{id}" : part);
        }
        return name.toString();
    }

    private int placeOf(String name) {
        boolean isNew = !places.containsKey(name);
        String row = isNew && names.size() >= RequestSet.MOST_NAMES - 1 ? OTHERS : name;
        return places.computeIfAbsent(row, added -> {
            names.add(added);
            return names.size() - 1;
        });
    }

    int count() {
        return count;
    }

    long unreadable() {
        return unreadable;
    }

    long firstUnreadable() {
        return firstUnreadable;
    }

    long[] stamps() {
        return stamps;
    }

    int[] places() {
        return at;
    }

    int[] named() {
        return named;
    }

    List<String> names() {
        return List.copyOf(names);
    }

    /** What the finest stamp tells apart. */
    long resolutionNanos() {
        long nanos = SECOND_NANOS;
        for (int i = 0; i < Math.min(9, decimals); i++) {
            nanos /= 10;
        }
        return nanos;
    }
}
