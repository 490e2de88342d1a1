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
    private static final int MOST_KNOWN = 200_000;
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

    void readAll() {
        long number = 0;
        for (int from = 0; from < bytes.limit(); ) {
            int to = from;
            while (to < bytes.limit() && bytes.get(to) != '\n') {
                to++;
            }
            number++;
            if (!isBlank(from, to) && !line(from, to)) {
                firstUnreadable = unreadable == 0 ? number : firstUnreadable;
                unreadable++;
            }
            from = to + 1;
        }
    }

    private boolean isBlank(int from, int to) {
        return to == from || bytes.get(from) == '#' || (to - from == 1 && bytes.get(from) == '\r');
    }

    private boolean line(int from, int to) {
        int request = request(from, to);
        if (request < 0) {
            return false;
        }
        long nanos = stamp(from, to);
        if (nanos == Long.MIN_VALUE) {
            return false;
        }
        if (count == stamps.length) {
            stamps = Arrays.copyOf(stamps, 2 * count);
            at = Arrays.copyOf(at, 2 * count);
            named = Arrays.copyOf(named, 2 * count);
        }
        stamps[count] = nanos;
        at[count] = request;
        named[count] = name(request, to);
        count++;
        return true;
    }

    /** Where {@code GET /path} begins: capital letters, a blank, and what a path can begin with. */
    private int request(int from, int to) {
        for (int begin = from; begin < to; begin++) {
            boolean isFirst = begin == from || "\" \t:".indexOf(bytes.get(begin - 1)) >= 0;
            int letter = begin;
            while (isFirst && letter < to && bytes.get(letter) >= 'A' && bytes.get(letter) <= 'Z') {
                letter++;
            }
            boolean isMethod = letter - begin > 2 && letter + 1 < to && bytes.get(letter) == ' ';
            if (isMethod && (bytes.get(letter + 1) == '/' || bytes.get(letter + 1) == '*')) {
                return begin;
            }
        }
        return -1;
    }

    private long stamp(int from, int to) {
        for (int i = from; i + 10 < to; i++) {
            byte one = bytes.get(i);
            if (one == '[' && i + 1 + COMMON_LENGTH < to && bytes.get(i + 3) == '/') {
                return remembered(i + 1, i + 1 + COMMON_LENGTH);
            }
            boolean begins = i == from || !isPartOfNumber(bytes.get(i - 1));
            if (begins && isDigit(one) && bytes.get(i + 4) == '-' && bytes.get(i + 7) == '-') {
                int end = i + 10;
                while (end < to && "0123456789:.,T +-Z".indexOf(bytes.get(end)) >= 0 && !isSecondBlank(i, end)) {
                    end++;
                }
                return remembered(i, end);
            }
            if (begins && isDigit(one) && i + 11 < to && bytes.get(i + 10) == '.' && isDigit(bytes.get(i + 9))) {
                int end = i + 11;
                while (end < to && isDigit(bytes.get(end))) {
                    end++;
                }
                return remembered(i, end);
            }
        }
        return Long.MIN_VALUE;
    }

    private boolean isSecondBlank(int from, int at) {
        return bytes.get(at) == ' ' && at > from + 10;
    }

    private static boolean isDigit(byte one) {
        return one >= '0' && one <= '9';
    }

    private static boolean isPartOfNumber(byte one) {
        return isDigit(one) || one == '.';
    }

    private long remembered(int from, int to) {
        if (to - from == lastStamp.length) {
            int i = 0;
            while (i < lastStamp.length && bytes.get(from + i) == lastStamp[i]) {
                i++;
            }
            if (i == lastStamp.length) {
                return lastNanos;
            }
        }
        lastStamp = new byte[to - from];
        bytes.get(from, lastStamp);
        lastNanos = parsed(new String(lastStamp, StandardCharsets.ISO_8859_1).strip());
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
    private int name(int from, int to) {
        int end = from;
        long hash = 1125899906842597L;
        int blanks = 0;
        while (end < to && bytes.get(end) != '?' && bytes.get(end) != '"') {
            blanks += bytes.get(end) == ' ' ? 1 : 0;
            if (blanks == 2) {
                break;
            }
            hash = 31 * hash + bytes.get(end);
            end++;
        }
        Integer known = nameOfPath.get(hash);
        if (known != null) {
            return known;
        }
        byte[] text = new byte[end - from];
        bytes.get(from, text);
        int place = placeOf(generalised(new String(text, StandardCharsets.UTF_8)));
        if (nameOfPath.size() < MOST_KNOWN) {
            nameOfPath.put(hash, place);
        }
        return place;
    }

    private static String generalised(String request) {
        StringBuilder name = new StringBuilder();
        for (String part : request.split("/", -1)) {
            boolean isNumber = part.matches("[0-9]+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{16,}");
            name.append(name.length() > 0 ? "/" : "").append(isNumber ? "{id}" : part);
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
