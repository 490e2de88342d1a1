package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Collected;
import java.io.IOException;

/** k6's --out json: one line for each sample of each metric. The timestamp is the end of the request. */
final class K6Json implements Format {
    private static final double MILLI = 1e6;

    @Override
    public String name() {
        return "k6 --out json";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("{") && head.contains("\"metric\":") && head.contains("\"data\":{");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
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
                long end = Instants.of(data.get("time").text());
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
        dropped(dropped, into);
    }

    private static void check(String line, Source source) {
        if (!source.isBlank() && !(line.startsWith("{") && line.endsWith("}"))) {
            throw new IllegalArgumentException("it is no object");
        }
    }

    static void dropped(long dropped, Collected into) {
        if (dropped > 0) {
            into.finding(
                    AuditFinding.weighty(
                            "dropped_iterations",
                            "",
                            dropped
                                    + " iterations were due and never started, for want of virtual users: no percentile has them"));
        }
    }
}
