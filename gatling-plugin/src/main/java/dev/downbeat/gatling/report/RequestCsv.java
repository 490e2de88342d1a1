package dev.downbeat.gatling.report;

import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The requests and groups of a run as CSV (RFC 4180) with a header line. A percentile is empty where JSON has null. */
public final class RequestCsv {
    private static final String HEAD =
            "request,planned,answered,failed,timed_out,in_flight,never_sent,p50_ns,p95_ns,p99_ns,"
                    + "max_ns,failed_p50_ns,failed_p99_ns,failed_max_ns,kind,service,objectives";
    private static final String GATLINGS_PACE = "(all, by Gatling's pace)";

    private RequestCsv() {}

    /**
     * Writes the CSV.
     *
     * @param byGatlingsPace all requests except those that Gatling's own pace would not have sent, as a row of kind
     *     "pace"
     */
    public static void write(
            Map<String, Recording> byName, Optional<Recording> byGatlingsPace, RunVerdict verdict, Appendable out)
            throws IOException {
        Map<String, Recording> rows = new LinkedHashMap<>(byName);
        byGatlingsPace.ifPresent(gatlings -> rows.put(GATLINGS_PACE, gatlings));
        out.append(HEAD).append('\n');
        for (Map.Entry<String, Recording> row : rows.entrySet()) {
            boolean isGroup = row.getKey().startsWith(Recording.GROUP);
            Ledger ledger = row.getValue().ledger();
            List<String> cells = new ArrayList<>();
            cells.add(CsvReport.quoted(isGroup ? row.getKey().substring(Recording.GROUP.length()) : row.getKey()));
            LongStream.of(
                            ledger.planned(),
                            ledger.answered(),
                            ledger.failed(),
                            ledger.timedOut(),
                            ledger.inFlight(),
                            ledger.neverSent())
                    .forEach(count -> cells.add(Long.toString(count)));
            ResponseBounds bounds = Observations.bounds(row.getValue());
            for (double percentile : Percentiles.of(Percentiles.Place.NAME)) {
                add(
                        cells,
                        bounds.isKnownAt(percentile)
                                ? PercentileCells.percentile(bounds.atLeast(), percentile)
                                : OptionalLong.empty());
            }
            for (double percentile : Percentiles.of(Percentiles.Place.BRIEF)) {
                add(cells, PercentileCells.percentile(row.getValue().failed(), percentile));
            }
            cells.add(row.getKey().equals(GATLINGS_PACE) ? "pace" : isGroup ? "group" : "request");
            List<JudgedObjective> own = verdict.objectives().stream()
                    .filter(objective -> objective.slo() instanceof ServiceLevelObjective.Named named
                            && named.name().equals(row.getKey()))
                    .toList();
            cells.add(RunVerdict.service(own).word());
            cells.add(CsvReport.quoted(own.stream()
                    .map(objective -> objective.status().word() + " "
                            + ((ServiceLevelObjective.Named) objective.slo())
                                    .slo()
                                    .text())
                    .collect(Collectors.joining(", "))));
            out.append(String.join(",", cells)).append('\n');
        }
    }

    private static void add(List<String> cells, OptionalLong nanos) {
        cells.add(nanos.isPresent() ? Long.toString(nanos.getAsLong()) : "");
    }
}
