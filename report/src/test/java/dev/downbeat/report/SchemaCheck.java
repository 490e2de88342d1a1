package dev.downbeat.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.render.View;
import dev.downbeat.report.view.schema.JsonSchemas;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** Holds what is written for programs against the schema that is shipped for it. */
public final class SchemaCheck {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SchemaCheck() {}

    /**
     * Every key of the schema is there, at any depth; at the top no other one is, and without any one of them it would not be
     * valid.
     */
    public static void hold(String kind, View view) throws IOException {
        StringBuilder text = new StringBuilder();
        Renderer.JSON.write(view, text);
        ObjectNode said = (ObjectNode) JSON.readTree(text.toString());
        assertThat(said.path("kind").asText()).isEqualTo(kind);
        JsonNode schema = JSON.readTree(Objects.requireNonNull(JsonSchemas.all().get(kind), kind));
        JsonSchema shipped = compiled(schema);
        assertThat(shipped.validate(said)).as(kind).isEmpty();
        ObjectNode closed = schema.deepCopy();
        closed.put("additionalProperties", false);
        assertThat(compiled(closed).validate(said))
                .as("nothing else in " + kind)
                .isEmpty();
        for (String key : names(schema.path("required"))) {
            ObjectNode without = said.deepCopy();
            without.remove(key);
            assertThat(shipped.validate(without)).as(kind + " without " + key).isNotEmpty();
        }
    }

    private static List<String> names(JsonNode array) {
        return JSON.convertValue(array, JSON.getTypeFactory().constructCollectionType(List.class, String.class));
    }

    private static JsonSchema compiled(JsonNode schema) {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
    }
}
