package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.json.JsonReader;
import java.io.IOException;
import java.util.regex.Pattern;

/** OpenTelemetry or Jaeger spans in JSON. Only root spans count, since they are the callers' requests. */
final class RequestSpans implements Format {
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
    public void read(Source source, Collected into) throws IOException {
        boolean isJaeger = source.head().contains("\"traceID\"");
        source.number(0);
        JsonReader json = Json.reader(source);
        if (isJaeger) {
            into.tool("Jaeger (JSON)");
            into.resolutionNanos(1_000);
            String[] path = ONE_TRACE.matcher(source.head()).find()
                    ? new String[] {"spans", "*"}
                    : new String[] {"data", "*", "spans", "*"};
            json.each(span -> jaeger(new Json(span), into), path);
        } else {
            into.tool("OpenTelemetry (JSON)");
            while (json.isMore()) {
                json.each(span -> otlp(new Json(span), into), "resourceSpans", "*", "scopeSpans", "*", "spans", "*");
            }
        }
        if (into.count() == 0) {
            throw new IOException("each of its spans has a parent: the spans of the callers are needed");
        }
    }

    private static void jaeger(Json span, Collected into) {
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

    private static void otlp(Json span, Collected into) {
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
