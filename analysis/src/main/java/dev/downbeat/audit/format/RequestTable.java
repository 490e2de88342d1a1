package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.format.Cells.Names;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A table with one row per request. {@link #ALL} lists the column names of each tool.
 *
 * @param name tool and format, as users know them
 * @param head how the first line begins
 * @param usual the columns, if the first line does not name them
 * @param time column of the timestamp
 * @param isEnd whether the timestamp is the end of the request
 * @param duration column of the duration
 * @param failed column that marks failed requests
 * @param failure how that column marks a failure
 * @param resolutionNanos resolution of the times; 0 if the file states it
 */
record RequestTable(
        String name,
        Pattern head,
        List<String> usual,
        Column time,
        boolean isEnd,
        Column duration,
        String failed,
        Failure failure,
        long resolutionNanos)
        implements Format {
    private static final long MICRO = 1_000L;
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;

    /** JMeter's columns if the file has no header. */
    private static final List<String> JMETER = List.of(
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

    private static final List<String> VEGETA =
            List.of("time", "code", "latency", "out", "in", "error", "body", "attack", "seq", "method", "url");
    private static final List<String> H2LOAD = List.of("start", "status", "duration");
    private static final List<String> NAMED = List.of();

    /** The command that converts oha's database to this format. */
    static final String EXPORT = "sqlite3 -header -csv oha.db 'SELECT start,duration,status FROM oha' > oha.csv";

    static final List<RequestTable> ALL = List.of(
            table(
                    "JMeter JTL (CSV)",
                    "(?!<)(?:.*timeStamp.*elapsed|.*elapsed.*timeStamp"
                            + "|1[0-9]{12}[,;\t][0-9]+[,;\t][^,;\t]*[,;\t].*[,;\t](true|false)[,;\t])",
                    JMETER,
                    Column.whole("timeStamp", MILLI),
                    Column.whole("elapsed", MILLI),
                    "success",
                    Failure.IS_FALSE,
                    MILLI),
            new RequestTable(
                    "k6 --out csv",
                    Pattern.compile("metric_name,timestamp,metric_value"),
                    NAMED,
                    Column.whole("timestamp", 0), // K6_CSV_TIME_FORMAT sets the unit
                    true,
                    Column.decimal("metric_value", MILLI),
                    "expected_response",
                    Failure.IS_FALSE,
                    0),
            table(
                    "vegeta (CSV)",
                    "1[0-9]{18},[0-9]{1,3},[0-9]+,[0-9]+,[0-9]+,",
                    VEGETA,
                    Column.whole("time", 1),
                    Column.whole("latency", 1),
                    "error",
                    Failure.HAS_TEXT,
                    0),
            table(
                    "hey (CSV)",
                    "response-time,DNS\\+dialup",
                    NAMED,
                    Column.decimal("offset", SECOND),
                    Column.decimal("response-time", SECOND),
                    "status-code",
                    Failure.SERVER_ERROR,
                    100_000),
            table(
                    "oha (CSV)",
                    "request-start,DNS",
                    NAMED,
                    Column.decimal("request-start", SECOND),
                    Column.decimal("request-duration", SECOND),
                    "status",
                    Failure.SERVER_ERROR,
                    MICRO),
            table(
                    "oha (CSV)",
                    "start,duration,status",
                    NAMED,
                    Column.decimal("start", SECOND),
                    Column.decimal("duration", SECOND),
                    "status",
                    Failure.SERVER_ERROR,
                    MICRO),
            table(
                    "ab -g",
                    "starttime\tseconds\tctime",
                    NAMED,
                    Column.whole("seconds", SECOND),
                    Column.whole("ttime", MILLI),
                    "",
                    Failure.IS_FALSE,
                    SECOND),
            table(
                    "h2load --log-file",
                    "1[0-9]{15}\t-?[0-9]+\t[0-9]+",
                    H2LOAD,
                    Column.whole("start", MICRO),
                    Column.whole("duration", MICRO),
                    "status",
                    Failure.NO_SUCCESS,
                    MICRO));

    static final Format GATLING = new GatlingLog();

    /** A numeric column with its unit in nanoseconds. */
    private record Column(String name, long nanos, boolean isWhole) {
        static Column whole(String name, long nanos) {
            return new Column(name, nanos, true);
        }

        static Column decimal(String name, long nanos) {
            return new Column(name, nanos, false);
        }

        long nanos(Cells cells, int place, long unit) {
            return isWhole
                    ? Math.multiplyExact(cells.whole(place), unit)
                    : Math.round(cells.number(place) * (double) unit);
        }
    }

    /** How a cell marks a failed request. */
    private enum Failure {
        SERVER_ERROR,
        NO_SUCCESS,
        IS_FALSE,
        HAS_TEXT;

        boolean is(Cells cells, int place) {
            return switch (this) {
                case SERVER_ERROR -> cells.whole(place) >= 500;
                case NO_SUCCESS -> cells.whole(place) < 200 || cells.whole(place) >= 400;
                case IS_FALSE -> cells.is(place, "false");
                case HAS_TEXT -> !cells.isEmpty(place);
            };
        }
    }

    private static RequestTable table(
            String name,
            String head,
            List<String> usual,
            Column start,
            Column duration,
            String failed,
            Failure failure,
            long resolutionNanos) {
        return new RequestTable(
                name, Pattern.compile(head), usual, start, false, duration, failed, failure, resolutionNanos);
    }

    @Override
    public boolean recognises(String text) {
        return head.matcher(text.lines().findFirst().orElse("")).lookingAt();
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        if (resolutionNanos > 0) {
            into.resolutionNanos(resolutionNanos);
        }
        into.durationResolutionNanos(duration.isWhole() ? duration.nanos() : resolutionNanos);
        if (!source.record()) {
            return;
        }
        String first = source.text();
        char separator = first.contains(";") && !first.contains(",") ? ';' : first.contains("\t") ? '\t' : ',';
        Cells cells = new Cells(separator).of(source);
        boolean hasNames = usual.isEmpty() || first.contains(time.name());
        Rows rows = new Rows(hasNames ? cells.all() : usual, into);
        if (!hasNames) {
            rows.take(cells);
        }
        while (source.record()) {
            if (!source.isBlank()) {
                rows.take(cells.of(source));
            }
        }
        rows.end(source);
    }

    private final class Rows {
        private final ResultCollector into;
        private final Names users = new Names();
        private final Names labels = new Names();
        private final int timeColumn;
        private final int durationColumn;
        private final int failedColumn;
        private final int userColumn;
        private final int urlColumn;
        private final int metricColumn;
        private final int messageColumn;
        private final int labelColumn;
        private long transactions;
        private long dropped;

        Rows(List<String> columns, ResultCollector into) {
            this.into = into;
            timeColumn = columns.indexOf(time.name());
            durationColumn = columns.indexOf(duration.name());
            failedColumn = columns.indexOf(failed);
            userColumn = Math.max(columns.indexOf("threadName"), columns.indexOf("vu"));
            urlColumn = Math.max(columns.indexOf("URL"), columns.indexOf("url"));
            metricColumn = columns.indexOf("metric_name");
            messageColumn = columns.indexOf("responseMessage");
            labelColumn = Math.max(columns.indexOf("label"), metricColumn < 0 ? -1 : columns.indexOf("name"));
            if (timeColumn < 0 || durationColumn < 0) {
                throw new IllegalArgumentException(
                        "the columns " + time.name() + " and " + duration.name() + " are needed");
            }
        }

        void take(Cells cells) {
            if (metricColumn >= 0 && cells.is(metricColumn, "dropped_iterations")) {
                dropped += Math.round(cells.number(durationColumn));
            } else if (messageColumn >= 0 && cells.startsWith(messageColumn, "Number of samples in transaction")) {
                transactions++;
                into.finding(AuditFinding.note(
                        Kind.TRANSACTIONS, "transactions are ignored, since their samples are included"));
            } else if (metricColumn < 0 || cells.is(metricColumn, "http_req_duration")) {
                if (!cells.is(timeColumn, time.name())) { // several files in one
                    request(cells);
                }
            }
        }

        private void request(Cells cells) {
            long nanos = instant(cells);
            if (nanos < 0) {
                throw new IllegalArgumentException("'" + cells.text(timeColumn) + "' is not a time");
            }
            long length = duration.nanos(cells, durationColumn, duration.nanos());
            int userIndex = userColumn >= 0 && !cells.isEmpty(userColumn) ? cells.named(userColumn, users) : -1;
            int labelIndex = labelColumn >= 0 && labelColumn < cells.count() && !cells.isEmpty(labelColumn)
                    ? cells.named(labelColumn, labels)
                    : -1;
            into.request(
                    isEnd ? nanos - length : nanos,
                    length,
                    userIndex,
                    failedColumn >= 0 && failure.is(cells, failedColumn),
                    labelIndex);
            if (urlColumn >= 0
                    && urlColumn < cells.count()
                    && into.count() == 1
                    && cells.startsWith(urlColumn, "http")) {
                into.target(cells.text(urlColumn));
            }
        }

        private long instant(Cells cells) {
            if (time.isWhole() && !cells.isWhole(timeColumn)) {
                return Instants.of(cells.text(timeColumn), into::zone);
            }
            if (time.nanos() > 0) {
                return time.nanos(cells, timeColumn, time.nanos());
            }
            long unit = Instants.unitOf(cells.whole(timeColumn));
            into.resolutionNanos(unit);
            if (unit == SECOND) {
                into.finding(AuditFinding.weighty(
                        Kind.WHOLE_SECONDS,
                        "line 2",
                        "the file has only the second in which a request ended: record with"
                                + " K6_CSV_TIME_FORMAT=unix_nano"));
            }
            return time.nanos(cells, timeColumn, unit);
        }

        void end(Source source) throws IOException {
            into.dropped(dropped);
            if (resolutionNanos == SECOND) {
                into.finding(AuditFinding.weighty(
                        Kind.WHOLE_SECONDS, "line 2", "the file has only the second in which a request started"));
            }
            if (transactions > 0 && into.count() == 0) {
                source.number(0);
                throw new IOException("all of its " + transactions + " rows are transactions without their samples:"
                        + " in JMeter, clear 'Generate parent sample' of the Transaction Controller");
            }
        }
    }

    /**
     * Gatling's simulation.log up to 3.11: tab-separated cells, times in milliseconds. Requests do not identify their user.
     */
    private static final class GatlingLog implements Format {
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
        public void read(Source source, ResultCollector into) throws IOException {
            into.resolutionNanos(MILLI);
            into.durationResolutionNanos(MILLI);
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
        private static void request(Cells cells, Names labels, ResultCollector into) {
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
}
