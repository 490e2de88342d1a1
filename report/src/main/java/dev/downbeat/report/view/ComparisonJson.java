package dev.downbeat.report.view;

import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.verdict.ComparedIncidents;
import dev.downbeat.verdict.ComparedRun;
import dev.downbeat.verdict.ComparedSide;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Comparison.Row;
import dev.downbeat.verdict.Incomparable;
import dev.downbeat.verdict.PercentileName;
import java.io.IOException;
import java.util.List;

/** A comparison as JSON, schema 1: names and units are fixed so that scripts can rely on them. */
public final class ComparisonJson {
    private ComparisonJson() {}

    /** Writes the whole page. */
    public static void write(ComparisonReport report, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.beginObject("").put("schema", JsonReport.SCHEMA).put("downbeat", report.version());
        command(json, report.command());
        json.put("load", report.load());
        comparison(json, report.comparison());
        json.put("tolerance", report.tolerance());
        json.put("accept_doubts", report.acceptDoubts());
        json.put("exit_code", (long) report.exitCode());
        json.end();
        out.append('\n');
    }

    static void command(JsonWriter json, Iterable<String> words) throws IOException {
        json.beginArrayRow("command");
        for (String word : words) {
            json.put("", word);
        }
        json.end();
    }

    /** The members of a comparison, into an object that is open. */
    static void comparison(JsonWriter json, Comparison comparison) throws IOException {
        side(json, "base", comparison.base());
        side(json, "other", comparison.other());
        json.put("in_turns", comparison.inTurns());
        json.put("outcome", comparison.outcome().word()).put("sentence", ChangeText.sentence(comparison));
        rows(json, "percentiles", comparison.rows());
        if (comparison.incidents().isPresent()) {
            ComparedIncidents apart = comparison.incidents().get();
            json.beginObject("incidents").put("sentence", apart.text());
            json.put("base", (long) apart.base().lengths().size());
            json.put("other", (long) apart.other().lengths().size());
            json.put("often", apart.often().word())
                    .put("lasting", apart.lasting().word());
            rows(json, "percentiles_without", apart.rows());
            json.end();
        }
        json.put("between_runs_unknown", comparison.isBetweenRunsUnknown());
        json.beginObject("not_answered");
        json.put("base", comparison.failures().base())
                .put("other", comparison.failures().other());
        json.put("low", comparison.failures().low())
                .put("high", comparison.failures().high());
        json.put("surely_more", comparison.failures().isMore()).end();
        json.put("cliffs_delta", comparison.effect());
        json.beginArray("doubts");
        for (Incomparable doubt : comparison.doubts()) {
            json.beginRow("")
                    .put("code", doubt.code())
                    .put("text", doubt.text())
                    .end();
        }
        json.end();
    }

    private static void rows(JsonWriter json, String name, List<Row> rows) throws IOException {
        json.beginArray(name);
        for (Row row : rows) {
            json.beginRow("").put("percentile", PercentileName.of(row.percentile()));
            json.put("base_ns", row.baseNanos()).put("base_lower_bound", row.baseIsLowerBound());
            json.put("other_ns", row.otherNanos()).put("other_lower_bound", row.otherIsLowerBound());
            json.put("change", row.change()).put("low", row.lowChange()).put("high", row.highChange());
            json.put("at_least", row.atLeast()).put("at_most", row.atMost());
            json.put("same_within", row.sameWithin());
            json.put("answer", row.answer().word()).end();
        }
        json.end();
    }

    private static void side(JsonWriter json, String key, ComparedSide side) throws IOException {
        Recording total = side.total();
        json.beginObject(key).put("name", side.name());
        json.beginArray("runs");
        for (ComparedRun run : side.runs()) {
            json.beginRow("").put("name", run.name()).put("stretches", (long)
                    run.stretches().size());
            json.put("intended_per_s", run.ratePerSecond()).end();
        }
        json.end();
        json.put("requests", ComparedSide.planned(total));
        json.put("answered", total.response().count());
        json.put("failed", total.failed().count());
        json.put("censored", total.censored().count());
        json.put("intended_per_s", side.ratePerSecond());
        json.put("max_ns", total.responseAtLeast().maxNanos());
        json.end();
    }
}
