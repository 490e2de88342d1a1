package dev.downbeat.report.render;

import dev.downbeat.json.JsonText;
import dev.downbeat.json.RecordMember;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Writes records as JSON. Keys are never missing: unknown values are {@code null}, with the reasons in
 * {@code unavailable}, the last member. Not thread-safe.
 */
public final class RecordJson {
    /** Incremented when a name is removed or changes its meaning, not when one is added. */
    public static final int SCHEMA = 1;

    private final JsonWriter json;
    private final Map<String, String> unavailable = new LinkedHashMap<>();
    private final Map<RecordMember, String> names = new IdentityHashMap<>();

    private RecordJson(Appendable out) {
        this.json = new JsonWriter(out);
    }

    /**
     * Writes a record.
     *
     * @param root record whose components are the members
     * @throws IOException if {@code out} fails
     */
    public static void write(Record root, Appendable out) throws IOException {
        RecordJson writer = new RecordJson(out);
        writer.json.beginObject("");
        writer.members(root, "");
        writer.json.beginObject("unavailable");
        for (Map.Entry<String, String> reason : writer.unavailable.entrySet()) {
            writer.json.put(reason.getKey(), reason.getValue());
        }
        writer.json.end();
        writer.json.end();
        out.append('\n');
    }

    /**
     * Writes a tree of objects, lists, texts, whole numbers and booleans.
     *
     * @throws IOException if {@code out} fails
     */
    public static void write(Map<String, Object> tree, Appendable out) throws IOException {
        new RecordJson(out).write("", tree, "");
        out.append('\n');
    }

    /** The JSON name of a component: {@code rate_per_s} for {@code ratePerSecond}. */
    static String name(RecordMember member) {
        Key key = member.component().getAnnotation(Key.class);
        return key != null ? key.value() : member.key().replaceAll("per_second$", "per_s");
    }

    private void members(Record record, String path) throws IOException {
        for (RecordMember member : RecordMember.of(record.getClass())) {
            String name = names.computeIfAbsent(member, RecordJson::name);
            Object value = member.get(record);
            if (name.isEmpty() && value instanceof Record inner) {
                members(inner, path);
            } else if (name.isEmpty()) {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                    write(entry.getKey().toString(), entry.getValue(), path + entry.getKey());
                }
            } else {
                write(name, value, path + name);
            }
        }
    }

    private void write(String name, Object value, String path) throws IOException {
        if (value instanceof Known<?> known) {
            if (known.value().isPresent()) {
                write(name, known.value().get(), path);
            } else {
                json.putNull(name);
                unavailable.putIfAbsent(path, known.whyNot());
            }
        } else if (value instanceof Record record) {
            if (record instanceof OneLine) {
                json.beginRow(name);
            } else {
                json.beginObject(name);
            }
            members(record, path + ".");
            json.end();
        } else if (value instanceof List<?> list) {
            list(name, list, path + "[]");
        } else if (value instanceof Map<?, ?> map) {
            json.beginObject(name);
            for (Map.Entry<?, ?> member : map.entrySet()) {
                write(member.getKey().toString(), member.getValue(), path + "." + member.getKey());
            }
            json.end();
        } else {
            scalar(name, value);
        }
    }

    private void list(String name, List<?> list, String path) throws IOException {
        if (!list.isEmpty() && list.get(0) instanceof Record) {
            json.beginArray(name);
        } else {
            json.beginArrayRow(name);
        }
        for (Object element : list) {
            write("", element, path);
        }
        json.end();
    }

    private void scalar(String name, Object value) throws IOException {
        if (value instanceof String text) {
            json.put(name, text);
        } else if (value instanceof Boolean truth) {
            json.put(name, truth.booleanValue());
        } else if (value instanceof Double number) {
            json.put(name, number.doubleValue());
        } else if (value instanceof Number number) {
            json.put(name, number.longValue());
        } else {
            throw new IllegalArgumentException(name + " must be of a type that JSON has, but was " + value);
        }
    }

    /** Writes JSON with an indent of two; small arrays and objects may stay on one line. Not thread-safe. */
    private static final class JsonWriter {
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

        JsonWriter(Appendable out) {
            this.out = out;
        }

        void beginObject(String name) throws IOException {
            begin(name, '{', false);
        }

        /** An object on one line, for rows. */
        void beginRow(String name) throws IOException {
            begin(name, '{', true);
        }

        void beginArray(String name) throws IOException {
            begin(name, '[', false);
        }

        void beginArrayRow(String name) throws IOException {
            begin(name, '[', true);
        }

        private void begin(String name, char start, boolean onOneLine) throws IOException {
            boolean isInRow = !scopes.isEmpty() && scopes.peek().onOneLine && scopes.peek().end == '}';
            member(name);
            out.append(start);
            scopes.push(new Scope(start == '{' ? '}' : ']', onOneLine || isInRow));
        }

        void end() throws IOException {
            Scope closed = scopes.pop();
            if (closed.hasMembers && !closed.onOneLine) {
                newLine();
            } else if (closed.hasMembers && closed.end == '}') {
                out.append(' ');
            }
            out.append(closed.end);
        }

        void put(String name, String value) throws IOException {
            member(name);
            string(value);
        }

        void put(String name, long value) throws IOException {
            member(name);
            out.append(Long.toString(value));
        }

        void put(String name, boolean value) throws IOException {
            member(name);
            out.append(Boolean.toString(value));
        }

        /** At most six decimals; smaller values have three significant digits. JSON has no infinite numbers. */
        void put(String name, double value) throws IOException {
            if (!Double.isFinite(value)) {
                putNull(name);
                return;
            }
            member(name);
            BigDecimal exact = BigDecimal.valueOf(value);
            BigDecimal rounded = exact.setScale(6, RoundingMode.HALF_UP).stripTrailingZeros();
            String digits = rounded.toPlainString();
            out.append(
                    rounded.signum() == 0 && value != 0
                            ? exact.round(new MathContext(3)).toPlainString()
                            : digits.contains(".") ? digits : digits + ".0");
        }

        void putNull(String name) throws IOException {
            member(name);
            out.append("null");
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

    /** A record that is written on one line of JSON, as a row of many. */
    public interface OneLine {}

    /** The JSON name of a component, where it does not follow from the Java name. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    public @interface Key {
        /** The name; empty for a map or record whose members appear in the enclosing object. */
        String value();
    }

    /**
     * A value for programs, or why it is unavailable. In JSON it is then {@code null}, with the reason under
     * {@code unavailable}.
     *
     * @param value the value, if known
     * @param whyNot the reason otherwise
     * @param <T> a type that JSON has
     */
    public record Known<T>(Optional<T> value, String whyNot) {
        public static <T> Known<T> of(T value) {
            return new Known<>(Optional.of(value), "");
        }

        public static <T> Known<T> not(String why) {
            return new Known<>(Optional.empty(), why);
        }

        public static <T> Known<T> of(Optional<T> value, String otherwise) {
            return new Known<>(value, otherwise);
        }

        public static Known<Long> of(OptionalLong value, String otherwise) {
            return new Known<>(value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty(), otherwise);
        }

        /** A value that may be unknown or infinite. */
        public static Known<Double> of(OptionalDouble value, String otherwise) {
            return new Known<>(
                    value.isPresent() && Double.isFinite(value.getAsDouble())
                            ? Optional.of(value.getAsDouble())
                            : Optional.empty(),
                    otherwise);
        }
    }
}
