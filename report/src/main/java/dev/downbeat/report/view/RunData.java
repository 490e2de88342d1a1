package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.paper.Told;
import dev.downbeat.report.view.SharedData.ConnectionData;
import dev.downbeat.report.view.SharedData.LedgerData;
import dev.downbeat.report.view.SharedData.ObjectiveData;
import dev.downbeat.report.view.SharedData.ReasonData;
import dev.downbeat.report.view.SharedData.StreamData;
import java.util.List;
import java.util.Map;

/** A run for programs: the names in JSON are those of the components. {@link RunJson} fills it in. */
public record RunData(
        @Key("") Head head,
        Told<String> seed,
        String started,
        @Key("started_monotonic_ns") long startedMonotonic,
        long durationNanos,
        boolean complete,
        String ending,
        Told<String> failure,
        String headline,
        OutcomeData outcome,
        Told<Object> measurement,
        Plan plan,
        LedgerData ledger,
        TimesData response,
        TimesData.Ours responseOursAtMost,
        TimesData.Confidence responseConfidence,
        SteadinessData steadiness,
        TimesData service,
        TimesData lateness,
        TimesData backlogWait,
        TimesData failedResponse,
        Censored censored,
        RateData rates,
        Backlog backlog,
        Told<Queue> queue,
        List<Band> tail,
        List<ExemplarData> exemplars,
        List<IncidentData> incidents,
        Told<WhyData> why,
        List<ObjectiveData> objectives,
        VerdictData verdict,
        Connections connections,
        TargetCountData targetCounts,
        Map<String, Long> statuses,
        Map<String, Long> errors,
        List<RunRequests.Data> requests,
        Position position,
        Health health,
        Environment environment,
        List<IntervalData> intervals,
        List<Shard> shards) {
    /** What was meant to happen; details of the target stand beside the rest. */
    record Plan(
            String workload,
            Told<String> arrivals,
            String description,
            @Key("rate_per_s") Told<Double> rate,
            String target,
            Told<Long> durationNanos,
            Told<Long> maxRequests,
            long timeoutNanos,
            String timeoutFrom,
            long drainNanos,
            long generators,
            long intervalNanos,
            @Key("") Map<String, Object> details) {}

    /**
     * What follows for a script, and what the run shows, the weightiest first.
     *
     * @param exitCode of the command that measured it
     */
    record OutcomeData(String answer, long exitCode, List<String> findings) {
        static OutcomeData of(Analysis analysis) {
            return new OutcomeData(
                    analysis.outcome().answer().code(),
                    analysis.outcome().exitCode(),
                    analysis.findings().stream()
                            .map(finding -> finding.kind().code())
                            .toList());
        }
    }

    /** Whether the service was the same throughout. */
    record SteadinessData(Told<String> found, Told<Double> visibleMedianFactor) {}

    /** Requests whose end was not seen, and the response times with theirs so far. */
    record Censored(long count, TimesData lowerBound) {}

    /** What was meant and what was reached. */
    record RateData(
            double intendedPerSecond, long intendedOverNanos, double achievedPerSecond, long achievedOverNanos) {}

    /** Requests that waited in this client. */
    record Backlog(long peak, long peakAtNanos) {}

    /** Requests that waited at a simulated service: no client of a real one can see it. */
    record Queue(
            double mean,
            long most,
            long mostAtNanos,
            long atEndOfLoad,
            double growthPerSecond,
            List<Stretch> stretches) {
        /** A part of the run. */
        record Stretch(long startNanos, long endNanos, double mean, long most) implements OneLine {}
    }

    /** What response times between two percentiles are made of. */
    record Band(String band, long count, @Key("") Map<String, Long> parts) implements OneLine {}

    /** One request in full. */
    record ExemplarData(
            long index,
            long intendedNanos,
            long responseNanos,
            long position,
            @Key("") Map<String, Long> parts) implements OneLine {}

    record IncidentData(
            long startNanos,
            long lengthNanos,
            long catchUpNanos,
            long requestsHit,
            double tailShare,
            long slowestNanos,
            String cause,
            boolean open)
            implements OneLine {}

    /** Two answers, and what speaks against the first. */
    record VerdictData(
            String measurement,
            Told<Double> soundUpTo,
            List<Double> partlyOurs,
            String service,
            List<ReasonData> reasons) {}

    /** Counts, and what opening a connection costs. */
    record Connections(
            long opened,
            long resumed,
            long failed,
            long closedByServerWithNotice,
            long closedByServer,
            long closedByUs,
            long openAtEnd,
            long inUseAtEnd,
            TimesData.Brief lookup,
            TimesData.Brief connect,
            TimesData.Brief handshake,
            TimesData.Brief window,
            StreamData streams) {}

    /** What the target counted by itself. */
    record TargetCountData(@Key("") Map<String, Long> counts, Told<Double> amplification) {}

    /** Service times by the position on the connection. */
    record Position(long last, TimesData.Brief first, TimesData.Brief rest) {}

    /** How well this process did. */
    record Health(
            long wallNanos,
            Told<Long> cpuNanos,
            long largestHiccupNanos,
            long largestHiccupAtNanos,
            long hiccupNanos,
            long gcCount,
            long gcNanos,
            long largestGcNanos,
            Told<Long> stealNanos) {}

    /** Where it ran. */
    record Environment(
            long cores,
            Told<Long> cpuLimitMillicores,
            String os,
            String kernel,
            String arch,
            Told<String> processor,
            String jvm,
            List<String> collectors,
            Told<Long> clockGranularityNanos,
            long clockReadNanos,
            long wakeUpDelayNanos) {}

    /** A stretch of the run. */
    record IntervalData(
            long startNanos,
            long endNanos,
            long planned,
            long answered,
            long failed,
            @Key("p50_ns") Told<Long> median,
            @Key("p95_ns") Told<Long> p95,
            @Key("p99_ns") Told<Long> p99,
            Told<Long> maxNanos,
            ConnectionData connections)
            implements OneLine {}

    /** One process of a merged run. */
    record Shard(
            long shard,
            boolean missing,
            Told<String> started,
            Told<String> ending,
            long planned,
            long answered,
            @Key("lateness_p99_ns") long latenessP99,
            long latenessMaxNanos,
            long cores,
            Told<Health> health,
            List<String> doubts) {}
}
