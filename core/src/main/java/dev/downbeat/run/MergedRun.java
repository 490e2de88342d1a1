package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merges the results of the shards of one plan. Counts are added, so the result equals that of a single process.
 * Nothing is averaged, and percentiles are never combined. Only the sum is kept, so a thousand shards need no more
 * memory than a few.
 *
 * <p>Each shard's times are relative to its own start. Not thread-safe.
 */
public final class MergedRun {
    private final List<ShardRun> rows = new ArrayList<>();
    private final MergedIntervals intervals = new MergedIntervals();
    private Recording recording = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private TargetCounts counts = TargetCounts.NONE;
    private Saturation saturation = Saturation.NONE;
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private KeptRequests kept = KeptRequests.NONE;
    private Optional<GeneratorHealth> health = Optional.empty();
    private Optional<RunResult> first = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private RunResult.Ending ending = RunResult.Ending.COMPLETE;
    private Instant started = Instant.MAX;
    private long durationNanos;
    private long peakBacklog;
    private long largestPeak = -1;
    private long peakBacklogAtNanos;

    /**
     * Adds a shard.
     *
     * @param result the shard's result; the caller ensures that it belongs to the same plan and is not yet included
     * @param row the shard's own statistics
     */
    public void add(RunResult result, ShardRun row) {
        MergedRun one = new MergedRun();
        one.first = Optional.of(result);
        one.rows.add(row);
        one.intervals.add(result.intervals(), result.plan().intervalNanos());
        one.recording = result.recording();
        one.connections = result.connections();
        one.counts = result.counts();
        one.saturation = result.lanes().saturation();
        one.interruptions = result.interruptions();
        one.kept = result.kept();
        one.health = Optional.of(result.health());
        one.failure = result.failure().map(what -> "shard " + row.shard() + ": " + what);
        one.ending = result.ending();
        one.started = result.started();
        one.durationNanos = result.durationNanos();
        one.peakBacklog = result.lanes().peakBacklog();
        one.largestPeak = result.lanes().peakBacklog();
        one.peakBacklogAtNanos = result.lanes().peakBacklogAtNanos();
        add(one);
    }

    /**
     * Adds a partial merge. Merging partial sums is cheaper than adding every shard to one sum, because a sum has more
     * distinct durations than a shard.
     */
    public void add(MergedRun others) {
        rows.addAll(others.rows);
        if (others.first.isEmpty()) {
            return;
        }
        first = first.isPresent() ? first : others.first;
        intervals.add(others.intervals);
        kept = kept.plus(
                others.kept,
                recording.ledger().accounted(),
                others.recording.ledger().accounted());
        recording = recording.plus(others.recording);
        connections = connections.plus(others.connections);
        counts = counts.plus(others.counts);
        saturation = saturation.plus(others.saturation);
        interruptions = interruptions.beside(others.interruptions);
        health = others.health.map(
                theirs -> health.map(ours -> ours.beside(theirs)).orElse(theirs));
        failure = failure.isPresent() ? failure : others.failure;
        ending = ending.compareTo(others.ending) < 0 ? others.ending : ending;
        started = others.started.isBefore(started) ? others.started : started;
        durationNanos = Math.max(durationNanos, others.durationNanos);
        peakBacklog += others.peakBacklog;
        if (others.largestPeak > largestPeak) {
            largestPeak = others.largestPeak;
            peakBacklogAtNanos = others.peakBacklogAtNanos;
        }
    }

    /** Marks a shard as missing. */
    public void missing(int shard) {
        rows.add(ShardRun.missing(shard));
    }

    /**
     * The merged result of the whole plan.
     *
     * @throws IllegalStateException if nothing was added
     */
    public RunResult result() {
        RunResult one = first.orElseThrow(() -> new IllegalStateException("there must be at least one shard"));
        return new RunResult(
                one.plan().whole(),
                one.target(),
                new RunSpan(started, 0, durationNanos, ending, failure),
                recording,
                intervals.all(),
                new LaneCounts(connections, counts, peakBacklog, peakBacklogAtNanos, saturation),
                health.orElse(GeneratorHealth.IDEAL),
                rows,
                interruptions,
                kept);
    }
}
