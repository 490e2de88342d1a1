package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import java.io.IOException;

/** The percentiles that ab writes with -e, one per line. */
final class AbPercentiles implements Format {
    private static final long MILLI = 1_000_000L;

    @Override
    public String name() {
        return "ab -e";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("Percentage served,Time in ms");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.line();
        Cells cells = new Cells(',');
        Summary.Draft draft = new Summary.Draft();
        while (source.line()) {
            if (source.isBlank()) {
                continue;
            }
            cells.of(source);
            if (cells.number(0) < 100) {
                draft.percentile(cells.number(0), cells.number(1) * MILLI);
            } else {
                draft.max(cells.number(1) * MILLI);
            }
        }
        if (draft.hasAny()) {
            into.summary(draft.done());
        }
    }
}
