package dev.downbeat.report.view;

import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.report.data.SweepPairReport;
import dev.downbeat.report.paper.JsonWriter;
import java.io.IOException;
import java.util.Locale;

/** Two services at several loads as JSON, schema 1: both searches in full, and what follows. */
public final class SweepPairJson {
    private SweepPairJson() {}

    /** Writes all of it. */
    public static void write(SweepPairReport report, Appendable out) throws IOException {
        CapacityComparison comparison = report.comparison();
        JsonWriter json = new JsonWriter(out);
        json.beginObject("")
                .put("schema", JsonReport.SCHEMA)
                .put("kind", "sweep_pair")
                .put("outcome", comparison.outcome().name().toLowerCase(Locale.ROOT))
                .put("both_per_s", comparison.bothPerSecond())
                .put("factor", comparison.factor())
                .put("factor_low", comparison.lowFactor())
                .put("factor_high", comparison.highFactor());
        SweepJson.write("base", report.base(), json);
        SweepJson.write("other", report.other(), json);
        json.end();
        out.append('\n');
    }
}
