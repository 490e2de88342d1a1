package dev.downbeat.report.view;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionSummary;
import dev.downbeat.report.data.Rates;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.TailBands;
import dev.downbeat.report.data.Why;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Known;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.simulate.QueueLengths;
import dev.downbeat.verdict.Steadiness;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The data of a run for programs. */
final class RunJson {
    private final RunReport report;
    private final Why why;
    private final RunResult result;
    private final Recording recording;

    RunJson(RunReport report, Why why) {
        this.report = report;
        this.why = why;
        this.result = report.result();
        this.recording = result.recording();
    }

    RunData data() {
        ResponseBounds bounds = report.analysis().response();
        Rates rates = Rates.of(result);
        return new RunData(
                Head.of("run", report.version(), report.command()),
                Known.of(report.seed(), "nothing in this plan is random"),
                result.started().toString(),
                result.span().startAt(),
                result.durationNanos(),
                result.isComplete(),
                SharedData.lower(result.ending()),
                Known.of(result.failure(), "nothing broke"),
                new RunHeadline(report, why).text(),
                RunData.OutcomeData.of(report.analysis()),
                report.measurement().isEmpty()
                        ? Known.not("no command asked for it")
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
                new RunData.Censored(recording.censored().count(), TimesData.of(bounds.atLeast())),
                new RunData.RateData(
                        rates.intendedPerSecond(),
                        rates.windowNanos(),
                        rates.answeredPerSecond(),
                        rates.answeredOverNanos()),
                new RunData.Backlog(result.lanes().peakBacklog(), result.lanes().peakBacklogAtNanos()),
                Known.of(report.queue().map(RunJson::queue), "only a simulation sees the queue at the service"),
                TailBands.of(recording).stream()
                        .map(band -> new RunData.Band(band.name(), band.count(), SharedData.parts(band.meansNanos())))
                        .toList(),
                recording.anatomy().exemplars().stream()
                        .map(one -> new RunData.ExemplarData(
                                one.index(),
                                one.intendedNanos(),
                                one.responseNanos(),
                                one.position(),
                                SharedData.parts(one.partsNanos())))
                        .toList(),
                incidents(),
                why.isAsked() ? Known.of(WhyData.of(why)) : Known.not("nobody watched the service"),
                SharedData.ObjectiveData.of(report.verdict().objectives()),
                new RunData.VerdictData(
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
                new RunData.Position(
                        recording.anatomy().byPosition().last(),
                        TimesData.Brief.of(recording.anatomy().byPosition().at(1)),
                        TimesData.Brief.of(
                                PositionSummary.afterFirst(recording.anatomy().byPosition()))),
                health(result.health()),
                environment(report.machine()),
                result.intervals().stream().map(RunJson::interval).toList(),
                result.shards().stream().map(RunJson::shard).toList());
    }

    private RunData.Plan plan(RunPlan plan) {
        WorkloadText text = new WorkloadText(plan);
        return new RunData.Plan(
                plan.workload().kind(),
                Known.of(text.arrivals().map(ArrivalProcess::kind), "virtual users follow the answers"),
                WorkloadText.line(report),
                Known.of(text.ratePerSecond(), "the plan has no single rate"),
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

    private RunData.SteadinessData steadiness() {
        Optional<Steadiness> steadiness = report.analysis().steadiness();
        OptionalDouble visible = steadiness.map(seen -> seen.found().visible()).orElse(OptionalDouble.empty());
        return new RunData.SteadinessData(
                Known.of(steadiness.map(Steadiness::text), "the load changed, or the run was shorter than 20 s"),
                Known.of(visible, "no jump of the median in mid-run would have been seen"));
    }

    private static RunData.Queue queue(QueueLengths queue) {
        return new RunData.Queue(
                queue.mean(),
                queue.most(),
                queue.mostAtNanos(),
                queue.atEndOfLoad(),
                queue.growthPerSecond(),
                queue.stretches().stream()
                        .map(one -> new RunData.Queue.Stretch(one.startNanos(), one.endNanos(), one.mean(), one.most()))
                        .toList());
    }

    private List<RunData.IncidentData> incidents() {
        return report.analysis().events().stream()
                .map(one -> new RunData.IncidentData(
                        one.startNanos(),
                        one.lengthNanos(),
                        one.catchUpNanos(),
                        one.requestsHit(),
                        one.tailShare(),
                        one.slowestNanos(),
                        one.cause().code(),
                        one.isOpen()))
                .toList();
    }

    private RunData.Connections connections(ConnectionCounts counts) {
        return new RunData.Connections(
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

    private RunData.TargetCountData targetCounts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        result.counts()
                .all()
                .forEach(
                        (name, count) -> counts.put(name.replaceAll("[(),]", "").replace(' ', '_'), count));
        return new RunData.TargetCountData(
                counts, Known.of(result.counts().amplification(), "this target does not count attempts"));
    }

    private static RunData.Health health(GeneratorHealth health) {
        return new RunData.Health(
                health.wallNanos(),
                SharedData.told(health.cpuNanos()),
                health.largestHiccupNanos(),
                health.largestHiccupAtNanos(),
                health.hiccupNanos(),
                health.gcCount(),
                health.gcNanos(),
                health.largestGcNanos(),
                SharedData.told(health.stealNanos()));
    }

    private static RunData.Environment environment(MachineProfile machine) {
        return new RunData.Environment(
                machine.cores(),
                SharedData.told(machine.cpuLimitMillicores()),
                machine.os(),
                machine.kernel(),
                machine.arch(),
                Known.of(
                        Optional.of(machine.processor()).filter(model -> !model.isEmpty()), "the system does not tell"),
                machine.jvm(),
                machine.collectors(),
                SharedData.told(machine.clockGranularityNanos()),
                machine.clockReadNanos(),
                machine.wakeUpDelayNanos());
    }

    private static RunData.IntervalData interval(Interval interval) {
        Distribution response = interval.recording().responseAtLeast();
        return new RunData.IntervalData(
                interval.startNanos(),
                interval.endNanos(),
                interval.recording().ledger().planned(),
                interval.recording().ledger().answered(),
                interval.recording().ledger().failed(),
                few(response, 50),
                few(response, 95),
                few(response, 99),
                few(response, 100),
                new SharedData.ConnectionData(interval.connections()));
    }

    private static Known<Long> few(Distribution times, double percentile) {
        return Known.of(
                Numbers.percentile(times, percentile),
                "null in intervals with fewer than " + ResponseBounds.neededFor(percentile) + " requests");
    }

    private static RunData.Shard shard(ShardRun shard) {
        String missing = "the shard is missing";
        boolean there = !shard.isMissing();
        return new RunData.Shard(
                shard.shard(),
                shard.isMissing(),
                there ? Known.of(shard.started().toString()) : Known.not(missing),
                Known.of(shard.ending().map(SharedData::lower), missing),
                there ? shard.planned() : 0,
                there ? shard.answered() : 0,
                there ? shard.latenessP99Nanos() : 0,
                there ? shard.latenessMaxNanos() : 0,
                there ? shard.cores() : 0,
                there ? Known.of(health(shard.health())) : Known.not(missing),
                shard.doubts());
    }
}
