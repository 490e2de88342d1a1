package dev.downbeat.report.paper;

import dev.downbeat.json.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Writes JSON with an indent of two; small arrays and objects may stay on one line. Not thread-safe. */
public final class JsonWriter {
    private final Appendable out;
    private final Deque<Scope> scopes = new ArrayDeque<>();

    private static final class Scope {
        final char end;
        final boolean onOneLine;
        boolean hasMembers;

        Scope(char end, boolean onOneLine) {
            this.end = end;
            this.onOneLine = onOneLine;
        }
    }

    public JsonWriter(Appendable out) {
        this.out = out;
    }

    public JsonWriter beginObject(String name) throws IOException {
        return begin(name, '{', false);
    }

    /** An object on one line, for rows. */
    public JsonWriter beginRow(String name) throws IOException {
        return begin(name, '{', true);
    }

    public JsonWriter beginArray(String name) throws IOException {
        return begin(name, '[', false);
    }

    public JsonWriter beginArrayRow(String name) throws IOException {
        return begin(name, '[', true);
    }

    private JsonWriter begin(String name, char start, boolean onOneLine) throws IOException {
        boolean isInRow = !scopes.isEmpty() && scopes.peek().onOneLine && scopes.peek().end == '}';
        member(name);
        out.append(start);
        scopes.push(new Scope(start == '{' ? '}' : ']', onOneLine || isInRow));
        return this;
    }

    public JsonWriter end() throws IOException {
        Scope closed = scopes.pop();
        if (closed.hasMembers && !closed.onOneLine) {
            newLine();
        } else if (closed.hasMembers && closed.end == '}') {
            out.append(' ');
        }
        out.append(closed.end);
        return this;
    }

    public JsonWriter put(String name, String value) throws IOException {
        member(name);
        string(value);
        return this;
    }

    public JsonWriter put(String name, long value) throws IOException {
        member(name);
        out.append(Long.toString(value));
        return this;
    }

    public JsonWriter put(String name, boolean value) throws IOException {
        member(name);
        out.append(Boolean.toString(value));
        return this;
    }

    /** At most six decimals. */
    public JsonWriter put(String name, double value) throws IOException {
        member(name);
        String digits = BigDecimal.valueOf(value)
                .setScale(6, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
        out.append(digits.contains(".") ? digits : digits + ".0");
        return this;
    }

    /** A tree of objects, lists, texts, numbers and booleans. */
    public JsonWriter putTree(String name, Object value) throws IOException {
        if (value instanceof Map<?, ?> members) {
            beginObject(name);
            for (Map.Entry<?, ?> member : members.entrySet()) {
                putTree(String.valueOf(member.getKey()), member.getValue());
            }
            return end();
        }
        if (value instanceof List<?> list) {
            beginArrayRow(name);
            for (Object one : list) {
                putTree("", one);
            }
            return end();
        }
        return value instanceof Number number
                ? put(name, number.longValue())
                : value instanceof Boolean yes ? put(name, yes) : put(name, value.toString());
    }

    public JsonWriter putNull(String name) throws IOException {
        member(name);
        out.append("null");
        return this;
    }

    private void member(String name) throws IOException {
        Scope scope = scopes.peek();
        if (scope == null) {
            return;
        }
        if (scope.hasMembers) {
            out.append(scope.onOneLine ? ", " : ",");
        } else if (scope.onOneLine && scope.end == '}') {
            out.append(' ');
        }
        scope.hasMembers = true;
        if (!scope.onOneLine) {
            newLine();
        }
        if (scope.end == '}') {
            string(name);
            out.append(": ");
        }
    }

    private void newLine() throws IOException {
        out.append('\n');
        for (int i = 0; i < scopes.size(); i++) {
            out.append("  ");
        }
    }

    private void string(String value) throws IOException {
        StringBuilder quoted = new StringBuilder(value.length() + 2);
        JsonText.quote(value, quoted);
        out.append(quoted);
    }
}
