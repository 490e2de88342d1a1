package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.Summary;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;

/** Distributions in JSON, written by k6, vegeta report, oha, autocannon, Artillery or fortio. */
final class JsonSummaries implements Format {
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;
    private static final String NO_TIMES = "no distribution of response times in it";

    @Override
    public String name() {
        return "a summary as JSON: k6, vegeta report, oha, autocannon, Artillery, fortio";
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("{")
                && Stream.of(
                                "\"latencyPercentiles\"",
                                "\"p97_5\"",
                                "\"http.response_time\"",
                                "\"DurationHistogram\"",
                                "\"http_req_duration\"",
                                "\"root_group\"",
                                "\"50th\"",
                                "\"aggregate\"")
                        .anyMatch(head::contains);
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        source.number(0);
        Json root = new Json(Json.reader(source).value());
        Summary.Draft draft = new Summary.Draft();
        if (root.get("latencyPercentiles").has()) {
            into.tool("oha (JSON)");
            draft.closedLoop();
            oha(root, draft, into);
        } else if (root.get("latency", "p97_5").has()) {
            into.tool("autocannon (JSON)");
            into.durationResolutionNanos((long) MILLI);
            autocannon(root, draft, into);
        } else if (root.get("aggregate").has()) {
            into.tool("Artillery (JSON)");
            into.durationResolutionNanos((long) MILLI);
            artillery(root, draft);
        } else if (root.get("DurationHistogram").has()) {
            into.tool("fortio (JSON)");
            fortio(root, draft, into);
        } else if (root.get("metrics").has()) {
            into.tool("k6 summary");
            k6(root, draft, into);
        } else if (root.get("latencies", "50th").has()) {
            into.tool("vegeta report (JSON)");
            vegeta(root, draft);
        } else {
            throw new IOException(NO_TIMES);
        }
        into.summary(draft.done());
    }

    /** Reads members such as "p99" and "p99.9"; skips null ones, which had too few requests. */
    private static void percentiles(Json of, double unit, Summary.Draft draft) {
        of.members().forEach((name, value) -> {
            String digits = name.replaceFirst("^p\\(?", "").replace(")", "").replace('_', '.');
            if (name.startsWith("p") && digits.matches("[0-9]{1,3}(\\.[0-9]+)?")) {
                double percentile = digits.equals("999") ? 99.9 : Double.parseDouble(digits);
                if (percentile < 100) {
                    draft.percentile(percentile, value.number() * unit);
                }
            }
        });
    }

    private static void oha(Json root, Summary.Draft draft, ResultCollector into) {
        Json summary = root.get("summary");
        percentiles(root.get("latencyPercentiles"), SECOND, draft);
        long count = 0;
        for (Json status : root.get("statusCodeDistribution").members().values()) {
            count += status.whole();
        }
        draft.lengthNanos(summary.get("total").number(0) * SECOND)
                .max(summary.get("slowest").number() * SECOND)
                .mean(summary.get("average").number() * SECOND);
        long aborted = 0;
        long failed = 0;
        for (Map.Entry<String, Json> error :
                root.get("errorDistribution").members().entrySet()) {
            if (error.getKey().equals("aborted due to deadline")) {
                aborted = error.getValue().whole();
            } else {
                failed += error.getValue().whole();
            }
        }
        draft.count(count + failed).untimedMore(failed);
        into.inFlightAtEnd(aborted);
        into.unanswered(failed);
    }

    private static void autocannon(Json root, Summary.Draft draft, ResultCollector into) {
        Json latency = root.get("latency");
        into.target(root.get("url").text());
        percentiles(latency, MILLI, draft);
        long errors = Math.round(root.get("errors").number(0));
        draft.count(root.get("requests", "total").whole() + errors)
                .untimedMore(errors) // timeouts are among them
                .users(root.get("connections").whole())
                .lengthNanos(root.get("duration").number(0) * SECOND)
                .failed(Math.round(root.get("non2xx").number(0)) + errors)
                .max(latency.get("max").number() * MILLI)
                .mean(latency.get("mean").number() * MILLI);
        into.unanswered(errors - Math.round(root.get("timeouts").number(0)));
        into.timedOut(Math.round(root.get("timeouts").number(0)));
    }

    private static void artillery(Json root, Summary.Draft draft) {
        Json aggregate = root.get("aggregate");
        Json times = aggregate.get("summaries", "http.response_time");
        percentiles(times, MILLI, draft);
        draft.count(times.get("count").whole())
                .max(times.get("max").number() * MILLI)
                .mean(times.get("mean").number(0) * MILLI)
                .lengthNanos(Math.max(
                        0,
                        (aggregate.get("lastCounterAt").number(0)
                                        - aggregate.get("firstCounterAt").number(0))
                                * MILLI));
    }

    private static void fortio(Json root, Summary.Draft draft, ResultCollector into) {
        Json histogram = root.get("DurationHistogram");
        for (Json each : histogram.get("Percentiles").elements()) {
            draft.percentile(each.get("Percentile").number(), each.get("Value").number() * SECOND);
        }
        if (!histogram.get("Percentiles").has()) {
            buckets(histogram, draft);
        } else {
            draft.lengthNanos(root.get("ActualDuration").number(0))
                    .max(histogram.get("Max").number() * SECOND)
                    .mean(histogram.get("Avg").number() * SECOND);
        }
        into.target(root.get("URL").text());
        draft.count(histogram.get("Count").whole()).users(root.get("NumThreads").whole());
        into.finding(AuditFinding.note(
                Kind.INTERPOLATED, "percentiles are interpolated between the edges of buckets, which are wide"));
    }

    /** Nighthawk and the first versions of fortio write only buckets, each ending at a percentile. */
    private static void buckets(Json histogram, Summary.Draft draft) {
        for (Json bucket : histogram.get("Data").elements()) {
            double percentile = bucket.get("Percent").number();
            double nanos = bucket.get("End").number() * SECOND;
            if (percentile < 100) {
                draft.percentile(percentile, nanos);
            } else {
                draft.max(nanos);
            }
        }
    }

    private static void k6(Json root, Summary.Draft draft, ResultCollector into) throws IOException {
        Json times = values(root, "http_req_duration");
        if (!times.has()) {
            throw new IOException(NO_TIMES);
        }
        percentiles(times, MILLI, draft);
        draft.percentile(50, times.get("med").number() * MILLI)
                .max(times.get("max").number() * MILLI)
                .mean(times.get("avg").number() * MILLI);
        Json requests = values(root, "http_reqs");
        if (requests.get("count").has()) {
            draft.count(requests.get("count").whole());
            double rate = requests.get("rate").number(0);
            draft.lengthNanos(rate > 0 ? requests.get("count").number() / rate * SECOND : 0);
        }
        Json dropped = values(root, "dropped_iterations").get("count");
        into.dropped(dropped.has() ? dropped.whole() : 0);
    }

    /** The values of a metric, which some versions nest. */
    private static Json values(Json root, String name) {
        Json metric = root.get("metrics", name);
        return metric.get("values").has() ? metric.get("values") : metric;
    }

    private static void vegeta(Json root, Summary.Draft draft) {
        Json times = root.get("latencies");
        times.members().forEach((name, value) -> {
            if (name.endsWith("th")) {
                draft.percentile(Double.parseDouble(name.substring(0, name.length() - 2)), value.number());
            }
        });
        draft.count(root.get("requests").whole())
                .lengthNanos(root.get("duration").number(0))
                .max(times.get("max").number())
                .mean(times.get("mean").number());
    }
}
