package dev.downbeat.report.view;

import dev.downbeat.report.paper.JsonWriter;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A sheet as JSON, schema 1: what is not known is null. */
public final class SheetJson {
    private SheetJson() {}

    /** Writes all of it. */
    public static void write(SheetReport report, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.beginObject("")
                .put("schema", JsonReport.SCHEMA)
                .put("kind", "sheet")
                .put("downbeat", report.version());
        json.beginArrayRow("command");
        for (String word : report.command()) {
            json.put("", word);
        }
        json.end().put("target", report.target()).put("complete", report.isWhole());
        json.beginObject("conditions");
        for (Map.Entry<String, String> condition : report.conditions().entrySet()) {
            json.put(condition.getKey().replace(' ', '_'), condition.getValue());
        }
        json.end().beginArray("doubts");
        for (String doubt : report.doubts()) {
            json.put("", doubt);
        }
        json.end().beginArray("sections");
        for (SheetSection section : report.sections()) {
            section(section, json);
        }
        json.end().end();
        out.append('\n');
    }

    private static void section(SheetSection section, JsonWriter json) throws IOException {
        json.beginObject("").put("code", section.code()).put("title", section.title());
        json.beginArray("rows");
        for (SheetSection.Row row : section.rows()) {
            SheetValue value = row.value();
            json.beginRow("").put("code", row.code()).put("condition", row.condition());
            put(json, "low", value.unit(), value.low());
            put(json, "typical", value.unit(), value.typical());
            put(json, "high", value.unit(), value.high());
            json.end();
        }
        json.end().beginArray("remarks");
        for (String remark : section.remarks()) {
            json.put("", remark);
        }
        json.end().end();
    }

    private static void put(JsonWriter json, String name, SheetValue.Unit unit, OptionalDouble value)
            throws IOException {
        if (unit == SheetValue.Unit.NANOS || unit == SheetValue.Unit.COUNT) {
            json.put(
                    name + unit.ending(),
                    value.isPresent() ? OptionalLong.of(Math.round(value.getAsDouble())) : OptionalLong.empty());
        } else {
            json.put(name + unit.ending(), value);
        }
    }
}
