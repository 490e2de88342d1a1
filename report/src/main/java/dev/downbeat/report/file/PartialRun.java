package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.simulate.QueueLengths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The intervals of a running or interrupted measurement. Not thread-safe. */
public final class PartialRun {
    private final IntervalTimeline timeline = new IntervalTimeline();
    private Recording total = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private long endNanos;

    /** A copy, to be read while this one goes on. */
    public PartialRun copy() {
        PartialRun copy = new PartialRun();
        copy.total = total;
        timeline.intervals().forEach(copy.timeline::add);
        copy.connections = connections;
        copy.endNanos = endNanos;
        return copy;
    }

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
        timeline.add(interval);
        connections = connections.then(interval.connections());
        endNanos = interval.endNanos();
    }

    /**
     * The result as if it ended now.
     *
     * @param isSum whether several processes counted the intervals
     */
    RunResult result(RunHead head, RunSpan.Ending ending, boolean isSum) {
        Recording open =
                total.outstanding() > 0 ? outstanding(head.plan().generators() > 1 || isSum) : Recording.empty();
        List<Interval> intervals = new ArrayList<>(timeline.intervals());
        int last = intervals.size() - 1;
        if (last >= 0) {
            intervals.set(
                    last,
                    intervals.get(last).with(intervals.get(last).recording().plus(open)));
        }
        return new RunResult(
                head.plan(),
                head.target(),
                RunSpan.of(head.started(), 0, endNanos, ending),
                total.plus(open),
                intervals,
                LaneCounts.of(connections, TargetCounts.NONE),
                GeneratorHealth.unknown(Math.max(1, endNanos))); // 0 would be a client in virtual time
    }

    /**
     * The unfinished requests, taken for the last ones planned, since others would be older. Ages count from the end of
     * the interval in which a request was due. Whether it was sent is unknown.
     *
     * @param isOfSeveral whether several sources counted: an interval then ends with the first of them, and requests of
     *     the others were due before the end of the next
     */
    private Recording outstanding(boolean isOfSeveral) {
        List<Interval> intervals = timeline.intervals();
        List<Distribution> ages = new ArrayList<>();
        List<Distribution> agesWithoutOwnDelay = new ArrayList<>();
        int last = intervals.size() - 1;
        long ownDelayNanos = 0;
        long left = total.outstanding();
        for (int i = last; i >= 0 && left > 0; i--) {
            Interval interval = intervals.get(i);
            long dueNanos =
                    intervals.get(isOfSeveral ? Math.min(last, i + 1) : i).endNanos();
            long ageNanos = endNanos - dueNanos;
            long count =
                    i == 0 ? left : Math.min(left, interval.recording().ledger().planned());
            ages.add(ofEqual(ageNanos, count));
            agesWithoutOwnDelay.add(ofEqual(Math.max(0, ageNanos - ownDelayNanos), count));
            ownDelayNanos += interval.strain().maxOwnDelayNanos();
            left -= count;
        }
        Distribution none = Distribution.empty();
        long count = total.outstanding();
        return Recording.of(
                new Ledger(0, 0, 0, 0, 0, count, 0),
                new ResponseTimes(
                        none,
                        none,
                        none,
                        none,
                        Distribution.sum(ages),
                        Distribution.sum(agesWithoutOwnDelay),
                        ofEqual(0, count)),
                OutcomeCounts.NONE);
    }

    private static Distribution ofEqual(long nanos, long count) {
        return count == 0
                ? Distribution.empty()
                : Distribution.of(new long[] {Math.min(nanos, Distribution.MAX_NANOS)}, new long[] {count});
    }

    /**
     * The report as if the run had been planned to end now, without objectives, since later seconds may change their
     * results.
     *
     * @param isSum whether several processes counted the intervals
     */
    public RunReport report(RunHead head, boolean isSum) {
        RunResult result =
                result(head, RunSpan.Ending.INTERRUPTED, isSum); // not complete: its rates are of the time so far
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
