package dev.downbeat.report.view.position;

import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.view.SharedData;
import dev.downbeat.report.view.SharedData.ConnectionData;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.SharedData.ReasonData;
import dev.downbeat.report.view.SharedData.TextData;
import dev.downbeat.report.view.TimesData;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.position.ConnectionLifetimes;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Service times by the position of a request on its connection. */
public record PositionData(
        @Key("") Head head,
        String headline,
        String started,
        long durationNanos,
        boolean complete,
        boolean sound,
        Plan plan,
        LedgerData ledger,
        Map<String, Long> errors,
        ConnectionData connections,
        Lives connectionLives,
        Known<Cost> firstRequestCost,
        List<PeriodData> periods,
        List<TextData> findings,
        List<ReasonData> reasons,
        List<String> advice,
        TimesData service,
        List<Place> byPlaceInRun,
        List<Place> byPositionOnConnection,
        List<Named> requests) {
    /** The requests of one name. */
    record Named(String name, TimesData service) {}

    /** The planned requests. */
    record Plan(
            String workload,
            String target,
            long runs,
            long requests,
            long concurrency,
            long warmUpRuns,
            boolean staggered,
            long spreadNanos,
            long timeoutNanos,
            boolean positionsKnown) {}

    /** The fate of the requests. */
    record LedgerData(long planned, long sent, long answered) {}

    /** The number of requests after which connections closed. */
    record Lives(@Key("") ConnectionLifetimes lives, boolean isRule) {}

    /** The extra time of the first request on a connection. */
    record Cost(long first, long rest, long costNanos, long costLowNanos, long costHighNanos, Map<String, Long> parts) {
        static Cost of(FirstRequestCost cost) {
            return new Cost(
                    cost.first(),
                    cost.rest(),
                    cost.costNanos(),
                    cost.lowNanos(),
                    cost.highNanos(),
                    SharedData.parts(cost.partsNanos()));
        }
    }

    /** A period: every n-th request on a connection is slow. */
    record PeriodData(@Key("") Period period) implements OneLine {}

    /** Service times at one position. */
    record Place(long place, long count, @Key("") Map<String, Known<Long>> times) implements OneLine {
        static Place of(PositionTable.Row row) {
            String few = "too few requests were at this position";
            Map<String, Known<Long>> times = new LinkedHashMap<>();
            for (QuantileInterval interval : row.intervals()) {
                String p = "p" + Math.round(interval.percentile());
                OptionalLong value = PercentileCells.percentile(row.service(), interval.percentile());
                times.put(p + "_ns", Known.of(value, few));
                times.put(p + "_low_ns", Known.of(interval.lowNanos(), few));
                times.put(p + "_high_ns", Known.of(interval.highNanos(), few));
            }
            return new Place(row.place(), row.service().count(), times);
        }
    }

    static PositionData of(PositionReport report, String headline) {
        SerialPlan plan = report.result().plan();
        return new PositionData(
                Head.of("position", report.version(), report.command()),
                headline,
                report.result().started().toString(),
                report.result().durationNanos(),
                report.result().complete(),
                report.isSound(),
                new Plan(
                        "serial",
                        report.result().target(),
                        plan.runs(),
                        plan.requests(),
                        plan.concurrency(),
                        plan.warmUpRuns(),
                        plan.staggered(),
                        plan.staggered() ? report.result().usualRunNanos() : 0,
                        plan.timeout().toNanos(),
                        report.positionsKnown()),
                new LedgerData((long) plan.runs() * plan.requests(), report.sent(), report.answered()),
                report.result().failures(),
                new ConnectionData(report.result().connections()),
                new Lives(report.lives(), report.lives().isRule()),
                Known.of(report.cost().map(Cost::of), "there are too few first requests, or none after them"),
                report.periods().stream().map(PeriodData::new).toList(),
                report.findings().stream()
                        .map(finding -> new TextData(finding.code(), finding.text()))
                        .toList(),
                ReasonData.of(
                        report.caveats(),
                        report.caveats().stream().filter(Caveat::isDoubt).toList()),
                report.advice(),
                TimesData.of(report.service()),
                report.places().rows().stream().map(Place::of).toList(),
                report.positions().rows().stream().map(Place::of).toList(),
                report.byName().entrySet().stream()
                        .map(one -> new Named(one.getKey(), TimesData.of(one.getValue())))
                        .toList());
    }
}
