package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Course;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.Why;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.simulate.QueueLengths;
import java.util.List;
import java.util.Optional;

/** What is known of a run that has not come to its end, or never did: its intervals up to now. Not thread-safe. */
public final class RunSoFar {
    private final Course course = new Course();
    private Recording total = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private long endNanos;

    /** What happened next. */
    public void add(Interval interval) {
        total = total.plus(interval.recording());
        keep(interval);
    }

    /** From here on the sum is that of somebody who joined neighbours. */
    void total(Recording sum) {
        total = sum;
    }

    /** An interval that is in the sum already. */
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
                withOutstanding(total),
                course.intervals(),
                LaneCounts.of(connections, TargetCounts.NONE),
                GeneratorHealth.unknown(endNanos));
    }

    /** As if it had been planned to end now, without objectives: a later second may undo what the first ones show. */
    public RunReport report(RunHead head) {
        RunResult result = result(head, RunResult.Ending.COMPLETE);
        return report(head, Analysis.of(result, Wishes.of(List.of())), Optional.empty());
    }

    static Wishes wishes(RunHead head) {
        return new Wishes(head.objectives(), head.rigour(), false);
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
                Why.NONE);
    }

    /** What was out when the record broke off is censored: it lasted at least no time at all. */
    private static Recording withOutstanding(Recording seen) {
        Ledger ledger = seen.ledger();
        long outstanding = ledger.planned() - ledger.accounted();
        if (outstanding <= 0) {
            return seen;
        }
        Distribution atLeastNothing = Distribution.of(new long[] {0}, new long[] {outstanding});
        return seen.withCensored(
                ledger.plus(new Ledger(0, 0, 0, 0, 0, outstanding, 0)),
                seen.censored().plus(atLeastNothing));
    }
}
