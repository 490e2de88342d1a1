package dev.downbeat.http.requests.check;

import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRules;
import dev.downbeat.json.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** JSON of services and other tools, with numbers as written. Pure functions. */
public final class JsonValues {
    private JsonValues() {}

    /**
     * Parses a whole text.
     *
     * @throws IllegalArgumentException if it is not JSON; the message names the position
     */
    public static Object parse(String text) {
        try {
            return JsonReader.parse(text, JsonRules.EXACT);
        } catch (IOException corrupt) {
            throw new IllegalArgumentException(corrupt.getMessage(), corrupt);
        }
    }

    /** The members of an object; empty for any other value. */
    public static Map<String, Object> object(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put((String) name, member));
        }
        return members;
    }

    /** The elements of a list; empty for any other value. */
    public static List<Object> list(Object value) {
        return value instanceof List<?> list ? List.copyOf(list) : List.of();
    }

    /** A value as a variable: strings without quotes, everything else as JSON. */
    public static String plain(Object value) {
        return value instanceof String string ? string : JsonText.of(value);
    }

    /** Whether two values are equal, with numbers compared by value. */
    static boolean isSame(Object one, Object other) {
        if (one instanceof Number && other instanceof Number) {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
        }
        return Objects.equals(one, other);
    }
}
