package dev.downbeat.report.render;

import dev.downbeat.json.RecordMember;
import dev.downbeat.report.render.RecordJson.Known;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * The JSON Schema (draft 2020-12) of what {@link RecordJson} writes of a record. All keys are required, since none is ever
 * missing; others may be added in time.
 */
public final class JsonSchema {
    private final Map<String, String> definitions = new LinkedHashMap<>();
    private final RecordDocs docs = new RecordDocs();

    private JsonSchema() {}

    /** The schema of a root, as text. */
    public static String of(Class<? extends Record> root, String title) {
        JsonSchema schema = new JsonSchema();
        String members = schema.members(
                root,
                List.of("\"unavailable\": {\n      \"type\": \"object\",\n"
                        + "      \"additionalProperties\": { \"type\": \"string\" }\n    }"));
        String definitions = schema.definitions.entrySet().stream()
                .map(one -> "    \"" + one.getKey() + "\": {\n      "
                        + one.getValue().replace("\n", "\n    ") + "\n    }")
                .collect(Collectors.joining(",\n"));
        return "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"" + title
                + "\",\n  " + members + (definitions.isEmpty() ? "" : ",\n  \"$defs\": {\n" + definitions + "\n  }")
                + "\n}\n";
    }

    private void gather(Class<?> type, List<String> names, List<String> properties) {
        for (RecordMember component : RecordMember.of(type)) {
            String name = RecordJson.name(component);
            if (!name.isEmpty()) {
                names.add("\"" + name + "\"");
                String text = docs.of(type, component.name())
                        .map(JsonSchema::described)
                        .orElse("");
                properties.add("\"" + name + "\": "
                        + schema(component.component().getGenericType(), false)
                                .replaceFirst("^\\{ ?", "{ " + Matcher.quoteReplacement(text)));
            } else if (component.type().isRecord()) {
                gather(component.type(), names, properties);
            }
        }
    }

    private static String described(String text) {
        return "\"description\": \"" + escaped(text) + "\", ";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private String members(Class<?> type, List<String> more) {
        List<String> properties = new ArrayList<>();
        List<String> names = new ArrayList<>();
        gather(type, names, properties);
        properties.addAll(more);
        if (!more.isEmpty()) {
            names.add("\"unavailable\"");
        }
        return docs.of(type)
                        .map(text -> "\"description\": \"" + escaped(text) + "\",\n  ")
                        .orElse("")
                + "\"type\": \"object\",\n  \"required\": [" + String.join(", ", names)
                + "],\n  \"properties\": {\n    "
                + String.join(",\n    ", properties) + "\n  }";
    }

    private String schema(Type type, boolean nullable) {
        if (type instanceof ParameterizedType generic) {
            Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (generic.getRawType() == Known.class) {
                return schema(last, true);
            }
            String more = generic.getRawType() == List.class ? "\"items\"" : "\"additionalProperties\"";
            String kind = generic.getRawType() == List.class ? "array" : "object";
            return "{ " + type(kind, nullable) + ", " + more + ": " + schema(last, false) + " }";
        }
        if (type instanceof Class<?> record && record.isRecord()) {
            String name = record.getSimpleName();
            if (!definitions.containsKey(name)) {
                definitions.put(name, "");
                definitions.put(name, members(record, List.of()));
            }
            String reference = "{ \"$ref\": \"#/$defs/" + name + "\" }";
            return nullable ? "{ \"anyOf\": [" + reference + ", { \"type\": \"null\" }] }" : reference;
        }
        return type == Object.class ? "{}" : "{ " + type(kind(type), nullable) + " }";
    }

    private static String type(String kind, boolean nullable) {
        return nullable ? "\"type\": [\"" + kind + "\", \"null\"]" : "\"type\": \"" + kind + "\"";
    }

    private static String kind(Type type) {
        if (type == String.class) {
            return "string";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        return type == double.class || type == Double.class ? "number" : "integer";
    }
}
