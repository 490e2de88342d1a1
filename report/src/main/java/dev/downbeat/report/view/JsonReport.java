package dev.downbeat.report.view;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.ByPosition;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Exemplar;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Part;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.Positions;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.JsonWriter;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Incident;
import dev.downbeat.verdict.Incidents;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.ResponseIntervals;
import dev.downbeat.verdict.Steadiness;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The whole result as JSON, schema 1: names and units are fixed so that scripts can rely on them. Times are whole
 * nanoseconds. A key is never missing: what the data cannot carry is {@code null}, and {@code unavailable} says why.
 *
 * <p>One method for each part of the schema, in its order; hence its length.
 */
public final class JsonReport implements ReportFormat {
    /** Changes when a name goes or changes its meaning; not when one is added. */
    public static final int SCHEMA = 1;

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        new Page(report, out).write();
        out.append('\n');
    }

    private static final class Page {
        private static final String NOT_TOLD = "the platform does not tell";

        private final RunReport report;
        private final RunResult result;
        private final Recording recording;
        private final ResponseBounds bounds;
        private final JsonWriter json;
        private final StatisticsJson statistics;

        Page(RunReport report, Appendable out) {
            this.report = report;
            this.result = report.result();
            this.recording = result.recording();
            this.bounds = ResponseBounds.of(recording);
            this.json = new JsonWriter(out);
            this.statistics = new StatisticsJson(json);
        }

        void write() throws IOException {
            json.beginObject("");
            head();
            plan();
            ledger(result.ledger());
            statistics.response("response", bounds);
            statistics.intervals("response_confidence", ResponseIntervals.of(result));
            statistics.ours("response_ours_at_most", bounds);
            steadiness();
            statistics.service("service", ResponseBounds.ofService(recording));
            statistics.of("lateness", recording.lateness());
            statistics.of("backlog_wait", recording.backlogWait());
            statistics.of("failed_response", recording.failed());
            censored();
            rates();
            backlog();
            queue();
            tail();
            exemplars();
            incidents();
            objectives();
            verdict();
            connections(result.connections());
            targetCounts(result.counts());
            errors();
            statuses();
            position(recording.byPosition());
            health(result.health());
            environment(report.machine());
            intervals();
            shards();
            unavailable();
            json.end();
        }

        private void head() throws IOException {
            json.put("schema", SCHEMA).put("downbeat", report.version());
            json.beginArrayRow("command");
            for (String word : report.command()) {
                json.put("", word);
            }
            json.end();
            if (!report.measurement().isEmpty()) {
                json.putTree("measurement", report.measurement());
            }
            optional("seed", report.seed(), "chance had no part in this plan");
            json.put("started", result.started().toString());
            json.put("started_monotonic_ns", result.startAt());
            json.put("duration_ns", result.durationNanos());
            json.put("complete", result.isComplete());
            json.put("ending", lower(result.ending()));
            optional("failure", result.failure(), "nothing broke");
        }

        /** Whether the service was the same throughout, and the jump of the median that would have been seen. */
        private void steadiness() throws IOException {
            Optional<Steadiness> steadiness = Steadiness.of(result);
            json.beginObject("steadiness");
            optional("found", steadiness.map(Steadiness::text), "the load changed, or the run was shorter than 20 s");
            OptionalDouble visible =
                    steadiness.map(seen -> seen.found().visible()).orElse(OptionalDouble.empty());
            json.put("visible_median_factor", visible);
            if (visible.isEmpty()) {
                statistics.explain("visible_median_factor", "no jump of the median in mid-run would have been seen");
            }
            json.end();
        }

        private void plan() throws IOException {
            RunPlan plan = result.plan();
            WorkloadText text = new WorkloadText(plan);
            Optional<ArrivalProcess> arrivals = text.arrivals();
            json.beginObject("plan").put("workload", plan.workload().kind());
            optional("arrivals", arrivals.map(ArrivalProcess::kind), "closed clients follow the answers");
            json.put("description", WorkloadText.line(report));
            OptionalDouble rate = text.ratePerSecond();
            json.put("rate_per_s", rate);
            if (rate.isEmpty()) {
                statistics.explain("rate_per_s", "the plan has no single rate");
            }
            json.put("target", result.target());
            limit("duration_ns", plan.durationNanos(), "only the number of requests limits the run");
            limit("max_requests", plan.maxRequests(), "only the duration limits the run");
            json.put("timeout_ns", plan.timeoutNanos()).put("timeout_from", lower(plan.timeoutFrom()));
            json.put("drain_ns", plan.drainNanos()).put("generators", plan.generators());
            json.put("interval_ns", plan.intervalNanos());
            for (Map.Entry<String, Object> detail : report.details().entrySet()) {
                detail(detail.getKey(), detail.getValue());
            }
            json.end();
        }

        private void detail(String name, Object value) throws IOException {
            if (value instanceof Number number) {
                json.put(name, number.longValue());
            } else {
                json.put(name, value.toString());
            }
        }

        private void limit(String name, long value, String otherwise) throws IOException {
            statistics.known(name, value == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(value), otherwise);
        }

        private void optional(String name, Optional<String> value, String otherwise) throws IOException {
            if (value.isPresent()) {
                json.put(name, value.get());
            } else {
                json.putNull(name);
                statistics.explain(name, otherwise);
            }
        }

        private void ledger(Ledger ledger) throws IOException {
            json.beginObject("ledger");
            json.put("planned", ledger.planned())
                    .put("answered", ledger.answered())
                    .put("failed", ledger.failed())
                    .put("timed_out", ledger.timedOut())
                    .put("timed_out_unsent", ledger.timedOutUnsent())
                    .put("unconnected", ledger.unconnected())
                    .put("in_flight", ledger.inFlight())
                    .put("never_sent", ledger.neverSent())
                    .put("adds_up", ledger.addsUp());
            json.end();
        }

        private void censored() throws IOException {
            json.beginObject("censored").put("count", recording.censored().count());
            statistics.of("lower_bound", bounds.atLeast());
            json.end();
        }

        private void rates() throws IOException {
            Rates rates = Rates.of(result);
            json.beginObject("rates");
            json.put("intended_per_s", rates.intendedPerSecond());
            json.put("intended_over_ns", rates.windowNanos());
            json.put("achieved_per_s", rates.achievedPerSecond());
            json.put("achieved_over_ns", rates.lengthNanos());
            json.end();
        }

        private void backlog() throws IOException {
            json.beginObject("backlog").put("peak", result.peakBacklog());
            json.put("peak_at_ns", result.peakBacklogAtNanos());
            json.end();
        }

        /** Of a simulation only: no client of a real service can see it. */
        private void queue() throws IOException {
            if (report.queue().isEmpty()) {
                return;
            }
            QueueLengths queue = report.queue().get();
            json.beginObject("queue").put("mean", queue.mean()).put("most", queue.most());
            json.put("most_at_ns", queue.mostAtNanos()).put("at_end_of_load", queue.atEndOfLoad());
            json.put("growth_per_s", queue.growthPerSecond());
            json.beginArray("stretches");
            for (QueueLengths.Stretch stretch : queue.stretches()) {
                json.beginRow("").put("start_ns", stretch.startNanos()).put("end_ns", stretch.endNanos());
                json.put("mean", stretch.mean()).put("most", stretch.most());
                json.end();
            }
            json.end().end();
        }

        private void tail() throws IOException {
            json.beginArray("tail");
            for (TailBands.Band band : TailBands.of(recording)) {
                json.beginRow("").put("band", band.name()).put("count", band.count());
                parts(band.meansNanos());
                json.end();
            }
            json.end();
        }

        private void parts(Map<Part, Long> nanos) throws IOException {
            for (Map.Entry<Part, Long> part : nanos.entrySet()) {
                json.put(lower(part.getKey()) + "_ns", part.getValue());
            }
        }

        private void exemplars() throws IOException {
            json.beginArray("exemplars");
            for (Exemplar exemplar : recording.exemplars()) {
                json.beginRow("").put("index", exemplar.index());
                json.put("intended_ns", exemplar.intendedNanos());
                json.put("response_ns", exemplar.responseNanos());
                json.put("position", exemplar.position());
                parts(exemplar.partsNanos());
                json.end();
            }
            json.end();
        }

        private void incidents() throws IOException {
            json.beginArray("incidents");
            for (Incident incident : Incidents.of(result)) {
                json.beginRow("")
                        .put("start_ns", incident.startNanos())
                        .put("length_ns", incident.lengthNanos())
                        .put("requests_hit", incident.requestsHit())
                        .put("tail_share", incident.tailShare())
                        .put("slowest_ns", incident.slowestNanos())
                        .put("cause", incident.cause().code())
                        .put("catch_up_ns", incident.catchUpNanos())
                        .end();
            }
            json.end();
        }

        private void objectives() throws IOException {
            json.beginArray("objectives");
            for (Objective objective : report.verdict().objectives()) {
                json.beginObject("");
                json.put("text", objective.slo().text())
                        .put("status", objective.status().word())
                        .put("value_ns", objective.valueNanos())
                        .put("value_share", objective.valueShare())
                        .put("lower_bound", objective.isLowerBound())
                        .put("sure", !objective.isUnsure())
                        .put("reason", objective.reason());
                json.end();
            }
            json.end();
        }

        private void verdict() throws IOException {
            json.beginObject("verdict");
            json.put("measurement", report.verdict().measurement().word());
            json.put("sound_up_to", report.verdict().soundUpTo());
            if (report.verdict().soundUpTo().isEmpty()) {
                statistics.explain("sound_up_to", "all percentiles are sound, or none is");
            }
            json.put("service", report.verdict().service().word());
            json.beginArray("reasons");
            for (Caveat caveat : report.verdict().caveats()) {
                json.beginObject("");
                json.put("code", caveat.code())
                        .put("doubt", report.verdict().doubts().contains(caveat))
                        .put("text", caveat.text());
                json.end();
            }
            json.end().end();
        }

        private void connections(ConnectionCounts counts) throws IOException {
            json.beginObject("connections");
            counts(counts);
            statistics.brief("lookup", recording.lookup());
            statistics.brief("connect", recording.connect());
            statistics.brief("handshake", recording.handshake());
            json.end();
        }

        private void counts(ConnectionCounts counts) throws IOException {
            json.put("opened", counts.opened())
                    .put("resumed", counts.resumed())
                    .put("failed", counts.failed())
                    .put("closed_by_server_with_notice", counts.closedByServerWithNotice())
                    .put("closed_by_server", counts.closedByServer())
                    .put("closed_by_us", counts.closedByUs())
                    .put("open_at_end", counts.openAtEnd())
                    .put("in_use_at_end", counts.inUseAtEnd());
        }

        private void targetCounts(TargetCounts counts) throws IOException {
            json.beginObject("target_counts");
            for (Map.Entry<String, Long> count : counts.byName().entrySet()) {
                json.put(count.getKey().replace(' ', '_'), count.getValue().longValue());
            }
            json.put("amplification", counts.amplification());
            if (counts.amplification().isEmpty()) {
                statistics.explain("amplification", "this target does not count attempts");
            }
            json.end();
        }

        private void errors() throws IOException {
            json.beginObject("errors");
            for (Map.Entry<String, Long> failure : recording.failures().entrySet()) {
                json.put(failure.getKey(), failure.getValue().longValue());
            }
            json.end();
        }

        private void statuses() throws IOException {
            json.beginObject("statuses");
            for (Map.Entry<String, Long> status : recording.statuses().entrySet()) {
                json.put(status.getKey(), status.getValue().longValue());
            }
            json.end();
        }

        private void position(ByPosition positions) throws IOException {
            json.beginObject("position").put("last", positions.last());
            statistics.brief("first", positions.at(1));
            statistics.brief("rest", Positions.afterFirst(positions));
            json.end();
        }

        private void health(GeneratorHealth health) throws IOException {
            json.beginObject("health").put("wall_ns", health.wallNanos());
            told("cpu_ns", health.cpuNanos());
            json.put("largest_hiccup_ns", health.largestHiccupNanos())
                    .put("largest_hiccup_at_ns", health.largestHiccupAtNanos())
                    .put("hiccup_ns", health.hiccupNanos())
                    .put("gc_count", health.gcCount())
                    .put("gc_ns", health.gcNanos())
                    .put("largest_gc_ns", health.largestGcNanos());
            told("steal_ns", health.stealNanos());
            json.end();
        }

        private void environment(MachineProfile machine) throws IOException {
            json.beginObject("environment").put("cores", machine.cores());
            told("cpu_limit_millicores", machine.cpuLimitMillicores());
            json.put("os", machine.os())
                    .put("kernel", machine.kernel())
                    .put("arch", machine.arch())
                    .put("jvm", machine.jvm());
            json.beginArrayRow("collectors");
            for (String collector : machine.collectors()) {
                json.put("", collector);
            }
            json.end();
            told("clock_granularity_ns", machine.clockGranularityNanos());
            json.put("clock_read_ns", machine.clockReadNanos());
            json.put("wake_up_delay_ns", machine.wakeUpDelayNanos());
            json.end();
        }

        private void told(String name, long value) throws IOException {
            statistics.known(name, value < 0 ? OptionalLong.empty() : OptionalLong.of(value), NOT_TOLD);
        }

        private void intervals() throws IOException {
            json.beginArray("intervals");
            for (Interval interval : result.intervals()) {
                Ledger ledger = interval.recording().ledger();
                Distribution response = interval.recording().responseAtLeast();
                json.beginRow("");
                json.put("start_ns", interval.startNanos())
                        .put("end_ns", interval.endNanos())
                        .put("planned", ledger.planned())
                        .put("answered", ledger.answered())
                        .put("failed", ledger.failed())
                        .put("p50_ns", Numbers.percentile(response, 50))
                        .put("p99_ns", Numbers.percentile(response, 99))
                        .put("max_ns", Numbers.percentile(response, 100));
                json.beginRow("connections");
                counts(interval.connections());
                json.end().end();
            }
            json.end();
            statistics.explainIntervals(result.intervals());
        }

        /** Of a merged result only. */
        private void shards() throws IOException {
            if (result.shards().isEmpty()) {
                return;
            }
            json.beginArray("shards");
            for (ShardRun shard : result.shards()) {
                json.beginObject("");
                json.put("shard", shard.shard()).put("missing", shard.isMissing());
                if (!shard.isMissing()) {
                    json.put("started", shard.started().toString());
                    json.put("ending", lower(shard.ending().orElseThrow()));
                    json.put("planned", shard.planned()).put("answered", shard.answered());
                    json.put("lateness_p99_ns", shard.latenessP99Nanos());
                    json.put("lateness_max_ns", shard.latenessMaxNanos());
                    json.put("cores", shard.cores());
                    health(shard.health());
                    json.beginArray("doubts");
                    for (String doubt : shard.doubts()) {
                        json.put("", doubt);
                    }
                    json.end();
                }
                json.end();
            }
            json.end();
        }

        private void unavailable() throws IOException {
            json.beginObject("unavailable");
            for (Map.Entry<String, String> reason : statistics.unavailable().entrySet()) {
                json.put(reason.getKey(), reason.getValue());
            }
            json.end();
        }

        private static String lower(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }
}
