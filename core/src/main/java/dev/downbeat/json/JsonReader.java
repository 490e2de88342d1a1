package dev.downbeat.json;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON (RFC 8259) reader for untrusted input. Values are maps, lists, strings, longs, other numbers, booleans and
 * {@link #NULL}. Skipped values use no memory. Not thread-safe.
 *
 * <p>Every error is an {@link IOException} that names the position. Control characters in strings are accepted.
 */
public final class JsonReader {
    /** Represents {@code null}. */
    public static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private static final int DEEPEST = 100;
    private static final int BUFFER = 8_192;
    private static final int LONGEST_NUMBER = 1_000;
    private static final int LONGEST_LONG = 20;

    private final Characters in;
    private final JsonRules rules;
    private final JsonRoom room;
    private int depth;

    public JsonReader(Reader in, JsonRules rules) {
        this(in, rules, new JsonRoom());
    }

    JsonReader(Reader in, JsonRules rules, JsonRoom room) {
        this(new Characters(in, BUFFER), rules, room);
    }

    private JsonReader(Characters in, JsonRules rules, JsonRoom room) {
        this.in = in;
        this.rules = rules;
        this.room = room;
    }

    /** Receives the elements. */
    public interface Taking {
        void take(Object element) throws IOException;
    }

    private interface Member {
        void read(String name) throws IOException;
    }

    private interface Element {
        void read() throws IOException;
    }

    /** Parses a text with exactly one value. */
    public static Object parse(String text, JsonRules rules) throws IOException {
        return parse(text, rules, new JsonRoom());
    }

    /** Parses one of several texts that share a memory limit. */
    public static Object parse(String text, JsonRules rules, JsonRoom room) throws IOException {
        int size = Math.max(1, Math.min(BUFFER, text.length()));
        JsonReader json = new JsonReader(new Characters(new StringReader(text), size), rules, room);
        Object value = json.value();
        if (json.isMore()) {
            throw json.in.expected("the end");
        }
        return value;
    }

    /** Whether another value follows. */
    public boolean isMore() throws IOException {
        return in.space() != Characters.END;
    }

    /**
     * Passes each element at a path to a callback and retains none.
     *
     * @param path member names, and {@code *} for the elements of a list
     */
    public void each(Taking taking, String... path) throws IOException {
        each(taking, path, 0);
    }

    private void each(Taking taking, String[] path, int step) throws IOException {
        int first = in.space();
        if (step == path.length) {
            long left = room.left();
            taking.take(value());
            room.free(left);
        } else if (first == '{' && !path[step].equals("*")) {
            object(name -> {
                if (name.equals(path[step])) {
                    each(taking, path, step + 1);
                } else {
                    skip();
                }
            });
        } else if (first == '[' && path[step].equals("*")) {
            list(() -> each(taking, path, step + 1));
        } else {
            skip();
        }
    }

    /** Reads the next value with everything in it. */
    public Object value() throws IOException {
        int first = in.space();
        room.take(first == '{' || first == '[' ? JsonRoom.OF_OBJECT : JsonRoom.OF_VALUE);
        return switch (first) {
            case '{' -> members();
            case '[' -> {
                List<Object> elements = new ArrayList<>();
                list(() -> elements.add(value()));
                yield elements;
            }
            case '"' -> {
                String text = rules.texts().apply(string());
                room.take(text.length());
                yield text;
            }
            default -> plain(first);
        };
    }

    private Map<String, Object> members() throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        object(name -> {
            room.take(JsonRoom.OF_VALUE + name.length());
            String shown = rules.texts().apply(name);
            if (members.put(shown, value()) != null && rules.isStrict()) {
                throw new IOException("garbled: '" + shown + "' is there twice");
            }
        });
        return members;
    }

    /** Skips a value, with the same checks. */
    private void skip() throws IOException {
        int first = in.space();
        long left = room.left();
        switch (first) {
            case '{' -> object(name -> skip());
            case '[' -> list(this::skip);
            case '"' -> in.skipText();
            default -> plain(first);
        }
        room.free(left);
    }

    private void object(Member member) throws IOException {
        enter();
        if (in.space() == '}') {
            in.next();
        } else {
            do {
                if (in.space() != '"') {
                    throw in.expected("a name in quotes");
                }
                String name = string();
                if (in.space() != ':') {
                    throw in.expected("':'");
                }
                in.next();
                member.read(name);
            } while (goesOn('}'));
        }
        depth--;
    }

    private void list(Element element) throws IOException {
        enter();
        if (in.space() == ']') {
            in.next();
        } else {
            do {
                element.read();
            } while (goesOn(']'));
        }
        depth--;
    }

    private void enter() throws IOException {
        if (++depth > DEEPEST) {
            throw in.expected("at most " + DEEPEST + " levels");
        }
        in.next();
    }

    private boolean goesOn(char end) throws IOException {
        int c = in.space();
        if (c != ',' && c != end) {
            throw in.expected("',' or '" + end + "'");
        }
        in.next();
        return c == ',';
    }

    private Object plain(int first) throws IOException {
        return switch (first) {
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", NULL);
            default -> number(first);
        };
    }

    private Object word(String word, Object value) throws IOException {
        for (int i = 0; i < word.length(); i++) {
            if (in.peek() != word.charAt(i)) {
                throw in.expected("a value");
            }
            in.next();
        }
        return value;
    }

    private Number number(int first) throws IOException {
        if (first != '-' && !isDigit(first)) {
            throw in.expected("a value");
        }
        StringBuilder digits = new StringBuilder();
        boolean isWhole = true;
        for (int c = first; isDigit(c) || (c != Characters.END && "+-.eE".indexOf(c) >= 0); c = in.peek()) {
            isWhole &= c == '-' || isDigit(c);
            digits.append((char) in.next());
            if (digits.length() > LONGEST_NUMBER) {
                throw in.expected("a number of at most " + LONGEST_NUMBER + " characters");
            }
        }
        String number = digits.toString();
        try {
            return isWhole && number.length() <= LONGEST_LONG
                    ? whole(number)
                    : rules.decimals().apply(number);
        } catch (NumberFormatException none) {
            IOException wrong = in.expected("a number");
            wrong.initCause(none);
            throw wrong;
        }
    }

    private Number whole(String number) {
        try {
            return Long.valueOf(number);
        } catch (NumberFormatException tooLarge) {
            return rules.decimals().apply(number);
        }
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private String string() throws IOException {
        in.next();
        String plain = in.plainText();
        if (plain != null) {
            return plain;
        }
        StringBuilder text = new StringBuilder();
        for (int c = in.ofText(); c != Characters.CLOSED; c = in.ofText()) {
            text.append((char) c);
            if (text.length() % BUFFER == 0) {
                room.take(BUFFER); // checked while it grows, before it can exceed the available memory
            }
        }
        return text.toString();
    }
}
