package dev.downbeat.run;

import dev.downbeat.record.Recording;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.target.ConnectionCounts;
import dev.downbeat.target.TargetCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of the shards of one plan, added up: counts are added, so what comes out is what one process would have
 * counted. Nothing is averaged, and no percentile is made of percentiles. It keeps one sum, not the results, so a thousand
 * shards need no more memory than a few.
 *
 * <p>Each shard's times count from its own start. Not thread-safe.
 */
public final class MergedRun {
    private final List<ShardRun> rows = new ArrayList<>();
    private final MergedIntervals intervals = new MergedIntervals();
    private Recording recording = Recording.empty();
    private ConnectionCounts connections = ConnectionCounts.NONE;
    private TargetCounts counts = TargetCounts.NONE;
    private Saturation saturation = Saturation.NONE;
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
     * @param result of the shard; the caller has seen to it that it is of the same plan and not here already
     * @param row how it fared
     */
    public void add(RunResult result, ShardRun row) {
        first = first.isPresent() ? first : Optional.of(result);
        rows.add(row);
        intervals.add(result.intervals(), result.plan().intervalNanos());
        recording = recording.plus(result.recording());
        connections = connections.plus(result.connections());
        counts = counts.plus(result.counts());
        saturation = saturation.plus(result.saturation());
        health = Optional.of(health.map(all -> all.beside(result.health())).orElse(result.health()));
        failure = failure.isPresent() ? failure : result.failure().map(what -> "shard " + row.shard() + ": " + what);
        ending = ending.compareTo(result.ending()) < 0 ? result.ending() : ending;
        started = result.started().isBefore(started) ? result.started() : started;
        durationNanos = Math.max(durationNanos, result.durationNanos());
        peakBacklog += result.peakBacklog();
        if (result.peakBacklog() > largestPeak) {
            largestPeak = result.peakBacklog();
            peakBacklogAtNanos = result.peakBacklogAtNanos();
        }
    }

    /** Notes that no result came from a shard. */
    public void missing(int shard) {
        rows.add(ShardRun.missing(shard));
    }

    /**
     * The sum, as the result of the whole plan.
     *
     * @throws IllegalStateException if nothing was added
     */
    public RunResult result() {
        RunResult one = first.orElseThrow(() -> new IllegalStateException("there must be at least one shard"));
        return new RunResult(
                one.plan().whole(),
                one.target(),
                started,
                0,
                durationNanos,
                ending,
                failure,
                recording,
                intervals.all(),
                connections,
                counts,
                peakBacklog,
                peakBacklogAtNanos,
                saturation,
                health.orElse(GeneratorHealth.IDEAL),
                rows);
    }
}
