package dev.downbeat.audit.format;

import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.format.Cells.Names;
import dev.downbeat.json.JsonReader;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Requests one by one as JSON: results of tools, and traces. */
final class JsonRequests {
    static final Format K6 = new K6Samples();
    static final Format VEGETA = new VegetaResults();
    static final Format SPANS = new RequestSpans();

    private JsonRequests() {}

    /** Whether a text begins with an object and has these members, however they are spaced. */
    private static boolean isObject(String head, String... members) {
        return head.startsWith("{")
                && Stream.of(members)
                        .allMatch(name -> Pattern.compile('"' + name + "\"\\s*:")
                                .matcher(head)
                                .find());
    }

    /** k6's --out json: one line for each sample of each metric. The timestamp is the end of the request. */
    private static final class K6Samples implements Format {
        private static final double MILLI = 1e6;

        @Override
        public String name() {
            return "k6 --out json";
        }

        @Override
        public boolean recognises(String head) {
            return isObject(head, "metric", "type", "data");
        }

        @Override
        public void read(Source source, ResultCollector into) throws IOException {
            Names users = new Names();
            Names labels = new Names();
            long dropped = 0;
            while (source.line()) {
                String line = source.text();
                boolean isTime = line.contains("\"http_req_duration\"");
                boolean isDropped = line.contains("\"dropped_iterations\"");
                if (source.isBlank() || !(line.contains("\"Point\"") && (isTime || isDropped))) {
                    check(line, source);
                    continue;
                }
                Json point = Json.of(line);
                Json data = point.get("data");
                if (isDropped) {
                    dropped += data.get("value").whole();
                } else if (point.get("metric").text().equals("http_req_duration")) {
                    long duration = Math.round(data.get("value").number() * MILLI);
                    long end = Instants.of(data.get("time").text(), into::zone);
                    Json tags = data.get("tags");
                    String vu = tags.get("vu").text();
                    into.target(tags.get("url").text());
                    into.request(
                            end - duration,
                            duration,
                            vu.isEmpty() ? -1 : users.of(vu),
                            tags.get("expected_response").text().equals("false"),
                            labels.of(tags.get("name").text()));
                }
            }
            into.dropped(dropped);
        }

        private static void check(String line, Source source) {
            if (!source.isBlank() && !(line.startsWith("{") && line.endsWith("}"))) {
                throw new IllegalArgumentException("not an object");
            }
        }
    }

    /** vegeta encode --to json: one object per line for each result. */
    private static final class VegetaResults implements Format {
        @Override
        public String name() {
            return "vegeta (JSON)";
        }

        @Override
        public boolean recognises(String head) {
            return isObject(head, "attack", "seq", "latency");
        }

        @Override
        public void read(Source source, ResultCollector into) throws IOException {
            while (source.line()) {
                if (!source.isBlank()) {
                    Json result = Json.of(source.text());
                    into.target(result.get("url").text());
                    into.request(
                            Instants.of(result.get("timestamp").text(), into::zone),
                            result.get("latency").whole(),
                            -1,
                            !result.get("error").text().isEmpty());
                }
            }
        }
    }

    /** OpenTelemetry or Jaeger spans in JSON. Only root spans count, since they are the callers' requests. */
    private static final class RequestSpans implements Format {
        /** Jaeger's page exports a list of traces as "data"; other tools export one trace. */
        private static final Pattern ONE_TRACE = Pattern.compile("^\\s*\\{(?!\\s*\"data\"\\s*:)");

        @Override
        public String name() {
            return "OpenTelemetry or Jaeger spans (JSON)";
        }

        @Override
        public boolean recognises(String head) {
            return head.stripLeading().startsWith("{")
                    && (head.contains("\"resourceSpans\"") || head.contains("\"traceID\""));
        }

        /** The collector writes one object per line; an export is a single object. */
        @Override
        public void read(Source source, ResultCollector into) throws IOException {
            boolean isJaeger = source.head().contains("\"traceID\"");
            source.number(0);
            JsonReader json = Json.reader(source);
            if (isJaeger) {
                into.tool("Jaeger (JSON)");
                into.resolutionNanos(1_000);
                into.durationResolutionNanos(1_000);
                String[] path = ONE_TRACE.matcher(source.head()).find()
                        ? new String[] {"spans", "*"}
                        : new String[] {"data", "*", "spans", "*"};
                json.each(span -> jaeger(new Json(span), into), path);
            } else {
                into.tool("OpenTelemetry (JSON)");
                while (json.isMore()) {
                    json.each(
                            span -> otlp(new Json(span), into), "resourceSpans", "*", "scopeSpans", "*", "spans", "*");
                }
            }
            if (into.count() == 0) {
                throw new IOException("each of its spans has a parent: the spans of the callers are needed");
            }
        }

        private static void jaeger(Json span, ResultCollector into) {
            boolean hasParent = span.get("references").elements().stream()
                    .anyMatch(reference -> reference.get("refType").text().equals("CHILD_OF"));
            if (!hasParent) {
                boolean hasFailed = span.get("tags").elements().stream()
                        .anyMatch(tag -> tag.get("key").text().equals("error")
                                && tag.get("value").text().equals("true"));
                into.request(
                        Math.multiplyExact(span.get("startTime").whole(), 1_000L),
                        Math.multiplyExact(span.get("duration").whole(), 1_000L),
                        -1,
                        hasFailed);
            }
        }

        private static void otlp(Json span, ResultCollector into) {
            if (span.get("parentSpanId").text().isEmpty()) {
                long start = span.get("startTimeUnixNano").whole();
                String code = span.get("status", "code").text();
                into.request(
                        start,
                        span.get("endTimeUnixNano").whole() - start,
                        -1,
                        code.startsWith("2") || code.equals("STATUS_CODE_ERROR"));
            }
        }
    }
}
