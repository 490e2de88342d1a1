package dev.downbeat.testing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An independent JSON parser to check Downbeat's output; it shares no code with Downbeat's reader and writer. It
 * follows RFC 8259 strictly: no comments, trailing commas, duplicate names or trailing text. Integers are
 * distinguished from decimals.
 */
public final class ParsedJson {
    private final String path;
    private final @Nullable Object value;

    private ParsedJson(String path, @Nullable Object value) {
        this.path = path;
        this.value = value;
    }

    public static ParsedJson parse(String text) {
        return new ParsedJson("", new Reader(text).document());
    }

    /** The member at a dotted path, which must exist. */
    public ParsedJson at(String names) {
        ParsedJson found = this;
        for (String name : names.split("\\.", -1)) {
            Map<String, Object> members = found.members();
            if (!members.containsKey(name)) {
                throw new AssertionError("no member '" + name + "' in '" + found.path + "', but " + members.keySet());
            }
            found = new ParsedJson(found.path.isEmpty() ? name : found.path + "." + name, members.get(name));
        }
        return found;
    }

    public boolean has(String name) {
        return members().containsKey(name);
    }

    public boolean isNull() {
        return value == null;
    }

    public String text() {
        return as(String.class);
    }

    public boolean truth() {
        return as(Boolean.class);
    }

    /** An integer, written without fraction or exponent. */
    public long whole() {
        return as(Long.class);
    }

    public double number() {
        return as(Number.class).doubleValue();
    }

    public List<ParsedJson> items() {
        List<ParsedJson> items = new ArrayList<>();
        for (Object item : as(List.class)) {
            items.add(new ParsedJson(path + "[" + items.size() + "]", item));
        }
        return items;
    }

    @SuppressWarnings("unchecked")
    public Map<String, Object> members() {
        return as(Map.class);
    }

    /** All leaf values by path. */
    public Map<String, ParsedJson> leaves() {
        Map<String, ParsedJson> leaves = new LinkedHashMap<>();
        collect(leaves);
        return leaves;
    }

    private void collect(Map<String, ParsedJson> leaves) {
        if (value instanceof Map) {
            members().keySet().forEach(name -> child(name).collect(leaves));
        } else if (value instanceof List) {
            items().forEach(item -> item.collect(leaves));
        } else {
            leaves.put(path, this);
        }
    }

    /** A member whose name may contain dots. */
    private ParsedJson child(String name) {
        return new ParsedJson(
                path.isEmpty() ? name : path + "." + name, members().get(name));
    }

    private <T> T as(Class<T> type) {
        if (!type.isInstance(value)) {
            throw new AssertionError("'" + path + "' is no " + type.getSimpleName() + ", but " + value);
        }
        return type.cast(value);
    }

    @Override
    public String toString() {
        return path + " = " + value;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        @Nullable
        Object document() {
            Object value = value();
            space();
            if (at != text.length()) {
                throw wrong("something behind the end");
            }
            return value;
        }

        private AssertionError wrong(String what) {
            int from = Math.max(0, Math.min(at, text.length()) - 40);
            return new AssertionError("not JSON: " + what + " at " + at + ", behind '"
                    + text.substring(from, Math.min(at, text.length())) + "'");
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private char next() {
            if (at >= text.length()) {
                throw wrong("cut off");
            }
            return text.charAt(at++);
        }

        private void expect(char wanted) {
            char had = next();
            if (had != wanted) {
                throw wrong("'" + wanted + "' expected, but '" + had + "' found");
            }
        }

        private boolean take(char wanted) {
            space();
            boolean there = at < text.length() && text.charAt(at) == wanted;
            at += there ? 1 : 0;
            return there;
        }

        private @Nullable Object value() {
            space();
            if (at >= text.length()) {
                throw wrong("cut off");
            }
            return switch (text.charAt(at)) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private @Nullable Object word(String word, @Nullable Object meaning) {
            if (!text.startsWith(word, at)) {
                throw wrong("an unknown word");
            }
            at += word.length();
            return meaning;
        }

        private Map<String, @Nullable Object> object() {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            expect('{');
            if (take('}')) {
                return members;
            }
            do {
                space();
                String name = string();
                if (members.containsKey(name)) {
                    throw wrong("the name '" + name + "' a second time");
                }
                space();
                expect(':');
                members.put(name, value());
            } while (take(','));
            space();
            expect('}');
            return members;
        }

        private List<@Nullable Object> array() {
            List<@Nullable Object> items = new ArrayList<>();
            expect('[');
            if (take(']')) {
                return items;
            }
            do {
                items.add(value());
            } while (take(','));
            space();
            expect(']');
            return items;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            expect('"');
            for (char c = next(); c != '"'; c = next()) {
                if (c < ' ') {
                    throw wrong("a control character in a string");
                }
                string.append(c == '\\' ? escaped() : c);
            }
            return string.toString();
        }

        private char escaped() {
            char c = next();
            if (c == 'u') {
                if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9A-Fa-f]{4}")) {
                    throw wrong("a broken escape");
                }
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            int known = "\"\\/bfnrt".indexOf(c);
            if (known < 0) {
                throw wrong("an unknown escape");
            }
            return "\"\\/\b\f\n\r\t".charAt(known);
        }

        private Object number() {
            int from = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            String digits = text.substring(from, at);
            if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                throw wrong("'" + digits + "' is no number");
            }
            return digits.matches("-?[0-9]+") ? (Object) Long.valueOf(digits) : new BigDecimal(digits);
        }
    }
}
