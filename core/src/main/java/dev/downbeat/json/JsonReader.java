package dev.downbeat.json;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JSON (RFC 8259) reader for untrusted input. Values are maps, lists, strings, longs, other numbers, booleans and
 * {@link #NULL}. Skipped values use no memory. Not thread-safe.
 *
 * <p>Every error is an {@link IOException}; one in the text names the position.
 */
public final class JsonReader {
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

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?");

    private final Characters in;
    private final JsonRules rules;
    private final MemoryBudget budget;
    private int depth;

    public JsonReader(Reader in, JsonRules rules) {
        this(in, rules, new MemoryBudget());
    }

    JsonReader(Reader in, JsonRules rules, MemoryBudget budget) {
        this(new Characters(in, BUFFER), rules, budget);
    }

    private JsonReader(Characters in, JsonRules rules, MemoryBudget budget) {
        this.in = in;
        this.rules = rules;
        this.budget = budget;
    }

    public interface ElementConsumer {
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
        return parse(text, rules, new MemoryBudget());
    }

    /** Parses one of several texts that share a memory limit. */
    public static Object parse(String text, JsonRules rules, MemoryBudget budget) throws IOException {
        int size = Math.max(1, Math.min(BUFFER, text.length()));
        JsonReader json = new JsonReader(new Characters(new StringReader(text), size), rules, budget);
        Object value = json.value();
        if (json.isMore()) {
            throw json.in.expected("the end");
        }
        return value;
    }

    public boolean isMore() throws IOException {
        return in.skipSpace() != Characters.END;
    }

    /**
     * Passes each element at a path to a callback and retains none.
     *
     * @param path member names, and {@code *} for the elements of a list
     */
    public void each(ElementConsumer consumer, String... path) throws IOException {
        each(consumer, path, 0);
    }

    private void each(ElementConsumer consumer, String[] path, int step) throws IOException {
        int first = in.skipSpace();
        if (step == path.length) {
            long left = budget.left();
            consumer.take(value());
            budget.free(left);
        } else if (first == '{' && !path[step].equals("*")) {
            object(name -> {
                if (name.equals(path[step])) {
                    each(consumer, path, step + 1);
                } else {
                    skip();
                }
            });
        } else if (first == '[' && path[step].equals("*")) {
            list(() -> each(consumer, path, step + 1));
        } else {
            skip();
        }
    }

    /** Reads the next value with everything in it. */
    public Object value() throws IOException {
        int first = in.skipSpace();
        budget.take(first == '{' || first == '[' ? MemoryBudget.OF_OBJECT : MemoryBudget.OF_VALUE);
        return switch (first) {
            case '{' -> members();
            case '[' -> {
                List<Object> elements = new ArrayList<>();
                list(() -> elements.add(value()));
                yield elements;
            }
            case '"' -> {
                String text = rules.texts().apply(string());
                budget.take(text.length());
                yield text;
            }
            default -> plain(first);
        };
    }

    private Map<String, Object> members() throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        object(name -> {
            budget.take(MemoryBudget.OF_VALUE + name.length());
            String shown = rules.texts().apply(name);
            if (members.put(shown, value()) != null && rules.isStrict()) {
                throw in.invalid("duplicate member '" + shown + "'");
            }
        });
        return members;
    }

    /** Skips a value, with the same checks. */
    private void skip() throws IOException {
        int first = in.skipSpace();
        long left = budget.left();
        switch (first) {
            case '{' -> object(name -> skip());
            case '[' -> list(this::skip);
            case '"' -> in.skipText();
            default -> plain(first);
        }
        budget.free(left);
    }

    private void object(Member member) throws IOException {
        enter();
        if (in.skipSpace() == '}') {
            in.next();
        } else {
            do {
                if (in.skipSpace() != '"') {
                    throw in.expected("a name in quotes");
                }
                String name = string();
                if (in.skipSpace() != ':') {
                    throw in.expected("':'");
                }
                in.next();
                member.read(name);
            } while (continues('}'));
        }
        depth--;
    }

    private void list(Element element) throws IOException {
        enter();
        if (in.skipSpace() == ']') {
            in.next();
        } else {
            do {
                element.read();
            } while (continues(']'));
        }
        depth--;
    }

    private void enter() throws IOException {
        if (++depth > DEEPEST) {
            throw in.expected("at most " + DEEPEST + " levels");
        }
        in.next();
    }

    private boolean continues(char end) throws IOException {
        int c = in.skipSpace();
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
        if (!NUMBER.matcher(number).matches()) {
            throw in.expected("a number");
        }
        try {
            return isWhole && number.length() <= LONGEST_LONG
                    ? wholeNumber(number)
                    : rules.decimals().apply(number);
        } catch (NumberFormatException tooLarge) {
            throw (IOException) in.expected("a smaller exponent").initCause(tooLarge);
        }
    }

    private Number wholeNumber(String number) {
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
        for (int c = in.nextOfString(); c != Characters.CLOSED; c = in.nextOfString()) {
            text.append((char) c);
            if (text.length() % BUFFER == 0) {
                budget.take(BUFFER); // checked while it grows, before it can exceed the available memory
            }
        }
        return text.toString();
    }

    /** A character reader that tracks its position. Not thread-safe. */
    private static final class Characters {
        static final int END = -1;

        /** Returned instead of a character at the end of a string. */
        static final int CLOSED = -2;

        private final Reader in;
        private final char[] buffer;
        private int at;
        private int filled;
        private long line = 1;
        private long lineStart;
        private long before;

        Characters(Reader in, int size) {
            this.in = in;
            this.buffer = new char[size];
        }

        /** Returns the next character without consuming it. */
        int peek() throws IOException {
            if (at == filled) {
                before += filled;
                at = 0;
                filled = Math.max(0, in.read(buffer, 0, buffer.length));
            }
            return at < filled ? buffer[at] : END;
        }

        int next() throws IOException {
            int c = peek();
            if (c != END) {
                at++;
            }
            if (c == '\n') {
                line++;
                lineStart = before + at;
            }
            return c;
        }

        /** Skips white space and returns the next character without consuming it. */
        int skipSpace() throws IOException {
            int c = peek();
            while (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                next();
                c = peek();
            }
            return c;
        }

        /**
         * Consumes the rest of a string and its closing quote, if the buffer holds all of it without escapes; otherwise
         * null.
         */
        @Nullable
        String plainText() {
            for (int i = at; i < filled && buffer[i] != '\\' && buffer[i] >= ' '; i++) {
                if (buffer[i] == '"') {
                    String text = new String(buffer, at, i - at);
                    at = i + 1;
                    return text;
                }
            }
            return null;
        }

        /** Consumes the next character of a string, escaped or not; {@link #CLOSED} at the closing quote. */
        int nextOfString() throws IOException {
            int c = nextInQuotes();
            return c == '"' ? CLOSED : c == '\\' ? escape() : c;
        }

        /** Skips a string, including both quotes. */
        void skipText() throws IOException {
            next();
            while (nextOfString() != CLOSED) {
                // the content is discarded
            }
        }

        private int nextInQuotes() throws IOException {
            int c = next();
            if (c == END) {
                throw expected("a closing quote");
            }
            if (c < ' ') {
                throw expected("no control character in a string");
            }
            return c;
        }

        private int escape() throws IOException {
            int c = nextInQuotes();
            if (c == 'u') {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = "0123456789abcdef".indexOf(Character.toLowerCase(nextInQuotes()));
                    if (digit < 0) {
                        throw expected("four hexadecimal digits");
                    }
                    code = code << 4 | digit;
                }
                return code;
            }
            int known = "bfnrt\"\\/".indexOf(c);
            if (known < 0) {
                throw expected("an escape such as \\n");
            }
            return "\b\f\n\r\t\"\\/".charAt(known);
        }

        /** The error for an unexpected character. */
        IOException expected(String expectation) throws IOException {
            return invalid("expected " + expectation + (peek() == END ? ", but the text ends" : ""));
        }

        IOException invalid(String why) {
            String place = (line == 1 ? "" : "line " + line + ", ") + "character " + (before + at - lineStart + 1);
            return new IOException("invalid JSON at " + place + ": " + why);
        }
    }

    /** A memory limit for parsed trees: a bracket is one byte in a file but about a hundred in memory. Not thread-safe. */
    public static final class MemoryBudget {
        static final int OF_OBJECT = 120;
        static final int OF_VALUE = 56;

        private long bytes;

        public MemoryBudget() {
            this(Runtime.getRuntime().maxMemory() / 4);
        }

        MemoryBudget(long bytes) {
            this.bytes = bytes;
        }

        public void take(long more) throws IOException {
            bytes -= more;
            if (bytes < 0) {
                throw new IOException("the JSON needs more memory than is available");
            }
        }

        long left() {
            return bytes;
        }

        /** Releases everything reserved since this much was left. */
        void free(long left) {
            bytes = left;
        }
    }
}
