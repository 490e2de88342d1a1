package dev.downbeat.report.file;

import dev.downbeat.exchange.Plain;
import dev.downbeat.report.paper.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON that is read back: maps, lists, strings, longs, doubles and truth values, on one line and without loss. Where JSON
 * has {@code null}, {@link #NULL} stands.
 */
final class JsonTree {
    /** What stands for {@code null}. */
    static final Object NULL = new Object();

    private static final int DEEPEST = 100;

    private final String text;
    private final Room room;
    private int at;
    private int depth;
    private boolean isVerbatim;

    private JsonTree(String text, Room room) {
        this.text = text;
        this.room = room;
    }

    /** What a file's trees may take of the memory: a bracket is a byte in a file, and a hundred in memory. Not thread-safe. */
    static final class Room {
        private static final int OF_OBJECT = 120;
        private static final int OF_VALUE = 56;

        private long bytes = Runtime.getRuntime().maxMemory() / 4;

        /** Takes a part of it; refuses if there is no more. */
        void take(long more) throws IOException {
            bytes -= more;
            if (bytes < 0) {
                throw new IOException("it needs more memory than there is");
            }
        }
    }

    /**
     * Reads one value.
     *
     * @throws IOException if it is no JSON, or there is more behind it
     */
    static Object parse(String text) throws IOException {
        return parse(text, new Room());
    }

    /** The same of one of several texts. */
    static Object parse(String text, Room room) throws IOException {
        return parse(new JsonTree(text, room));
    }

    private static Object parse(JsonTree reader) throws IOException {
        try {
            Object value = reader.value();
            reader.skipSpace();
            if (reader.at < reader.text.length()) {
                throw reader.garbled();
            }
            return value;
        } catch (StringIndexOutOfBoundsException | NumberFormatException cutOff) {
            throw reader.garbled();
        }
    }

    /** Reads an object whose texts are kept as they are: who shows one of them makes a line of it. */
    static Map<String, Object> verbatim(String text) throws IOException {
        JsonTree reader = new JsonTree(text, new Room());
        reader.isVerbatim = true;
        return asObject(parse(reader));
    }

    /** Reads an object. */
    static Map<String, Object> object(String text) throws IOException {
        return asObject(parse(text));
    }

    /** The value as an object. */
    static Map<String, Object> asObject(Object value) throws IOException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IOException("garbled: an object was expected");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), member));
        return members;
    }

    private IOException garbled() {
        return new IOException("garbled or cut off at character " + Math.min(at, text.length()));
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private Object value() throws IOException {
        skipSpace();
        char first = text.charAt(at);
        if (first == '{' || first == '[') {
            if (++depth > DEEPEST) {
                throw garbled();
            }
            room.take(Room.OF_OBJECT);
            Object value = first == '{' ? members() : elements();
            depth--;
            return value;
        }
        room.take(Room.OF_VALUE);
        return switch (first) {
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NULL);
            default -> number();
        };
    }

    private Map<String, Object> members() throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!ends('}', members.isEmpty())) {
            skipSpace();
            if (text.charAt(at) != '"') {
                throw garbled();
            }
            String name = string();
            skipSpace();
            if (text.charAt(at++) != ':') {
                throw garbled();
            }
            room.take(Room.OF_VALUE);
            if (members.put(name, value()) != null) {
                throw new IOException("garbled: '" + name + "' is there twice");
            }
        }
        return members;
    }

    private List<Object> elements() throws IOException {
        List<Object> elements = new ArrayList<>();
        at++;
        while (!ends(']', elements.isEmpty())) {
            elements.add(value());
        }
        return elements;
    }

    private boolean ends(char end, boolean isEmpty) throws IOException {
        skipSpace();
        char next = text.charAt(at);
        if (next == end) {
            at++;
            return true;
        }
        if (!isEmpty && next != ',') {
            throw garbled();
        }
        at += isEmpty ? 0 : 1;
        return false;
    }

    private Object word(String word, Object value) throws IOException {
        if (!text.startsWith(word, at)) {
            throw garbled();
        }
        at += word.length();
        return value;
    }

    private Object number() throws IOException {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (start == at) {
            throw garbled();
        }
        String digits = text.substring(start, at);
        boolean isWhole = digits.chars().allMatch(c -> c == '-' || Character.isDigit(c));
        if (isWhole) {
            return Long.parseLong(digits);
        }
        return Double.parseDouble(digits);
    }

    /** Control characters in it become spaces: what is read is shown sooner or later. */
    private String string() throws IOException {
        int end = text.indexOf('"', at + 1);
        String plain = text.substring(at + 1, end);
        room.take(plain.length());
        if (plain.indexOf('\\') < 0) {
            at = end + 1;
            return shown(plain);
        }
        StringBuilder string = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        room.take(string.length());
        return shown(string.toString());
    }

    private String shown(String string) {
        return isVerbatim ? string : Plain.line(string);
    }

    private char escaped() throws IOException {
        char c = text.charAt(++at);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        int known = "bfnrt\"\\/".indexOf(c);
        if (known < 0) {
            throw garbled();
        }
        return "\b\f\n\r\t\"\\/".charAt(known);
    }

    /** The value as JSON, on one line. */
    static String text(Object value) {
        StringBuilder out = new StringBuilder();
        print(value, out);
        return out.toString();
    }

    private static void print(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> member : map.entrySet()) {
                out.append(before);
                JsonWriter.quote(String.valueOf(member.getKey()), out);
                out.append(':');
                print(member.getValue(), out);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object element : list) {
                out.append(before);
                print(element, out);
                before = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            JsonWriter.quote(number.toString(), out); // JSON has no such number
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            JsonWriter.quote(value.toString(), out);
        }
    }
}
