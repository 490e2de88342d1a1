package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.view.SharedData.ConnectionData;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.SharedData.LedgerData;
import dev.downbeat.report.view.SharedData.ObjectiveData;
import dev.downbeat.report.view.SharedData.ReasonData;
import dev.downbeat.report.view.SharedData.StreamData;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One run: its plan, times, verdict and course. The names in JSON are those of the components. {@link Builder} fills it
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
        Known<TimesData.Estimate> responseKaplanMeier,
        RateData rates,
        BacklogData backlog,
        Known<QueueData> queue,
        List<Band> tail,
        List<ExemplarData> exemplars,
        List<IncidentData> incidents,
        Known<WhyData> why,
        List<ObjectiveData> objectives,
        VerdictData verdict,
        ConnectionTotals connections,
        TargetCountData targetCounts,
        Map<String, Long> statuses,
        Map<String, Long> errors,
        List<RunRequests.Data> requests,
        Position position,
        Health health,
        Environment environment,
        List<IntervalData> intervals,
        List<ShardData> shards) {
    public static RunData of(RunReport report) {
        return new Builder(report).data();
    }

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
     * The answer, met if nothing was missed and nothing asked for is undecided; the exit code; and the findings, the
     * weightiest first.
     *
     * @param exitCode of the command that measured it; null if a signal ended it
     */
    record OutcomeData(String answer, Known<Long> exitCode, List<String> findings) {
        static OutcomeData of(Analysis analysis) {
            return new OutcomeData(
                    analysis.outcome().answer().code(),
                    analysis.result().isOfStoppedShard()
                            ? Known.of((long) ExitCode.STOPPED)
                            : SharedData.exitCode(
                                    analysis.outcome().exitCode(),
                                    analysis.result().isEndedBySignal()),
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
    record BacklogData(long peak, long peakAtNanos) {}

    /** The queue at a simulated service. No client of a real service can see it. */
    record QueueData(
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

    /** A stall of the service, a pause of this client, or slow requests that came together; of one name, if it hit no other. */
    record IncidentData(
            long startNanos,
            long lengthNanos,
            long catchUpNanos,
            long requestsHit,
            Known<String> name,
            double tailShare,
            long slowestNanos,
            boolean slowestLowerBound,
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
    record ConnectionTotals(
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

    /**
     * One interval of the run, normally a second. With {@code lower_bound} its times are lower bounds only, because
     * requests did not end.
     */
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
            boolean lowerBound,
            ConnectionData connections)
            implements OneLine {}

    /** One process of a merged run. */
    record ShardData(
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

    private static final class Builder {
        private final RunReport report;
        private final RunResult result;
        private final Recording recording;

        Builder(RunReport report) {
            this.report = report;
            this.result = report.result();
            this.recording = result.recording();
        }

        /** A program that reads nothing else learns that the run is partial. */
        private String headline() {
            String text = new RunHeadline(report).text();
            String partial = new RunFacts(report).partial();
            return partial.isEmpty() || result.ending() == RunSpan.Ending.DECIDED ? text : partial + ". " + text;
        }

        RunData data() {
            ResponseBounds bounds = report.analysis().response();
            return new RunData(
                    Head.of("run", report.version(), report.command()),
                    Known.of(report.seed(), "nothing in this plan is random"),
                    result.started().toString(),
                    result.span().startAt(),
                    result.durationNanos(),
                    result.isComplete(),
                    SharedData.lower(result.ending()),
                    Known.of(result.failure(), "the run did not fail"),
                    headline(),
                    OutcomeData.of(report.analysis()),
                    report.measurement().isEmpty()
                            ? Known.not("it was not started by a command")
                            : Known.of((Object) report.measurement()),
                    plan(result.plan()),
                    SharedData.LedgerData.of(result.ledger()),
                    TimesData.of(bounds, report.analysis().decided()),
                    TimesData.Ours.of(bounds),
                    TimesData.Confidence.of(report.analysis()),
                    steadiness(),
                    TimesData.ofService(report.analysis().service()),
                    TimesData.of(recording.lateness()),
                    TimesData.of(recording.backlogWait()),
                    TimesData.of(recording.failed()),
                    new Censored(recording.censored().count(), TimesData.of(bounds.atLeast())),
                    TimesData.Estimate.of(RunFacts.Unfinished.nanos(report.analysis())),
                    new RateData(
                            result.intendedPerSecond(),
                            result.windowNanos(),
                            result.throughput().perSecond(),
                            result.throughput().overNanos()),
                    new BacklogData(result.lanes().peakBacklog(), result.lanes().peakBacklogAtNanos()),
                    Known.of(report.queue().map(Builder::queue), "only a simulation sees the queue at the service"),
                    TailBands.of(recording).stream()
                            .map(band -> new Band(band.name(), band.count(), SharedData.parts(band.meansNanos())))
                            .toList(),
                    recording.anatomy().exemplars().stream()
                            .map(one -> new ExemplarData(
                                    one.index(),
                                    one.intendedNanos(),
                                    one.responseNanos(),
                                    one.position(),
                                    SharedData.parts(one.partsNanos())))
                            .toList(),
                    incidents(),
                    report.why().isWatched()
                            ? Known.of(WhyData.of(report.why()))
                            : Known.not("the service was not watched"),
                    SharedData.ObjectiveData.of(report.verdict().objectives()),
                    new VerdictData(
                            report.verdict().measurement().word(),
                            Known.of(report.verdict().rows().upTo(), "all percentiles are sound, or the lowest is not"),
                            report.verdict().rows().ours(),
                            report.verdict().service().word(),
                            SharedData.ReasonData.of(
                                    report.verdict().caveats(), report.verdict().doubts())),
                    connections(result.connections()),
                    targetCounts(),
                    recording.statuses(),
                    recording.failures(),
                    new RunRequests(report).data(),
                    new Position(
                            recording.anatomy().byPosition().last(),
                            TimesData.Brief.of(recording.anatomy().byPosition().at(1)),
                            TimesData.Brief.of(recording.anatomy().byPosition().afterFirst())),
                    health(result.health()),
                    environment(report.machine()),
                    result.intervals().stream().map(Builder::interval).toList(),
                    result.shards().stream().map(Builder::shard).toList());
        }

        private Plan plan(RunPlan plan) {
            WorkloadText text = new WorkloadText(plan);
            return new Plan(
                    plan.workload().kind(),
                    Known.of(text.arrivals().map(ArrivalProcess::kind), "virtual users follow the responses"),
                    WorkloadText.line(report),
                    Known.of(plan.workload().ratePerSecond(), "the plan has no single rate"),
                    result.target(),
                    limit(plan.durationNanos(), "only the number of requests limits the run"),
                    limit(plan.maxRequests(), "only the duration limits the run"),
                    plan.timeoutNanos(),
                    SharedData.lower(plan.timeoutFrom()),
                    plan.drainNanos(),
                    plan.generators(),
                    plan.intervalNanos(),
                    report.details());
        }

        private static Known<Long> limit(long value, String otherwise) {
            return value == Long.MAX_VALUE ? Known.not(otherwise) : Known.of(value);
        }

        private SteadinessData steadiness() {
            Optional<Steadiness> steadiness = report.analysis().steadiness();
            OptionalDouble visible =
                    steadiness.map(seen -> seen.found().visible()).orElse(OptionalDouble.empty());
            return new SteadinessData(
                    Known.of(steadiness.map(Steadiness::text), "the load changed, or the run was shorter than 20 s"),
                    Known.of(visible, "no jump of the median would have been visible"));
        }

        private static QueueData queue(QueueLengths queue) {
            return new QueueData(
                    queue.mean(),
                    queue.most(),
                    queue.mostAtNanos(),
                    queue.atEndOfLoad(),
                    queue.growthPerSecond(),
                    queue.stretches().stream()
                            .map(one -> new QueueData.Stretch(one.startNanos(), one.endNanos(), one.mean(), one.most()))
                            .toList());
        }

        private List<IncidentData> incidents() {
            return report.analysis().events().stream()
                    .map(one -> new IncidentData(
                            one.startNanos(),
                            one.lengthNanos(),
                            one.catchUpNanos(),
                            one.requestsHit(),
                            Known.of(
                                    Optional.of(one.name()).filter(name -> !name.isEmpty()),
                                    "no name is the only one hit among several"),
                            one.tailShare(),
                            one.slowestNanos(),
                            one.isSlowestBound(),
                            one.cause().code(),
                            one.isOpen()))
                    .toList();
        }

        private ConnectionTotals connections(ConnectionCounts counts) {
            return new ConnectionTotals(
                    counts.opened(),
                    counts.resumed(),
                    counts.failed(),
                    counts.closedByServerWithNotice(),
                    counts.closedByServer(),
                    counts.closedByUs(),
                    counts.openAtEnd(),
                    counts.inUseAtEnd(),
                    TimesData.Brief.of(recording.waits().lookup()),
                    TimesData.Brief.of(recording.waits().connect()),
                    TimesData.Brief.of(recording.waits().handshake()),
                    TimesData.Brief.of(recording.waits().window()),
                    new SharedData.StreamData(counts.streams()));
        }

        private TargetCountData targetCounts() {
            Map<String, Long> counts = new LinkedHashMap<>();
            result.counts()
                    .all()
                    .forEach((name, count) ->
                            counts.put(name.replaceAll("[(),]", "").replace(' ', '_'), count));
            return new TargetCountData(
                    counts, Known.of(result.counts().amplification(), "this target does not count attempts"));
        }

        private static Health health(GeneratorHealth health) {
            return new Health(
                    health.wallNanos(),
                    SharedData.orUnknown(health.cpuNanos()),
                    health.largestHiccupNanos(),
                    health.largestHiccupAtNanos(),
                    health.hiccupNanos(),
                    health.gcCount(),
                    health.gcNanos(),
                    health.largestGcNanos(),
                    SharedData.orUnknown(health.stealNanos()));
        }

        private static Environment environment(MachineProfile machine) {
            return new Environment(
                    machine.cores(),
                    SharedData.orUnknown(machine.cpuLimitMillicores()),
                    machine.os(),
                    machine.kernel(),
                    machine.arch(),
                    Known.of(
                            Optional.of(machine.processor()).filter(model -> !model.isEmpty()),
                            "the operating system does not report it"),
                    machine.jvm(),
                    machine.collectors(),
                    SharedData.orUnknown(machine.clockGranularityNanos()),
                    machine.clockReadNanos(),
                    machine.wakeUpDelayNanos());
        }

        private static IntervalData interval(Interval interval) {
            Distribution response = interval.recording().responseAtLeast();
            return new IntervalData(
                    interval.startNanos(),
                    interval.endNanos(),
                    interval.recording().ledger().planned(),
                    interval.recording().ledger().answered(),
                    interval.recording().ledger().failed(),
                    percentile(response, 50),
                    percentile(response, 95),
                    percentile(response, 99),
                    percentile(response, 100),
                    !interval.recording().censored().isEmpty(),
                    new SharedData.ConnectionData(interval.connections()));
        }

        private static Known<Long> percentile(Distribution times, double percentile) {
            return Known.of(
                    PercentileCells.percentile(times, percentile),
                    "null in intervals with "
                            + (percentile == 100
                                    ? "no request"
                                    : "fewer than " + ResponseBounds.neededFor(percentile) + " requests"));
        }

        private static ShardData shard(ShardRun shard) {
            String missing = "the shard is missing";
            boolean isPresent = !shard.isMissing();
            return new ShardData(
                    shard.shard(),
                    shard.isMissing(),
                    isPresent ? Known.of(shard.started().toString()) : Known.not(missing),
                    Known.of(shard.ending().map(SharedData::lower), missing),
                    isPresent ? shard.planned() : 0,
                    isPresent ? shard.answered() : 0,
                    isPresent ? shard.latenessP99Nanos() : 0,
                    isPresent ? shard.latenessMaxNanos() : 0,
                    isPresent ? shard.cores() : 0,
                    isPresent ? Known.of(health(shard.health())) : Known.not(missing),
                    shard.doubts());
        }
    }
}
