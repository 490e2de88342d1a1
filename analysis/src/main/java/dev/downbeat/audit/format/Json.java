package dev.downbeat.audit.format;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as it comes: of what is not asked for nothing is kept, and of long texts the beginning. Where JSON has {@code null},
 * a map has no member. Not thread-safe.
 */
final class Json {
    private static final int DEEPEST = 64;
    private static final int LONGEST = 4_096;
    private static final int MOST_VALUES = 200_000;

    private final Reader in;
    private int peeked = -2;
    private int depth;
    private int values;
    private long at;

    Json(Reader in) {
        this.in = in;
    }

    /** What takes an element. */
    interface Taking {
        void take(Json.Node element) throws IOException;
    }

    /** A value: of an object's members those that are asked for. */
    record Node(@Nullable Object value) {
        Node get(String... names) {
            Object at = value;
            for (String name : names) {
                at = at instanceof Map<?, ?> map ? map.get(name) : null;
            }
            return new Node(at);
        }

        boolean has() {
            return value != null;
        }

        String text() {
            return value == null ? "" : value.toString();
        }

        double number() {
            if (value instanceof Double number) {
                return number;
            }
            if (value instanceof String text) {
                return Double.parseDouble(text);
            }
            throw new IllegalArgumentException("a number is missing");
        }

        double number(double otherwise) {
            return value == null ? otherwise : number();
        }

        long whole() {
            if (value instanceof String text) {
                return Long.parseLong(text);
            }
            return Math.round(number());
        }

        List<Node> elements() {
            List<Node> all = new ArrayList<>();
            if (value instanceof List<?> list) {
                list.forEach(each -> all.add(new Node(each)));
            }
            return all;
        }

        Map<String, Node> members() {
            Map<String, Node> all = new HashMap<>();
            if (value instanceof Map<?, ?> map) {
                map.forEach((name, member) -> all.put(String.valueOf(name), new Node(member)));
            }
            return all;
        }
    }

    /** The whole of a text. */
    static Node of(String text) throws IOException {
        Json json = new Json(new StringReader(text));
        Node node = json.whole();
        if (json.space() >= 0) {
            throw json.garbled();
        }
        return node;
    }

    /** The whole of what is left. */
    Node whole() throws IOException {
        values = 0;
        return new Node(value(true));
    }

    /** Whether another value follows. */
    boolean isMore() throws IOException {
        return space() >= 0;
    }

    /**
     * Gives each element at a path, and keeps none of them.
     *
     * @param path names of members, and {@code *} for the elements of a list
     */
    void each(Taking taking, String... path) throws IOException {
        each(taking, path, 0);
    }

    private void each(Taking taking, String[] path, int step) throws IOException {
        if (step == path.length) {
            taking.take(whole());
            return;
        }
        int first = space();
        if (first == '{' && !path[step].equals("*")) {
            object(name -> {
                if (name.equals(path[step])) {
                    each(taking, path, step + 1);
                } else {
                    value(false);
                }
            });
        } else if (first == '[' && path[step].equals("*")) {
            list(() -> each(taking, path, step + 1));
        } else {
            value(false);
        }
    }

    private interface Member {
        void read(String name) throws IOException;
    }

    private interface Element {
        void read() throws IOException;
    }

    private void object(Member member) throws IOException {
        enter();
        if (space() == '}') {
            next();
        } else {
            do {
                if (space() != '"') {
                    throw garbled();
                }
                String name = string(true);
                if (space() != ':') {
                    throw garbled();
                }
                next();
                member.read(name);
            } while (goesOn('}'));
        }
        depth--;
    }

    private void list(Element element) throws IOException {
        enter();
        if (space() == ']') {
            next();
        } else {
            do {
                element.read();
            } while (goesOn(']'));
        }
        depth--;
    }

    private void enter() throws IOException {
        if (++depth > DEEPEST) {
            throw new IOException("it is nested too deeply at character " + at);
        }
        next();
    }

    private boolean goesOn(char end) throws IOException {
        int c = space();
        if (c != ',' && c != end) {
            throw garbled();
        }
        next();
        return c == ',';
    }

    private @Nullable Object value(boolean isKept) throws IOException {
        if (isKept && ++values > MOST_VALUES) {
            throw new IOException("it has too many values at character " + at);
        }
        int first = space();
        if (first == '{') {
            Map<String, Object> map = new HashMap<>();
            object(name -> {
                Object member = value(isKept);
                if (isKept && member != null) {
                    map.put(name, member);
                }
            });
            return map;
        }
        if (first == '[') {
            List<Object> list = new ArrayList<>();
            list(() -> {
                Object element = value(isKept);
                if (isKept && element != null) {
                    list.add(element);
                }
            });
            return list;
        }
        return first == '"' ? string(isKept) : word();
    }

    private @Nullable Object word() throws IOException {
        StringBuilder word = new StringBuilder();
        for (int c = peek(); c >= 0 && ",]} \t\r\n:".indexOf(c) < 0; c = peek()) {
            word.append((char) next());
            if (word.length() > 400) {
                throw garbled();
            }
        }
        String text = word.toString();
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> number(text);
        };
    }

    private Double number(String text) throws IOException {
        if (text.isEmpty() || "-0123456789".indexOf(text.charAt(0)) < 0) {
            throw garbled();
        }
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException none) {
            throw garbled();
        }
    }

    private String string(boolean isKept) throws IOException {
        next();
        StringBuilder text = new StringBuilder();
        while (true) {
            int c = next();
            if (c < 0) {
                throw garbled();
            }
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\') {
                c = next();
                if (c == 'u') {
                    StringBuilder digits = new StringBuilder();
                    for (int i = 0; i < 4; i++) {
                        digits.append((char) next());
                    }
                    try {
                        c = Integer.parseInt(digits.toString(), 16);
                    } catch (NumberFormatException none) {
                        throw garbled();
                    }
                }
            }
            if (isKept && text.length() < LONGEST) {
                text.append((char) c);
            }
        }
    }

    private int space() throws IOException {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            next();
        }
        return peek();
    }

    private int peek() throws IOException {
        if (peeked == -2) {
            peeked = in.read();
        }
        return peeked;
    }

    private int next() throws IOException {
        int c = peek();
        peeked = -2;
        at++;
        return c;
    }

    private IOException garbled() {
        return new IOException("garbled or cut off at character " + at);
    }
}
