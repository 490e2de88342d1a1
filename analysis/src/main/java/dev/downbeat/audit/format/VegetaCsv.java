package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;

/** What vegeta encode --to csv writes: time, code, latency, bytes out, bytes in, error and more, in nanoseconds. */
final class VegetaCsv implements Format {
    @Override
    public String name() {
        return "vegeta (CSV)";
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().findFirst().orElse("").matches("1[0-9]{18},[0-9]{1,3},[0-9]+,[0-9]+,[0-9]+,.*");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        Cells cells = new Cells(',');
        while (source.record()) {
            if (!source.isBlank()) {
                cells.of(source);
                into.request(cells.whole(0), cells.whole(2), -1, !cells.isEmpty(5));
                if (into.count() == 1 && cells.count() > 10) {
                    into.target(cells.text(10));
                }
            }
        }
    }
}
