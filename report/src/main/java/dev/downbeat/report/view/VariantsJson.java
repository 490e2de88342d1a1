package dev.downbeat.report.view;

import dev.downbeat.record.Ledger;
import dev.downbeat.report.data.VariantsReport;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Comparison;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.Variants.Quantile;
import dev.downbeat.verdict.Variants.Variant;
import java.io.IOException;
import java.util.OptionalLong;

/** Variants as JSON, schema 1: names and units are fixed so that scripts can rely on them. */
public final class VariantsJson {
    private VariantsJson() {}

    /** Writes the whole page. */
    public static void write(VariantsReport report, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.beginObject("").put("schema", JsonReport.SCHEMA).put("downbeat", report.version());
        ComparisonJson.command(json, report.command());
        json.put("target", report.target()).put("load", report.load());
        json.put("turns", (long) report.variants().turns());
        json.beginArray("variants");
        for (Variant variant : report.variants().variants()) {
            variant(json, variant);
        }
        json.end();
        json.beginArray("against_first");
        for (Comparison comparison : report.variants().againstFirst()) {
            json.beginObject("");
            ComparisonJson.comparison(json, comparison);
            json.end();
        }
        json.end();
        json.put("exit_code", (long) report.exitCode());
        json.end();
        out.append('\n');
    }

    private static void variant(JsonWriter json, Variant variant) throws IOException {
        RunResult total = variant.total();
        json.beginObject("").put("name", variant.name()).put("complete", total.isComplete());
        json.put("duration_ns", total.durationNanos());
        ledger(json, total.ledger());
        json.beginArray("percentiles");
        for (Quantile quantile : variant.quantiles()) {
            json.beginRow("").put("percentile", PercentileName.of(quantile.percentile()));
            json.put("ns", quantile.nanos()).put("lower_bound", quantile.isLowerBound());
            json.put(
                    "low_ns",
                    quantile.interval()
                            .map(range -> OptionalLong.of(range.lowNanos()))
                            .orElse(OptionalLong.empty()));
            json.put(
                    "high_ns",
                    quantile.interval()
                            .map(range -> OptionalLong.of(range.highNanos()))
                            .orElse(OptionalLong.empty()));
            json.end();
        }
        json.end();
        json.put("max_ns", total.recording().responseAtLeast().maxNanos());
        json.put("pool_wait_share", variant.poolWaitShare());
        json.put("connections_opened", total.connections().opened());
        json.beginArray("objectives");
        for (Objective objective : variant.verdict().objectives()) {
            json.beginRow("").put("text", objective.slo().text());
            json.put("status", objective.status().word())
                    .put("reason", objective.reason())
                    .end();
        }
        json.end();
        json.put("measurement", variant.verdict().measurement().word());
        json.beginArray("reasons");
        for (Caveat caveat : variant.verdict().caveats()) {
            json.beginRow("")
                    .put("code", caveat.code())
                    .put("doubt", variant.verdict().doubts().contains(caveat));
            json.put("text", caveat.text()).end();
        }
        json.end();
        json.end();
    }

    private static void ledger(JsonWriter json, Ledger ledger) throws IOException {
        json.beginRow("ledger").put("planned", ledger.planned()).put("answered", ledger.answered());
        json.put("failed", ledger.failed()).put("timed_out", ledger.timedOut());
        json.put("in_flight", ledger.inFlight()).put("never_sent", ledger.neverSent());
        json.put("adds_up", ledger.addsUp()).end();
    }
}
