package dev.downbeat.report.file;

import dev.downbeat.compare.Build;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.History;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.HistoryReport;
import dev.downbeat.stats.Percentiles;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The builds of a history as a table for Apache Otava. Its columns are the time, the build, and each percentile in
 * milliseconds over all runs of the build. Builds of unknown time have their index instead.
 */
public final class HistoryCsv {
    private HistoryCsv() {}

    /**
     * Writes the table; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    public static void write(HistoryReport report, Appendable out) throws IOException {
        List<Double> percentiles = report.history().series().stream()
                .map(History.OfPercentile::percentile)
                .toList();
        out.append("time,build,runs,requests,not_answered");
        for (double percentile : percentiles) {
            out.append(',')
                    .append(Percentiles.name(percentile).replace('.', '_'))
                    .append("_ms");
        }
        out.append('\n');
        List<Build> builds = report.history().builds();
        for (int i = 0; i < builds.size(); i++) {
            Build build = builds.get(i);
            Recording total = build.side().total();
            out.append(build.started().orElse(Instant.ofEpochSecond(i)).toString());
            out.append(',').append(build.name().replaceAll("[,\"\\p{Cntrl}]", "_"));
            out.append(',').append(Integer.toString(build.runs().size()));
            out.append(',').append(Long.toString(ComparedRun.planned(total)));
            out.append(',').append(Long.toString(ComparedRun.notAnswered(total)));
            for (History.OfPercentile one : report.history().series()) {
                out.append(',')
                        .append(String.format(Locale.ROOT, "%.6f", one.nanos().get(i) / 1e6));
            }
            out.append('\n');
        }
    }
}
