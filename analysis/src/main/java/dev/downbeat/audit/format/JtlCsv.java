package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Finding;
import java.io.IOException;
import java.util.List;

/** JMeter's results, a row for each sample: its start, and how long it took, in milliseconds. */
final class JtlCsv implements Format {
    private static final long MILLI = 1_000_000L;

    /** What JMeter writes when it writes no names. */
    private static final List<String> USUAL = List.of(
            "timeStamp",
            "elapsed",
            "label",
            "responseCode",
            "responseMessage",
            "threadName",
            "dataType",
            "success",
            "failureMessage",
            "bytes",
            "sentBytes",
            "grpThreads",
            "allThreads",
            "URL",
            "Latency",
            "IdleTime",
            "Connect");

    @Override
    public String name() {
        return "JMeter JTL (CSV)";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.lines().findFirst().orElse("");
        return (first.contains("timeStamp") && first.contains("elapsed") && !first.startsWith("<"))
                || first.matches("1[0-9]{12}[,;\t][0-9]+[,;\t][^,;\t]*[,;\t][^\n]*[,;\t](true|false)[,;\t].*");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        into.resolutionNanos(MILLI);
        if (source.line()) {
            String first = source.text();
            char separator = first.contains(";") && !first.contains(",") ? ';' : first.contains("\t") ? '\t' : ',';
            Cells cells = new Cells(separator).of(source);
            boolean hasNames = first.contains("timeStamp");
            Rows rows = new Rows(hasNames ? cells.all() : USUAL, into);
            if (!hasNames) {
                rows.take(cells);
            }
            while (source.record()) {
                if (!source.isBlank()) {
                    rows.take(cells.of(source));
                }
            }
            if (rows.transactions > 0 && into.count() == 0) {
                source.number(0);
                throw new IOException(
                        "all of its " + rows.transactions + " rows are transactions without their samples:"
                                + " in JMeter, clear 'Generate parent sample' of the Transaction Controller");
            }
        }
    }

    private static final class Rows {
        private final Collected into;
        private final Names users = new Names();
        private final int start;
        private final int elapsed;
        private final int thread;
        private final int success;
        private final int message;
        private final int url;
        private long transactions;

        Rows(List<String> names, Collected into) {
            this.into = into;
            start = names.indexOf("timeStamp");
            elapsed = names.indexOf("elapsed");
            thread = names.indexOf("threadName");
            success = names.indexOf("success");
            message = names.indexOf("responseMessage");
            url = names.indexOf("URL");
            if (start < 0 || elapsed < 0) {
                throw new IllegalArgumentException("the columns timeStamp and elapsed are needed");
            }
        }

        void take(Cells cells) {
            if (cells.is(start, "timeStamp")) {
                return; // several files in one
            }
            if (message >= 0 && cells.startsWith(message, "Number of samples in transaction")) {
                transactions++;
                into.finding(Finding.note(
                        "transactions", "", "transactions are left out: their samples are there themselves"));
                return;
            }
            boolean isNumber = cells.isWhole(start);
            long startNanos = isNumber ? cells.whole(start) * MILLI : Instants.of(cells.text(start));
            int user = thread >= 0 ? cells.named(thread, users) : -1;
            boolean hasFailed = success >= 0 && cells.is(success, "false");
            into.request(startNanos, cells.whole(elapsed) * MILLI, user, hasFailed);
            if (url >= 0 && into.count() == 1 && cells.startsWith(url, "http")) {
                into.target(cells.text(url));
            }
        }
    }
}
