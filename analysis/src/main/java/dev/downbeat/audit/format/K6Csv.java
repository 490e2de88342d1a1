package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Finding;
import java.io.IOException;
import java.util.List;

/** What k6 writes with --out csv; its times are whole seconds unless K6_CSV_TIME_FORMAT says otherwise. */
final class K6Csv implements Format {
    private static final double MILLI = 1e6;

    @Override
    public String name() {
        return "k6 --out csv";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("metric_name,timestamp,metric_value");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.line();
        Cells cells = new Cells(',').of(source);
        List<String> names = cells.all();
        int expected = names.indexOf("expected_response");
        int url = names.indexOf("url");
        int vu = names.indexOf("vu");
        Names users = new Names();
        long dropped = 0;
        while (source.record()) {
            if (source.isBlank()) {
                continue;
            }
            cells.of(source);
            if (cells.is(0, "dropped_iterations")) {
                dropped += Math.round(cells.number(2));
            } else if (cells.is(0, "http_req_duration")) {
                long duration = Math.round(cells.number(2) * MILLI);
                long end = end(cells, into);
                int user = vu >= 0 && !cells.isEmpty(vu) ? cells.named(vu, users) : -1;
                into.request(end - duration, duration, user, expected >= 0 && cells.is(expected, "false"));
                if (url >= 0 && into.count() == 1) {
                    into.target(cells.text(url));
                }
            }
        }
        K6Json.dropped(dropped, into);
    }

    private static long end(Cells cells, Collected into) {
        if (!cells.isWhole(1)) {
            return Instants.of(cells.text(1));
        }
        long number = cells.whole(1);
        long unit = Instants.unitOf(number);
        into.resolutionNanos(unit);
        if (unit == 1_000_000_000L) {
            into.finding(Finding.weighty(
                    "whole_seconds",
                    "line 2",
                    "the file says in which second a request ended, not when: record with"
                            + " K6_CSV_TIME_FORMAT=unix_nano"));
        }
        return Math.multiplyExact(number, unit);
    }
}
