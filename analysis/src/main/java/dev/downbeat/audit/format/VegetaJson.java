package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;

/** vegeta encode --to json: one object per line for each result. */
final class VegetaJson implements Format {
    @Override
    public String name() {
        return "vegeta (JSON)";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("{\"attack\":") && head.contains("\"seq\":") && head.contains("\"latency\":");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        while (source.line()) {
            if (!source.isBlank()) {
                Json result = Json.of(source.text());
                into.target(result.get("url").text());
                into.request(
                        Instants.of(result.get("timestamp").text()),
                        result.get("latency").whole(),
                        -1,
                        !result.get("error").text().isEmpty());
            }
        }
    }
}
