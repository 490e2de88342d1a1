package dev.downbeat.report.view.schema;

import dev.downbeat.report.render.JsonSchema;
import dev.downbeat.report.view.AuditView.AuditData;
import dev.downbeat.report.view.ExplainView;
import dev.downbeat.report.view.ProofView;
import dev.downbeat.report.view.RunData;
import dev.downbeat.report.view.SessionView;
import dev.downbeat.report.view.compare.ComparisonData;
import dev.downbeat.report.view.compare.HistoryView.HistoryData;
import dev.downbeat.report.view.position.IdleView;
import dev.downbeat.report.view.position.PositionData;
import dev.downbeat.report.view.position.PositionVariantsView;
import dev.downbeat.report.view.sweep.SweepData;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON Schema of each kind of result. {@code docs/schema} has them as files. */
public final class JsonSchemas {
    private static final Map<String, String> ALL = made();

    private JsonSchemas() {}

    /** By the name of the file, without its extension. */
    public static Map<String, String> all() {
        return ALL;
    }

    private static Map<String, String> made() {
        Map<String, Class<? extends Record>> kinds = new LinkedHashMap<>();
        kinds.put("run", RunData.class);
        kinds.put("sweep", SweepData.class);
        kinds.put("comparison", ComparisonData.class);
        kinds.put("variants", ComparisonData.VariantsData.class);
        kinds.put("history", HistoryData.class);
        kinds.put("position", PositionData.class);
        kinds.put("position_variants", PositionVariantsView.VariantsData.class);
        kinds.put("idle", IdleView.IdleData.class);
        kinds.put("session", SessionView.SessionData.class);
        kinds.put("proof", ProofView.ProofData.class);
        kinds.put("audit", AuditData.class);
        kinds.put("explanation", ExplainView.Data.class);
        Map<String, String> schemas = new LinkedHashMap<>();
        kinds.forEach((kind, type) -> schemas.put(kind, JsonSchema.of(type, "Downbeat: " + kind.replace('_', ' '))));
        return schemas;
    }
}
