package dev.downbeat.report.file;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;

/**
 * A running measurement in Prometheus' text format 0.0.4. Counters and histograms count from the start, in seconds, so
 * that rates and percentiles of any period can be queried. Response times count from the intended times. Percentiles
 * are as coarse as the buckets; the report's are not.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
public final class PrometheusText {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /**
     * Upper ends of the buckets in seconds: 1, 2 and 5 in each decade, since a service's times are unknown beforehand.
     */
    private static final String[] ENDS = {
        "0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2",
        "5", "10", "20", "50"
    };

    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

    private final Appendable out;

    private PrometheusText(Appendable out) {
        this.out = out;
    }

    /**
     * The state of a run.
     *
     * @param version Downbeat's version
     * @param target the target, in one line
     * @param total counts so far
     * @param inFlight requests sent and not completed
     * @param backlog requests due and not sent
     * @param shards state of each shard, for merged runs
     */
    public record Standing(
            String version, String target, Recording total, long inFlight, long backlog, Map<String, String> shards) {}

    /** Writes the state; does not close {@code out}. */
    public static void write(Standing now, Appendable out) throws IOException {
        PrometheusText text = new PrometheusText(out);
        text.about(now);
        text.requests(now.total());
        text.gauge("downbeat_requests_in_flight", "Requests sent and not yet finished.", now.inFlight());
        text.gauge("downbeat_requests_backlog", "Requests due but not yet sent.", now.backlog());
        text.histogram(
                "downbeat_response_seconds",
                "Response time of answered requests, from the intended time: already corrected for coordinated omission.",
                now.total().response());
        text.histogram(
                "downbeat_service_seconds",
                "Service time of answered requests, from when each was sent.",
                now.total().service());
        text.histogram(
                "downbeat_lateness_seconds",
                "Delay between intended and actual send, caused by Downbeat.",
                now.total().lateness());
        text.names(now.total().requests());
    }

    /** The same for each request name, if there are any; without groups and sessions, so that names add up. */
    private void names(Map<String, Recording> names) throws IOException {
        if (names.isEmpty()) {
            return;
        }
        String requests = "downbeat_named_requests_ended_total";
        head(requests, "Finished requests by name and outcome.", "counter");
        for (Map.Entry<String, Recording> one : names.entrySet()) {
            fates(requests, "name=" + label(one.getKey()) + ",", one.getValue().ledger());
        }
        String response = "downbeat_named_response_seconds";
        head(response, "Response time of answered requests by name, from the intended time.", "histogram");
        for (Map.Entry<String, Recording> one : names.entrySet()) {
            buckets(response, "name=" + label(one.getKey()), one.getValue().response());
        }
    }

    private void about(Standing now) throws IOException {
        head("downbeat_run_info", "Version and target of the run.", "gauge");
        out.append("downbeat_run_info{version=").append(label(now.version())).append(",target=");
        out.append(label(now.target())).append("} 1\n");
        if (!now.shards().isEmpty()) {
            head("downbeat_shard_info", "Health of each shard: expected, running, silent or ended.", "gauge");
        }
        for (Map.Entry<String, String> one : now.shards().entrySet()) {
            line("downbeat_shard_info", "shard=" + label(one.getKey()) + ",health=" + label(one.getValue()), 1);
        }
    }

    private void requests(Recording total) throws IOException {
        Ledger ledger = total.ledger();
        head("downbeat_requests_intended_total", "Requests scheduled so far.", "counter");
        line("downbeat_requests_intended_total", "", ledger.planned());
        head("downbeat_requests_ended_total", "Finished requests by outcome.", "counter");
        fates("downbeat_requests_ended_total", "", ledger);
        head("downbeat_failures_total", "Failed requests by reason.", "counter");
        for (Map.Entry<String, Long> failure : total.failures().entrySet()) {
            line("downbeat_failures_total", "reason=" + label(failure.getKey()), failure.getValue());
        }
    }

    private void fates(String name, String labels, Ledger ledger) throws IOException {
        line(name, labels + "fate=\"answered\"", ledger.answered());
        line(name, labels + "fate=\"failed\"", ledger.failed());
        line(name, labels + "fate=\"timed_out\"", ledger.timedOut());
    }

    private void gauge(String name, String help, long value) throws IOException {
        head(name, help, "gauge");
        line(name, "", value);
    }

    private void histogram(String name, String help, Distribution times) throws IOException {
        head(name, help, "histogram");
        buckets(name, "", times);
    }

    private void buckets(String name, String labels, Distribution times) throws IOException {
        String before = labels.isEmpty() ? "" : labels + ",";
        for (String end : ENDS) {
            long nanos = new BigDecimal(end).multiply(NANOS_PER_SECOND).longValueExact();
            line(name + "_bucket", before + "le=\"" + end + "\"", times.count() - times.countAbove(nanos));
        }
        line(name + "_bucket", before + "le=\"+Inf\"", times.count());
        out.append(name)
                .append("_sum")
                .append(labels.isEmpty() ? "" : "{" + labels + "}")
                .append(' ');
        out.append(Double.toString(times.sumNanos() / 1e9)).append('\n');
        line(name + "_count", labels, times.count());
    }

    private void head(String name, String help, String type) throws IOException {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void line(String name, String labels, long value) throws IOException {
        out.append(name).append(labels.isEmpty() ? "" : "{" + labels + "}").append(' ');
        out.append(Long.toString(value)).append('\n');
    }

    private static String label(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
