package dev.downbeat.audit.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Splits a line into cells; quoted cells may contain separators. Not thread-safe. */
final class Cells {
    private final byte separator;
    private byte[] bytes = new byte[0];
    private int[] from = new int[32];
    private int[] to = new int[32];
    private int count;

    Cells(char separator) {
        this.separator = (byte) separator;
    }

    /** The cells of the source's current line. */
    Cells of(Source source) {
        bytes = source.bytes();
        count = 0;
        int end = source.to();
        int at = source.from();
        while (true) {
            int begin = at;
            boolean isQuoted = at < end && bytes[at] == '"';
            boolean isInside = isQuoted;
            at += isQuoted ? 1 : 0;
            while (at < end && (isInside || bytes[at] != separator)) {
                if (isQuoted && bytes[at] == '"') {
                    isInside = !isInside;
                }
                at++;
            }
            add(begin, at);
            if (at >= end) {
                return this;
            }
            at++;
        }
    }

    private void add(int begin, int end) {
        if (count == from.length) {
            from = Arrays.copyOf(from, 2 * count);
            to = Arrays.copyOf(to, 2 * count);
        }
        boolean isQuoted = end - begin >= 2 && bytes[begin] == '"' && bytes[end - 1] == '"';
        from[count] = isQuoted ? begin + 1 : begin;
        to[count] = isQuoted ? end - 1 : end;
        count++;
    }

    int count() {
        return count;
    }

    private void check(int cell) {
        if (cell < 0) {
            throw new IllegalArgumentException("a column that it needs is missing");
        }
        if (cell >= count) {
            throw new IllegalArgumentException("cell " + (cell + 1) + " is missing");
        }
    }

    boolean isEmpty(int cell) {
        check(cell);
        return from[cell] >= to[cell];
    }

    boolean is(int cell, String text) {
        check(cell);
        return startsWith(cell, text) && to[cell] - from[cell] == text.length();
    }

    boolean startsWith(int cell, String text) {
        check(cell);
        if (to[cell] - from[cell] < text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[from[cell] + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    String text(int cell) {
        check(cell);
        return new String(bytes, from[cell], to[cell] - from[cell], StandardCharsets.UTF_8);
    }

    List<String> all() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(text(i).strip());
        }
        return all;
    }

    boolean isWhole(int cell) {
        check(cell);
        for (int i = from[cell]; i < to[cell]; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
        }
        return from[cell] < to[cell];
    }

    long whole(int cell) {
        check(cell);
        int at = from[cell];
        int end = to[cell];
        boolean isNegative = at < end && bytes[at] == '-';
        at += isNegative ? 1 : 0;
        long value = 0;
        if (at >= end || end - at > 19) {
            throw malformed(cell, "whole number");
        }
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                throw malformed(cell, "whole number");
            }
            value = Math.addExact(Math.multiplyExact(value, 10L), digit);
        }
        return isNegative ? -value : value;
    }

    double number(int cell) {
        try {
            double number = Double.parseDouble(text(cell).strip());
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException malformed) {
            // refused below
        }
        throw malformed(cell, "number");
    }

    private IllegalArgumentException malformed(int cell, String expected) {
        String text = text(cell);
        return new IllegalArgumentException(
                "'" + text.substring(0, Math.min(40, text.length())) + "' is no " + expected);
    }

    /** The index of a name among those seen. */
    int named(int cell, Names names) {
        check(cell);
        return names.of(bytes, from[cell], to[cell]);
    }

    /**
     * Assigns indices to names in order of appearance without storing them. Names with equal hashes share an index. Not
     * thread-safe.
     */
    static final class Names {
        /** The index of all names beyond the limit. */
        static final int UNKNOWN = -1;

        private static final int MOST = 100_000;

        private final Map<Long, Integer> byHash = new HashMap<>();

        int of(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            return of(bytes, 0, bytes.length);
        }

        int of(byte[] bytes, int from, int to) {
            long hash = 0xcbf29ce484222325L;
            for (int i = from; i < to; i++) {
                hash = (hash ^ bytes[i]) * 0x100000001b3L;
            }
            Integer known = byHash.get(hash);
            if (known != null) {
                return known;
            }
            if (byHash.size() >= MOST) {
                return UNKNOWN;
            }
            int number = byHash.size();
            byHash.put(hash, number);
            return number;
        }
    }
}
