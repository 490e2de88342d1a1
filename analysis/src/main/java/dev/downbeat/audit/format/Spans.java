package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Spans of OpenTelemetry and Jaeger as JSON: those without a parent, which are the requests of callers. */
final class Spans implements Format {
    @Override
    public String name() {
        return "OpenTelemetry or Jaeger spans (JSON)";
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("{")
                && (head.contains("\"resourceSpans\"") || head.contains("\"traceID\""));
    }

    /** The collector writes an object on each line, an export is one. */
    @Override
    public void read(Source source, Collected into) throws IOException {
        boolean isJaeger = source.head().contains("\"traceID\"");
        source.number(0);
        Json json = new Json(new InputStreamReader(new SourceStream(source), StandardCharsets.UTF_8));
        if (isJaeger) {
            into.tool("Jaeger (JSON)");
            into.resolutionNanos(1_000);
            json.each(span -> jaeger(span, into), "data", "*", "spans", "*");
            return;
        }
        into.tool("OpenTelemetry (JSON)");
        while (json.isMore()) {
            json.each(span -> otlp(span, into), "resourceSpans", "*", "scopeSpans", "*", "spans", "*");
        }
    }

    private static void jaeger(Json.Node span, Collected into) {
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

    private static void otlp(Json.Node span, Collected into) {
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
