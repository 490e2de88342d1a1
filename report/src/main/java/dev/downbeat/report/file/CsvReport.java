package dev.downbeat.report.file;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.stats.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One row per interval, times in nanoseconds. Fields are empty where there are too few requests. Percentiles of
 * response times include requests whose end was not seen, by their age. The last field is the request name: empty for
 * all requests, whose rows are followed by those of each name, without connections. With many names, their rows cover
 * longer intervals.
 */
public final class CsvReport implements ReportFormat {
    private static final String HEAD = "start_ns,end_ns,planned,answered,failed,timed_out,in_flight,never_sent,"
            + "response_p50_ns,response_p90_ns,response_p99_ns,response_max_ns,"
            + "service_p50_ns,service_p90_ns,service_p99_ns,service_max_ns,lateness_max_ns,backlog_wait_max_ns,"
            + "connections_open,connections_in_use,connections_opened,connections_failed,"
            + "closed_by_server_with_notice,closed_by_server,closed_by_us,request\n";

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        out.append(HEAD);
        for (Interval interval : report.result().intervals()) {
            out.append(row(interval, interval.recording(), interval.connections(), ""))
                    .append('\n');
        }
        List<Interval> ofNames = report.result().intervalsOfNames();
        for (String name : report.result().recording().byName().keySet()) {
            for (Interval interval : ofNames) {
                out.append(row(interval, interval.recording().named(name), ConnectionCounts.NONE, quoted(name)))
                        .append('\n');
            }
        }
    }

    /** A name that a spreadsheet would take for a formula follows an apostrophe. */
    public static String quoted(String name) {
        boolean isFormula = !name.isEmpty() && "=+-@\t\r".indexOf(name.charAt(0)) >= 0;
        return '"' + (isFormula ? "'" : "") + name.replace("\"", "\"\"") + '"';
    }

    private static String row(Interval interval, Recording recording, ConnectionCounts connections, String name) {
        Ledger ledger = recording.ledger();
        List<String> fields = new ArrayList<>();
        fields.add(Long.toString(interval.startNanos()));
        fields.add(Long.toString(interval.endNanos()));
        fields.add(Long.toString(ledger.planned()));
        fields.add(Long.toString(ledger.answered()));
        fields.add(Long.toString(ledger.failed()));
        fields.add(Long.toString(ledger.timedOut()));
        fields.add(Long.toString(ledger.inFlight()));
        fields.add(Long.toString(ledger.neverSent()));
        percentiles(fields, recording.responseAtLeast(), Percentiles.of(Percentiles.Place.CSV));
        percentiles(fields, recording.service(), Percentiles.of(Percentiles.Place.CSV));
        percentiles(fields, recording.lateness(), List.of(100.0));
        percentiles(fields, recording.backlogWait(), List.of(100.0));
        fields.add(Long.toString(connections.openAtEnd()));
        fields.add(Long.toString(connections.inUseAtEnd()));
        fields.add(Long.toString(connections.opened()));
        fields.add(Long.toString(connections.failed()));
        fields.add(Long.toString(connections.closedByServerWithNotice()));
        fields.add(Long.toString(connections.closedByServer()));
        fields.add(Long.toString(connections.closedByUs()));
        fields.add(name);
        return String.join(",", fields);
    }

    private static void percentiles(List<String> fields, Distribution times, List<Double> percentiles) {
        for (double percentile : percentiles) {
            OptionalLong value = PercentileCells.percentile(times, percentile);
            fields.add(value.isPresent() ? Long.toString(value.getAsLong()) : "");
        }
    }
}
