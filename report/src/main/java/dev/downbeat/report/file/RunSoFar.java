package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.simulate.QueueLengths;
import java.util.List;
import java.util.Optional;

/** The intervals of a running or interrupted measurement. Not thread-safe. */
public final class RunSoFar {
    private final IntervalTimeline course = new IntervalTimeline();
    private Recording total = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private long endNanos;

    /** A copy, to be read while this one goes on. */
    public RunSoFar copy() {
        RunSoFar copy = new RunSoFar();
        copy.total = total;
        course.intervals().forEach(copy.course::add);
        copy.connections = connections;
        copy.endNanos = endNanos;
        return copy;
    }

    /** Adds the next interval. */
    public void add(Interval interval) {
        total = total.plus(interval.recording());
        keep(interval);
    }

    /** Sets the sum, for data whose neighbouring intervals were merged. */
    void total(Recording sum) {
        total = sum;
    }

    /** Adds an interval that the sum already contains. */
    void keep(Interval interval) {
        course.add(interval);
        connections = connections.then(interval.connections());
        endNanos = interval.endNanos();
    }

    RunResult result(RunHead head, RunResult.Ending ending) {
        return new RunResult(
                head.plan(),
                head.target(),
                RunSpan.of(head.started(), 0, endNanos, ending),
                total.withOutstanding(total.outstanding()),
                course.intervals(),
                LaneCounts.of(connections, TargetCounts.NONE),
                GeneratorHealth.unknown(endNanos));
    }

    /**
     * The report as if the run had been planned to end now, without objectives, since later seconds may change their
     * results.
     */
    public RunReport report(RunHead head) {
        RunResult result = result(head, RunResult.Ending.INTERRUPTED); // not complete: its rates are of the time so far
        return report(head, Analysis.of(result, Criteria.of(List.of())), Optional.empty());
    }

    static Criteria criteria(RunHead head) {
        return new Criteria(head.objectives(), head.rigour(), false);
    }

    static RunReport report(RunHead head, Analysis analysis, Optional<QueueLengths> queue) {
        return new RunReport(
                analysis,
                head.command(),
                head.seed(),
                head.version(),
                head.machine(),
                head.details(),
                queue,
                head.measurement(),
                Diagnosis.NONE);
    }
}
