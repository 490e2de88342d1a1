package dev.downbeat.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A strict reader of JSON (RFC 8259), by which the writer is checked: it shares no line with it. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Maps, lists, strings, decimals, booleans and null. */
    public static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        json.require(json.at == text.length());
        return value;
    }

    /** The value at a path such as "response.p99_ns". */
    public static @Nullable Object at(String text, String path) {
        Object value = parse(text);
        for (String name : path.split("\\.", -1)) {
            Map<?, ?> object = (Map<?, ?>) value;
            if (object == null || !object.containsKey(name)) {
                throw new AssertionError("no " + path);
            }
            value = object.get(name);
        }
        return value;
    }

    /** Paths of all members, with [] for any element of an array; those below {@code leaf} are left out. */
    public static Set<String> paths(String text, Set<String> leaves) {
        Set<String> paths = new TreeSet<>();
        collect("", parse(text), leaves, paths);
        return paths;
    }

    private static void collect(String path, @Nullable Object value, Set<String> leaves, Set<String> paths) {
        if (value instanceof Map<?, ?> object && !leaves.contains(path)) {
            object.forEach((name, member) -> {
                String inner = path.isEmpty() ? name.toString() : path + "." + name;
                paths.add(inner);
                collect(inner, member, leaves, paths);
            });
        } else if (value instanceof List<?> array) {
            array.forEach(element -> collect(path + "[]", element, leaves, paths));
        }
    }

    private @Nullable Object value() {
        space();
        char c = text.charAt(at);
        return switch (c) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        at++;
        space();
        while (text.charAt(at) != '}') {
            space();
            String name = string();
            require(!object.containsKey(name));
            space();
            require(text.charAt(at++) == ':');
            object.put(name, value());
            separator('}');
        }
        at++;
        return object;
    }

    private List<Object> array() {
        List<@Nullable Object> array = new ArrayList<>();
        at++;
        space();
        while (text.charAt(at) != ']') {
            array.add(value());
            separator(']');
        }
        at++;
        return array;
    }

    private void separator(char end) {
        space();
        if (text.charAt(at) != end) {
            require(text.charAt(at++) == ',');
            space();
            require(text.charAt(at) != end);
        }
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        require(text.charAt(at++) == '"');
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            require(c >= ' ');
            if (c == '\\') {
                char escaped = text.charAt(at++);
                require("\"\\u".indexOf(escaped) >= 0);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    string.append(escaped);
                }
            } else {
                string.append(c);
            }
        }
        return string.toString();
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        require(text.startsWith(word, at));
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        int begin = at;
        while ("+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(begin, at);
        require(number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"));
        return new BigDecimal(number);
    }

    private void space() {
        while (at < text.length() && " \n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("malformed at " + at + ": "
                    + text.substring(Math.max(0, at - 40), Math.min(text.length(), at + 20)));
        }
    }
}
