package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Known;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.view.SharedData.ConnectionData;
import dev.downbeat.report.view.SharedData.LedgerData;
import dev.downbeat.report.view.SharedData.ObjectiveData;
import dev.downbeat.report.view.SharedData.ReasonData;
import dev.downbeat.report.view.SharedData.StreamData;
import java.util.List;
import java.util.Map;

/**
 * One run: its plan, times, verdict and course. The names in JSON are those of the components. {@link RunJson} fills it
 * in.
 */
public record RunData(
        @Key("") Head head,
        Known<String> seed,
        String started,
        @Key("started_monotonic_ns") long startedMonotonic,
        long durationNanos,
        boolean complete,
        String ending,
        Known<String> failure,
        String headline,
        OutcomeData outcome,
        Known<Object> measurement,
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
        Known<Queue> queue,
        List<Band> tail,
        List<ExemplarData> exemplars,
        List<IncidentData> incidents,
        Known<WhyData> why,
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
    /** The planned load. Details of the target stand beside the rest. */
    record Plan(
            String workload,
            Known<String> arrivals,
            String description,
            @Key("rate_per_s") Known<Double> rate,
            String target,
            Known<Long> durationNanos,
            Known<Long> maxRequests,
            long timeoutNanos,
            String timeoutFrom,
            long drainNanos,
            long generators,
            long intervalNanos,
            @Key("") Map<String, Object> details) {}

    /**
     * The answer and exit code for scripts, and the findings, the weightiest first.
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

    /** Whether the service behaved the same throughout the run. */
    record SteadinessData(Known<String> found, Known<Double> visibleMedianFactor) {}

    /** Requests whose end was not seen, with lower bounds of the percentiles. */
    record Censored(long count, TimesData lowerBound) {}

    /** Planned and achieved requests per second. */
    record RateData(
            double intendedPerSecond, long intendedOverNanos, double achievedPerSecond, long achievedOverNanos) {}

    /** Requests that were due and waited in this client for a free connection. */
    record Backlog(long peak, long peakAtNanos) {}

    /** The queue at a simulated service. No client of a real service can see it. */
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

    /** The parts of response times between two percentiles: where the time went. */
    record Band(String band, long count, @Key("") Map<String, Long> parts) implements OneLine {}

    /** One request in full. */
    record ExemplarData(
            long index,
            long intendedNanos,
            long responseNanos,
            long position,
            @Key("") Map<String, Long> parts) implements OneLine {}

    /** A stall of the service, a pause of this client, or slow requests that came together. */
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

    /** Whether the measurement is sound, whether the service met its objectives, and the reasons for doubt. */
    record VerdictData(
            String measurement,
            Known<Double> soundUpTo,
            List<Double> partlyOurs,
            String service,
            List<ReasonData> reasons) {}

    /** Counts of connections, and the cost of opening one. */
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

    /** A count that the target keeps. */
    record TargetCountData(@Key("") Map<String, Long> counts, Known<Double> amplification) {}

    /** Service times by position on the connection. */
    record Position(long last, TimesData.Brief first, TimesData.Brief rest) {}

    /** The state of the client: garbage collections, pauses, processor time. */
    record Health(
            long wallNanos,
            Known<Long> cpuNanos,
            long largestHiccupNanos,
            long largestHiccupAtNanos,
            long hiccupNanos,
            long gcCount,
            long gcNanos,
            long largestGcNanos,
            Known<Long> stealNanos) {}

    /** The machine, operating system and JVM of the client. */
    record Environment(
            long cores,
            Known<Long> cpuLimitMillicores,
            String os,
            String kernel,
            String arch,
            Known<String> processor,
            String jvm,
            List<String> collectors,
            Known<Long> clockGranularityNanos,
            long clockReadNanos,
            long wakeUpDelayNanos) {}

    /** One interval of the run, normally a second. */
    record IntervalData(
            long startNanos,
            long endNanos,
            long planned,
            long answered,
            long failed,
            @Key("p50_ns") Known<Long> median,
            @Key("p95_ns") Known<Long> p95,
            @Key("p99_ns") Known<Long> p99,
            Known<Long> maxNanos,
            ConnectionData connections)
            implements OneLine {}

    /** One process of a merged run. */
    record Shard(
            long shard,
            boolean missing,
            Known<String> started,
            Known<String> ending,
            long planned,
            long answered,
            @Key("lateness_p99_ns") long latenessP99,
            long latenessMaxNanos,
            long cores,
            Known<Health> health,
            List<String> doubts) {}
}
