package dev.downbeat.gatling;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The requests of a run by group and name, for a reader and for a spreadsheet. */
final class RequestTable {
    private static final String HEAD =
            "request,planned,answered,failed,timed_out,in_flight,never_sent,p50_ns,p95_ns,p99_ns,max_ns";
    private static final int MOST_LINES = 20;
    private static final int WIDEST = 34;
    private static final double NANOS_PER_MILLI = 1e6;

    private RequestTable() {}

    /** As RFC 4180 has it, with a line of names. */
    static void csv(List<RequestRow.Counts> rows, Appendable out) throws IOException {
        out.append(HEAD).append('\n');
        for (RequestRow.Counts row : rows) {
            out.append('"').append(row.name().replace("\"", "\"\"")).append('"');
            for (long value : new long[] {
                row.planned(),
                row.answered(),
                row.failed(),
                row.timedOut(),
                row.inFlight(),
                row.neverSent(),
                row.p50Nanos(),
                row.p95Nanos(),
                row.p99Nanos(),
                row.maxNanos()
            }) {
                out.append(',').append(Long.toString(value));
            }
            out.append('\n');
        }
    }

    /** Lines of 80 columns; empty where all requests have one name. */
    static String text(List<RequestRow.Counts> rows) {
        if (rows.size() < 2) {
            return "";
        }
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%n  %-34s %8s %7s %8s %8s %8s%n",
                "by request (ms)",
                "planned",
                "not ok",
                "p50",
                "p99",
                "max"));
        rows.stream().limit(MOST_LINES).forEach(row -> text.append(line(row)));
        if (rows.size() > MOST_LINES) {
            text.append("  and ").append(rows.size() - MOST_LINES).append(" more\n");
        }
        return text.toString();
    }

    private static String line(RequestRow.Counts row) {
        String name = row.name().length() <= WIDEST ? row.name() : row.name().substring(0, WIDEST - 3) + "...";
        return String.format(
                Locale.ROOT,
                "  %-34s %8d %7d %8.1f %8.1f %8.1f%n",
                name,
                row.planned(),
                row.planned() - row.answered(),
                row.p50Nanos() / NANOS_PER_MILLI,
                row.p99Nanos() / NANOS_PER_MILLI,
                row.maxNanos() / NANOS_PER_MILLI);
    }
}
