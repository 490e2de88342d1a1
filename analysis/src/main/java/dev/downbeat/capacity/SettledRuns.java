package dev.downbeat.capacity;

import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.stats.Growth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs at one rate, merged into one without their settling times. Immutable. */
final class SettledRuns {
    private final List<RunResult> runs;
    private final long settlingNanos;

    SettledRuns(List<RunResult> runs, long settlingNanos) {
        this.runs = List.copyOf(runs);
        this.settlingNanos = settlingNanos;
    }

    /** Concatenates the runs; the time between them is omitted. */
    RunResult joined() {
        List<Interval> joined = new ArrayList<>();
        Recording total = Recording.empty();
        long atNanos = 0;
        for (RunResult run : runs) {
            for (Interval interval : settled(run)) {
                Interval moved = new Interval(
                        atNanos,
                        atNanos + interval.lengthNanos(),
                        interval.recording(),
                        interval.connections(),
                        interval.strain());
                joined.add(moved);
                total = total.plus(moved.recording());
                atNanos = moved.endNanos();
            }
        }
        RunResult last = last();
        RunSpan span = new RunSpan(last.started(), last.span().startAt(), atNanos, last.ending(), last.failure());
        return new RunResult(
                last.plan(), last.target(), span, closedAccount(total), joined, last.lanes(), last.health());
    }

    /** Requests planned while settling that ended afterwards are removed from the ledger. */
    private static Recording closedAccount(Recording recording) {
        Ledger ledger = recording.ledger();
        Ledger closed = new Ledger(
                ledger.accounted(),
                ledger.answered(),
                ledger.failed(),
                ledger.timedOut(),
                ledger.timedOutUnsent(),
                ledger.inFlight(),
                ledger.neverSent(),
                ledger.unconnected());
        return recording.withLedger(closed);
    }

    private RunResult last() {
        return runs.get(runs.size() - 1);
    }

    private List<Interval> settled(RunResult run) {
        return run.intervals().stream()
                .filter(interval -> interval.startNanos() >= settlingNanos)
                .toList();
    }

    private List<Interval> underLoad(RunResult run) {
        return settled(run).stream()
                .filter(interval -> interval.endNanos() <= run.plan().durationNanos() * 1.01)
                .filter(interval -> interval.lengthNanos() * 2 > run.plan().intervalNanos())
                .toList();
    }

    double answeredPerSecond() {
        long answered = 0;
        long nanos = 0;
        for (RunResult run : runs) {
            for (Interval interval : underLoad(run)) {
                answered += interval.recording().ledger().answered();
                nanos += interval.lengthNanos();
            }
        }
        return nanos == 0 ? 0 : answered * 1e9 / nanos;
    }

    long measuredNanos() {
        return runs.stream().mapToLong(RunResult::durationNanos).sum();
    }

    /** The growth of the response time in the longest run, which is the last. */
    Optional<Growth> growth() {
        List<Interval> seen = underLoad(last());
        if (seen.size() < Growth.LEAST) {
            return Optional.empty();
        }
        long[] medians = new long[seen.size()];
        for (int i = 0; i < medians.length; i++) {
            long median = seen.get(i).recording().response().valueAtPercentile(50);
            medians[i] = median == 0 && i > 0 ? medians[i - 1] : median;
        }
        long nanos = seen.get(seen.size() - 1).endNanos() - seen.get(0).startNanos();
        return Optional.of(Growth.ofAnswers(medians, nanos / medians.length));
    }
}
