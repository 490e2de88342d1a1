package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Gatling's simulation.log up to 3.11: tab-separated cells, times in milliseconds. Requests do not identify their user.
 */
final class GatlingText implements Format {
    private static final long MILLI = 1_000_000L;
    private static final Pattern INSTANT = Pattern.compile("[0-9]{12,14}");

    @Override
    public String name() {
        return "Gatling simulation.log (text)";
    }

    @Override
    public boolean recognises(String head) {
        return head.startsWith("RUN\t") || head.contains("\tRUN\t") || head.startsWith("ASSERTION\t");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        into.resolutionNanos(MILLI);
        Cells cells = new Cells('\t');
        Names labels = new Names();
        while (source.line()) {
            cells.of(source);
            if (cells.is(0, "REQUEST") || (cells.count() > 2 && cells.is(2, "REQUEST"))) {
                request(cells, labels, into);
            } else if (!source.isBlank() && !isKnown(cells)) {
                throw new IllegalArgumentException("it begins with no kind of record that Gatling writes");
            }
        }
    }

    private static boolean isKnown(Cells cells) {
        return cells.is(0, "RUN")
                || cells.is(0, "USER")
                || cells.is(0, "GROUP")
                || cells.is(0, "ERROR")
                || cells.is(0, "ASSERTION")
                || cells.count() > 2;
    }

    /** The number of cells before the two timestamps varies between versions. */
    private static void request(Cells cells, Names labels, Collected into) {
        for (int i = 1; i + 2 < cells.count(); i++) {
            boolean isStatus = cells.is(i + 2, "OK") || cells.is(i + 2, "KO");
            if (isStatus
                    && INSTANT.matcher(cells.text(i)).matches()
                    && INSTANT.matcher(cells.text(i + 1)).matches()) {
                long start = cells.whole(i);
                into.request(
                        start * MILLI,
                        (cells.whole(i + 1) - start) * MILLI,
                        -1,
                        cells.is(i + 2, "KO"),
                        cells.named(i - 1, labels)); // the request's name
                return;
            }
        }
        throw new IllegalArgumentException("a request without start, end and status");
    }
}
