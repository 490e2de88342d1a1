package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** What browsers and proxies save: entries with a start and a time in milliseconds. */
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
        Json json = new Json(new InputStreamReader(new SourceStream(source), StandardCharsets.UTF_8));
        json.each(
                entry -> {
                    double millis = entry.get("time").number(-1);
                    if (millis >= 0) { // less is what was never answered
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
}
