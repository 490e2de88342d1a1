package dev.downbeat.gatling.report;

import dev.downbeat.gatling.ledger.Requests;
import dev.downbeat.record.Ledger;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The requests of a run by group and name, for a reader and for a spreadsheet. */
public final class RequestTable {
    private static final String HEAD =
            "request,planned,answered,failed,timed_out,in_flight,never_sent,p50_ns,p95_ns,p99_ns,"
                    + "max_ns,failed_p50_ns,failed_p99_ns,failed_max_ns,kind,service,objectives";
    private static final int MOST_LINES = 20;
    private static final int WIDEST = 34;
    private static final double NANOS_PER_MILLI = 1e6;

    private RequestTable() {}

    /** As RFC 4180 has it, with a line of names. What was not measured is empty. */
    public static void csv(Map<Requests, Verdict> rows, Appendable out) throws IOException {
        out.append(HEAD).append('\n');
        for (Map.Entry<Requests, Verdict> row : rows.entrySet()) {
            RequestTimes times = RequestTimes.of(row.getKey());
            Ledger ledger = times.ledger();
            List<String> cells = new ArrayList<>();
            cells.add(quoted(row.getKey().name()));
            LongStream.of(
                            ledger.planned(),
                            ledger.answered(),
                            ledger.failed(),
                            ledger.timedOut(),
                            ledger.inFlight(),
                            ledger.neverSent())
                    .forEach(count -> cells.add(Long.toString(count)));
            times.seen().forEach(nanos -> cells.add(cell(nanos)));
            times.failed().forEach(nanos -> cells.add(cell(nanos)));
            cells.add(row.getKey().isGroup() ? "group" : "request");
            cells.add(row.getValue().service().word());
            cells.add(quoted(Judgement.words(row.getValue()).orElse("")));
            out.append(String.join(",", cells)).append('\n');
        }
    }

    private static String cell(OptionalLong nanos) {
        return nanos.isEmpty() ? "" : Long.toString(nanos.getAsLong());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Lines of 80 columns; empty where all requests have one name. */
    public static String text(Map<Requests, Verdict> rows) {
        List<Requests> named =
                rows.keySet().stream().filter(requests -> !requests.isGroup()).collect(Collectors.toList());
        if (named.size() < 2) {
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
        named.stream().limit(MOST_LINES).forEach(row -> text.append(line(row)));
        if (named.size() > MOST_LINES) {
            text.append("  and ").append(named.size() - MOST_LINES).append(" more\n");
        }
        return text.toString();
    }

    private static String line(Requests row) {
        RequestTimes times = RequestTimes.of(row);
        String name = row.name().length() <= WIDEST ? row.name() : row.name().substring(0, WIDEST - 3) + "...";
        boolean onlyFailed = times.ledger().failed() > 0 && times.seen().get(0).isEmpty();
        List<OptionalLong> shown = onlyFailed
                ? times.failed()
                : List.of(times.seen().get(0), times.seen().get(2), times.seen().get(3));
        return String.format(
                Locale.ROOT,
                "  %-34s %8d %7d %8s %8s %8s%s%n",
                name,
                times.ledger().planned(),
                times.ledger().planned() - times.ledger().answered(),
                millis(shown.get(0)),
                millis(shown.get(1)),
                millis(shown.get(2)),
                onlyFailed ? " failed" : "");
    }

    private static String millis(OptionalLong nanos) {
        return nanos.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f", nanos.getAsLong() / NANOS_PER_MILLI);
    }
}
