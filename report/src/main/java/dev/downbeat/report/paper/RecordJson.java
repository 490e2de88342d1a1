package dev.downbeat.report.paper;

import dev.downbeat.json.RecordMember;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes records as JSON. Keys are never missing: unknown values are {@code null}, with the reasons in
 * {@code unavailable}, the last member. Not thread-safe.
 */
public final class RecordJson {
    /** Incremented when a name is removed or changes its meaning, not when one is added. */
    public static final int SCHEMA = 1;

    private final JsonWriter json;
    private final Map<String, String> unavailable = new LinkedHashMap<>();
    private final Map<RecordMember, String> names = new HashMap<>();

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
        writer.json.end().end();
        out.append('\n');
    }

    /**
     * The JSON name of a component: {@code ratePerSecond} is {@code rate_per_s}, {@code maxNanos} is {@code max_ns}.
     */
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
        if (value instanceof Known<?> told) {
            if (told.value().isPresent()) {
                write(name, told.value().get(), path);
            } else {
                json.putNull(name);
                unavailable.putIfAbsent(path, told.whyNot());
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
}
