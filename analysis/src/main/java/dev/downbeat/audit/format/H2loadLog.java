package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;

/** What h2load writes with --log-file: start, status and duration, in microseconds. */
final class H2loadLog implements Format {
    private static final long MICRO = 1_000L;

    @Override
    public String name() {
        return "h2load --log-file";
    }

    @Override
    public boolean recognises(String head) {
        return head.lines().findFirst().orElse("").matches("1[0-9]{15}\t-?[0-9]+\t[0-9]+.*");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        into.resolutionNanos(MICRO);
        Cells cells = new Cells('\t');
        while (source.line()) {
            if (!source.isBlank()) {
                cells.of(source);
                long status = cells.whole(1);
                into.request(
                        Math.multiplyExact(cells.whole(0), MICRO),
                        Math.multiplyExact(cells.whole(2), MICRO),
                        -1,
                        status < 200 || status >= 400);
            }
        }
    }
}
