package dev.downbeat.http.requests;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads JSON (RFC 8259) as maps, lists, texts, numbers, truth values and {@link #NULL}. Pure functions. */
final class Json {
    /** JSON's null. */
    static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private static final int DEEPEST = 200;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads a whole text.
     *
     * @throws IllegalArgumentException if it is no JSON; says where
     */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skip();
        if (json.at < text.length()) {
            throw json.refused("the end");
        }
        return value;
    }

    /** The members of an object; nothing of anything else. */
    static Map<String, Object> object(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put((String) name, member));
        }
        return members;
    }

    /** The elements of a list; nothing of anything else. */
    static List<Object> list(Object value) {
        return value instanceof List<?> list ? List.copyOf(list) : List.of();
    }

    /** A value as a variable has it: texts without quotes, all else as JSON. */
    static String plain(Object value) {
        return value instanceof String string ? string : text(value);
    }

    /** A value as JSON. */
    static String text(Object value) {
        if (value instanceof String string) {
            return quoted(string);
        }
        if (value instanceof Map<?, ?> map) {
            StringBuilder text = new StringBuilder("{");
            map.forEach((name, member) -> text.append(text.length() > 1 ? "," : "")
                    .append(quoted((String) name))
                    .append(':')
                    .append(text(member)));
            return text.append('}').toString();
        }
        if (value instanceof List<?> list) {
            StringBuilder text = new StringBuilder("[");
            list.forEach(one -> text.append(text.length() > 1 ? "," : "").append(text(one)));
            return text.append(']').toString();
        }
        return String.valueOf(value);
    }

    /** A text as JSON has it; {@code {{variables}}} in it stay, and what they stand for is the user's. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Whether two values are the same, numbers by their value. */
    static boolean isSame(Object one, Object other) {
        if (one instanceof BigDecimal a && other instanceof BigDecimal b) {
            return a.compareTo(b) == 0;
        }
        return Objects.equals(one, other);
    }

    private Object value(int depth) {
        skip();
        if (depth > DEEPEST) {
            throw refused("at most " + DEEPEST + " levels");
        }
        char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NULL);
            default -> number();
        };
    }

    private Object object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        if (takes('}')) {
            return members;
        }
        do {
            skip();
            if (at >= text.length() || text.charAt(at) != '"') {
                throw refused("a name in quotes");
            }
            String name = string();
            if (!takes(':')) {
                throw refused("':'");
            }
            members.put(name, value(depth + 1));
        } while (takes(','));
        if (!takes('}')) {
            throw refused("',' or '}'");
        }
        return members;
    }

    private Object list(int depth) {
        List<Object> elements = new ArrayList<>();
        at++;
        if (takes(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
        } while (takes(','));
        if (!takes(']')) {
            throw refused("',' or ']'");
        }
        return elements;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        if (at >= text.length()) {
            throw refused("a closing quote");
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw refused("an escape such as \\n");
        };
    }

    private char unicode() {
        String digits = text.substring(at, Math.min(text.length(), at + 4));
        if (!digits.matches("[0-9a-fA-F]{4}")) {
            throw refused("four hexadecimal digits");
        }
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw refused("a value");
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return new BigDecimal(text.substring(from, at));
        } catch (NumberFormatException none) {
            at = from;
            IllegalArgumentException refused = refused("a value");
            refused.initCause(none);
            throw refused;
        }
    }

    private boolean takes(char wanted) {
        skip();
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException refused(String expected) {
        long line = 1
                + text.substring(0, Math.min(at, text.length()))
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
        return new IllegalArgumentException("JSON expected " + expected + " in line " + line);
    }
}
