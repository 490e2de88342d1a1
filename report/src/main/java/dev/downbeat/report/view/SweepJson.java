package dev.downbeat.report.view;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.capacity.Unmeasured;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.ScalabilityLaw;
import dev.downbeat.verdict.Objective;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A search for the highest rate as JSON, schema 1: what is not known is null. */
public final class SweepJson {
    private final SweepReport report;
    private final Capacity capacity;
    private final JsonWriter json;

    private SweepJson(SweepReport report, JsonWriter json) {
        this.report = report;
        this.capacity = report.capacity();
        this.json = json;
    }

    /** Writes all of it. */
    public static void write(SweepReport report, Appendable out) throws IOException {
        write("", report, new JsonWriter(out));
        out.append('\n');
    }

    /** As a member of something greater. */
    static void write(String name, SweepReport report, JsonWriter json) throws IOException {
        new SweepJson(report, json).write(name);
    }

    private void write(String name) throws IOException {
        json.beginObject(name)
                .put("schema", JsonReport.SCHEMA)
                .put("kind", "sweep")
                .put("downbeat", report.version());
        json.beginArrayRow("command");
        for (String word : report.command()) {
            json.put("", word);
        }
        json.end();
        if (report.seed().isEmpty()) {
            json.putNull("seed");
        } else {
            json.put("seed", report.seed());
        }
        json.put("target", report.target());
        json.put("step_ns", capacity.plan().stepNanos());
        json.put("settling_ns", capacity.plan().settlingNanos());
        json.put("budget_ns", capacity.plan().budgetNanos());
        sustainable();
        saturation();
        scalability();
        json.beginArray("steps");
        for (RateStep step : capacity.steps()) {
            step(step);
        }
        json.end().end();
    }

    private void sustainable() throws IOException {
        json.beginObject("sustainable")
                .put("rate_per_s", capacity.sustainablePerSecond())
                .put("too_high_per_s", capacity.tooHighPerSecond())
                .put("confirmed", capacity.isConfirmed())
                .put("limit", lower(capacity.limit()))
                .put("cut_short", capacity.isCutShort());
        if (capacity.clientLimit().isPresent()) {
            json.put("client_limit", capacity.clientLimit().get());
        } else {
            json.putNull("client_limit");
        }
        json.end();
        Optional<Unmeasured> unmeasured = capacity.unmeasured();
        json.beginObject("unmeasured").put("rate_per_s", optional(unmeasured.map(Unmeasured::perSecond)));
        if (unmeasured.isPresent()) {
            json.put("reason", unmeasured.get().reason());
        } else {
            json.putNull("reason");
        }
        json.end();
    }

    private void saturation() throws IOException {
        Optional<Growth.Capacity> found = capacity.saturation();
        json.beginObject("capacity")
                .put("rate_per_s", optional(found.map(Growth.Capacity::perSecond)))
                .put("low_per_s", optional(found.map(Growth.Capacity::lowPerSecond)))
                .put("high_per_s", optional(found.map(Growth.Capacity::highPerSecond)))
                .end();
    }

    private void scalability() throws IOException {
        Optional<ScalabilityLaw> law = capacity.scalability();
        json.beginObject("scalability")
                .put("per_client_per_s", optional(law.map(ScalabilityLaw::perClient)))
                .put("contention", optional(law.map(ScalabilityLaw::contention)))
                .put("coherence", optional(law.map(ScalabilityLaw::coherence)))
                .put("best_clients", optional(law.map(ScalabilityLaw::bestClients)))
                .end();
    }

    private static OptionalDouble optional(Optional<Double> value) {
        return value.filter(Double::isFinite).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private void step(RateStep step) throws IOException {
        Distribution response = step.recording().responseAtLeast();
        json.beginObject("")
                .put("rate_per_s", step.perSecond())
                .put("outcome", lower(step.outcome()))
                .put("reason", step.reason())
                .put("confirmed", step.isConfirmed())
                .put("measured_ns", step.measuredNanos())
                .put("answered_per_s", step.answeredPerSecond())
                .put("growth_per_s", optional(step.growth().map(Growth::slope)))
                .put("growth_low_per_s", optional(step.growth().map(Growth::lowSlope)))
                .put("growth_high_per_s", optional(step.growth().map(Growth::highSlope)));
        json.beginRow("response_at_least")
                .put("count", response.count())
                .put("p50_ns", Numbers.percentile(response, 50))
                .put("p90_ns", Numbers.percentile(response, 90))
                .put("p99_ns", Numbers.percentile(response, 99))
                .put("max_ns", Numbers.percentile(response, 100))
                .end();
        for (double percentile : RateStep.PERCENTILES) {
            Optional<QuantileInterval> interval = step.responseTime(percentile);
            json.beginRow("p" + Math.round(percentile) + "_interval")
                    .put("low_ns", interval.map(QuantileInterval::lowNanos).orElse(OptionalLong.empty()))
                    .put("high_ns", interval.map(QuantileInterval::highNanos).orElse(OptionalLong.empty()))
                    .end();
        }
        json.beginArray("objectives");
        for (Objective objective : step.objectives()) {
            json.beginRow("")
                    .put("text", objective.slo().text())
                    .put("status", objective.status().word())
                    .put("reason", objective.reason())
                    .end();
        }
        json.end().end();
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
