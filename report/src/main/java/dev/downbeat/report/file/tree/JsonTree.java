package dev.downbeat.report.file.tree;

import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRoom;
import dev.downbeat.json.JsonRules;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Our own JSON, read back. Pure functions. */
public final class JsonTree {
    private JsonTree() {}

    /**
     * Reads one value.
     *
     * @throws IOException if it is no JSON, or there is more behind it
     */
    static Object parse(String text) throws IOException {
        return parse(text, new JsonRoom());
    }

    /** The same of one of several texts. */
    public static Object parse(String text, JsonRoom room) throws IOException {
        return JsonReader.parse(text, JsonRules.SHOWN, room);
    }

    /** Reads an object whose texts are kept as they are: who shows one of them makes a line of it. */
    public static Map<String, Object> verbatim(String text) throws IOException {
        return asObject(JsonReader.parse(text, JsonRules.OWN));
    }

    /** Reads an object. */
    public static Map<String, Object> object(String text) throws IOException {
        return asObject(parse(text));
    }

    public static Map<String, Object> asObject(Object value) throws IOException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IOException("garbled: an object was expected");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), member));
        return members;
    }
}
