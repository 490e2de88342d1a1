package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.json.JsonReader;
import java.io.IOException;
import java.util.List;

/** HAR files of browsers and proxies: entries with a start and a time in milliseconds. */
final class HarFile implements Format {
    @Override
    public String name() {
        return "HAR";
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("{")
                && head.contains("\"log\"")
                && (head.contains("\"creator\"") || head.contains("\"entries\""));
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.number(0);
        into.resolutionNanos(1_000_000);
        JsonReader json = Json.reader(source);
        json.each(
                element -> {
                    Json entry = new Json(element);
                    double millis = millis(entry);
                    if (millis >= 0) { // negative times mean that the request was never answered
                        into.target(entry.get("request", "url").text());
                        double status = entry.get("response", "status").number(0);
                        into.request(
                                Instants.of(entry.get("startedDateTime").text()),
                                Math.round(millis * 1e6),
                                -1,
                                status < 200 || status >= 400);
                    }
                },
                "log",
                "entries",
                "*");
    }

    /** Some browsers omit the total time. Phases that did not occur are -1. The TLS handshake is part of connect. */
    private static double millis(Json entry) {
        Json timings = entry.get("timings");
        double sum = timings.has() ? 0 : -1;
        for (String part : List.of("blocked", "dns", "connect", "send", "wait", "receive")) {
            sum += Math.max(0, timings.get(part).number(0));
        }
        return entry.get("time").number(sum);
    }
}
