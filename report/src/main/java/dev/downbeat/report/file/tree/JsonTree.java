package dev.downbeat.report.file.tree;

import dev.downbeat.exchange.SafeText;
import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonReader.MemoryBudget;
import dev.downbeat.json.JsonRules;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Parses Downbeat's own JSON. Pure functions. */
public final class JsonTree {
    private JsonTree() {}

    /**
     * Parses one value.
     *
     * @throws IOException if the text is not JSON, or more follows
     */
    static Object parse(String text) throws IOException {
        return parse(text, new MemoryBudget());
    }

    /** Parses one of several texts that share a limit. */
    public static Object parse(String text, MemoryBudget budget) throws IOException {
        return JsonReader.parse(text, JsonRules.SHOWN, budget);
    }

    /** Parses an object without replacing line breaks in texts; the caller must do so before displaying one. */
    public static Map<String, Object> verbatim(String text) throws IOException {
        return asObject(JsonReader.parse(text, JsonRules.OWN));
    }

    public static Map<String, Object> object(String text) throws IOException {
        return asObject(parse(text));
    }

    /**
     * Refuses a file without a schema, or with a later one than this version knows.
     *
     * @param members of its outermost object
     * @param known the latest schema of its kind
     */
    public static void checkSchema(Map<String, Object> members, int known) throws IOException {
        if (!(members.get("schema") instanceof Long schema) || schema < 1) {
            throw new IOException("the file has no \"schema\" member");
        }
        if (schema > known) {
            String version = SafeText.line(String.valueOf(members.getOrDefault("downbeat", "unknown")));
            throw new IOException("has schema " + schema + ", but this Downbeat knows only schemas up to " + known
                    + ": use the version that wrote it (" + version + ") or a later one");
        }
    }

    public static Map<String, Object> asObject(Object value) throws IOException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IOException("corrupt: an object was expected");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), member));
        return members;
    }
}
