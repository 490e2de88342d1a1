package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Finding;
import dev.downbeat.audit.Summary;
import java.io.IOException;

/** What ab writes with -g, sorted rows whose starts are whole seconds, and with -e, a percentile on a line. */
final class AbCsv implements Format {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;

    @Override
    public String name() {
        return "ab -g or -e";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("starttime\tseconds\tctime") || head.startsWith("Percentage served,Time in ms");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.line();
        boolean isRows = source.text().startsWith("starttime");
        Cells cells = new Cells(isRows ? '\t' : ',');
        Summary.Draft draft = new Summary.Draft();
        while (source.line()) {
            if (source.isBlank()) {
                continue;
            }
            cells.of(source);
            if (isRows) {
                into.request(
                        Math.multiplyExact(cells.whole(1), SECOND),
                        Math.multiplyExact(cells.whole(4), MILLI),
                        -1,
                        false);
            } else if (cells.number(0) < 100) {
                draft.percentile(cells.number(0), cells.number(1) * MILLI);
            } else {
                draft.max(cells.number(1) * MILLI);
            }
        }
        if (isRows) {
            into.resolutionNanos(SECOND);
            into.finding(Finding.weighty(
                    "whole_seconds", "line 2", "the file says in which second a request started, not when"));
        } else if (draft.hasAny()) {
            into.summary(draft.done());
        }
    }
}
