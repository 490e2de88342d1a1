package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Part;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionAdvice;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.stats.ConnectionLives;
import dev.downbeat.stats.FirstRequestCost;
import dev.downbeat.stats.Period;
import dev.downbeat.stats.PositionFinding;
import dev.downbeat.stats.PositionTable;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.verdict.Caveat;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** A position report as JSON, schema 1: times are whole nanoseconds, what the data cannot carry is null. */
public final class PositionJson {
    private final PositionReport report;
    private final JsonWriter json;

    private PositionJson(PositionReport report, JsonWriter json) {
        this.report = report;
        this.json = json;
    }

    /** Writes all of it. */
    public static void write(PositionReport report, Appendable out) throws IOException {
        new PositionJson(report, new JsonWriter(out)).write();
        out.append('\n');
    }

    private void write() throws IOException {
        json.beginObject("")
                .put("schema", JsonReport.SCHEMA)
                .put("kind", "position")
                .put("downbeat", report.version());
        json.beginArrayRow("command");
        for (String word : report.command()) {
            json.put("", word);
        }
        json.end();
        json.put("started", report.result().started().toString())
                .put("duration_ns", report.result().durationNanos())
                .put("complete", report.result().complete())
                .put("sound", report.isSound());
        plan(report.result().plan());
        json.beginObject("ledger")
                .put(
                        "planned",
                        (long) report.result().plan().runs()
                                * report.result().plan().requests())
                .put("sent", report.sent())
                .put("answered", report.answered())
                .end();
        errors();
        connections(report.result().connections());
        lives(report.lives());
        cost();
        periods();
        findings();
        StatisticsJson statistics = new StatisticsJson(json);
        statistics.of("service", report.service());
        table("by_place_in_run", report.places());
        table("by_position_on_connection", report.positions());
        json.beginObject("unavailable");
        for (Map.Entry<String, String> reason : statistics.unavailable().entrySet()) {
            json.put(reason.getKey(), reason.getValue());
        }
        json.end();
        json.end();
    }

    private void plan(SerialPlan plan) throws IOException {
        json.beginObject("plan")
                .put("workload", "serial")
                .put("target", report.result().target())
                .put("runs", plan.runs())
                .put("requests", plan.requests())
                .put("concurrency", plan.concurrency())
                .put("warm_up_runs", plan.warmUpRuns())
                .put("staggered", plan.staggered())
                .put("spread_ns", plan.staggered() ? report.result().usualRunNanos() : 0)
                .put("timeout_ns", plan.timeout().toNanos())
                .put("positions_known", report.positionsKnown())
                .end();
    }

    private void errors() throws IOException {
        json.beginObject("errors");
        for (Map.Entry<String, Long> failure : report.result().failures().entrySet()) {
            json.put(failure.getKey(), failure.getValue());
        }
        json.end();
    }

    private void connections(ConnectionCounts counts) throws IOException {
        json.beginObject("connections")
                .put("opened", counts.opened())
                .put("resumed", counts.resumed())
                .put("failed", counts.failed())
                .put("closed_by_server_with_notice", counts.closedByServerWithNotice())
                .put("closed_by_server", counts.closedByServer())
                .put("closed_by_us", counts.closedByUs())
                .put("open_at_end", counts.openAtEnd())
                .end();
    }

    private void lives(ConnectionLives lives) throws IOException {
        json.beginObject("connection_lives")
                .put("ended", lives.ended())
                .put("shortest", lives.shortest())
                .put("longest", lives.longest())
                .put("usual", lives.usual())
                .put("with_usual", lives.withUsual())
                .put("is_rule", lives.isRule())
                .end();
    }

    private void cost() throws IOException {
        if (report.cost().isEmpty()) {
            json.putNull("first_request_cost");
            return;
        }
        FirstRequestCost cost = report.cost().get();
        json.beginObject("first_request_cost")
                .put("first", cost.first())
                .put("rest", cost.rest())
                .put("cost_ns", cost.costNanos())
                .put("cost_low_ns", cost.lowNanos())
                .put("cost_high_ns", cost.highNanos());
        json.beginObject("parts");
        for (Map.Entry<Part, Long> part : cost.partsNanos().entrySet()) {
            json.put(part.getKey().name().toLowerCase(Locale.ROOT) + "_ns", part.getValue());
        }
        json.end();
        json.end();
    }

    private void periods() throws IOException {
        json.beginArray("periods");
        for (Period period : report.periods()) {
            json.beginRow("").put("length", period.length());
            json.beginArrayRow("places");
            for (int place : period.places()) {
                json.put("", place);
            }
            json.end();
            json.put("repeats", period.repeats())
                    .put("slow_ns", period.slowNanos())
                    .put("otherwise_ns", period.otherwiseNanos())
                    .put("chance", period.chance())
                    .end();
        }
        json.end();
    }

    private void findings() throws IOException {
        json.beginArray("findings");
        for (PositionFinding finding : report.findings()) {
            json.beginRow("")
                    .put("code", finding.code())
                    .put("text", finding.text())
                    .end();
        }
        json.end();
        json.beginArray("reasons");
        for (Caveat caveat : report.caveats()) {
            json.beginRow("")
                    .put("code", caveat.code())
                    .put("doubt", caveat.isDoubt())
                    .put("text", caveat.text())
                    .end();
        }
        json.end();
        json.beginArray("advice");
        for (String advice : PositionAdvice.of(report)) {
            json.put("", advice);
        }
        json.end();
    }

    private void table(String name, PositionTable table) throws IOException {
        json.beginArray(name);
        for (PositionTable.Row row : table.rows()) {
            json.beginRow("")
                    .put("place", row.place())
                    .put("count", row.service().count());
            for (QuantileInterval interval : row.intervals()) {
                String p = "p" + Math.round(interval.percentile());
                json.put(p + "_ns", Numbers.percentile(row.service(), interval.percentile()))
                        .put(p + "_low_ns", interval.lowNanos())
                        .put(p + "_high_ns", interval.highNanos());
            }
            json.end();
        }
        json.end();
    }
}
