package dev.downbeat.http.requests.log;

import dev.downbeat.http.requests.RequestSet;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of an access log's requests. Use once. */
final class LogNames {
    private static final int LEAST_HEX = 16;
    private static final int MOST_KNOWN = 100_000;
    private static final String OTHERS = "(others)";

    private final Map<Long, Integer> nameOfPath = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** Requests with the same method and path share a name, ignoring the query and numbers in the path. */
    int name(byte[] text, int from, int to) {
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

    /** Only digits, or more hexadecimal digits than any word has. */
    private static boolean isId(byte[] text, int from, int to) {
        boolean isNumber = to > from;
        boolean isHex = to - from >= LEAST_HEX;
        for (int i = from; i < to && (isNumber || isHex); i++) {
            byte one = text[i];
            isNumber &= LogStamps.isDigit(one);
            isHex &= LogStamps.isDigit(one) || one == '-' || (one >= 'a' && one <= 'f') || (one >= 'A' && one <= 'F');
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

    /** All names, indexed by the results of {@link #name}. */
    List<String> all() {
        return List.copyOf(names);
    }
}
