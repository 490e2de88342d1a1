package dev.downbeat.audit.format;

import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRules;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON value whose members may be missing; null if it is missing or JSON's {@code null}. Immutable. */
record Json(@Nullable Object value) {
    Json {
        value = value == JsonReader.NULL ? null : value;
    }

    /** Parses a whole text. */
    static Json of(String text) throws IOException {
        return new Json(JsonReader.parse(text, JsonRules.EXACT));
    }

    /** A reader of a source's values. */
    static JsonReader reader(Source source) {
        return new JsonReader(new InputStreamReader(source.stream(), StandardCharsets.UTF_8), JsonRules.EXACT);
    }

    Json get(String... names) {
        Object at = value;
        for (String name : names) {
            at = at instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return new Json(at);
    }

    boolean has() {
        return value != null;
    }

    String text() {
        return value == null ? "" : value.toString();
    }

    double number() {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        if (value instanceof String text) {
            return Double.parseDouble(text);
        }
        throw new IllegalArgumentException("a number is missing");
    }

    double number(double defaultValue) {
        return value == null ? defaultValue : number();
    }

    long whole() {
        if (value instanceof Long whole) {
            return whole;
        }
        return value instanceof String text ? Long.parseLong(text) : Math.round(number());
    }

    List<Json> elements() {
        List<Json> all = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(each -> all.add(new Json(each)));
        }
        return all;
    }

    /** The members that are not {@code null}. */
    Map<String, Json> members() {
        Map<String, Json> all = new HashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> all.put(String.valueOf(name), new Json(member)));
            all.values().removeIf(member -> !member.has());
        }
        return all;
    }
}
