package dev.downbeat.run;

import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Statistics of one process of a merged result. The sum alone would hide a process in trouble.
 *
 * @param shard index of the shard, from 0
 * @param started wall-clock start time, by its own clock
 * @param ending how it ended; empty if its result is missing
 * @param durationNanos from its start to its end; 0 in a sum saved before, with {@code longestPauseNanos} 0 as well
 * @param planned requests assigned to it
 * @param answered how many of these were answered
 * @param latenessP99Nanos lateness at p99
 * @param latenessMaxNanos maximum lateness
 * @param longestPauseNanos length of {@link RunResult#longestPause}
 * @param health the condition of its process
 * @param cores processors available to it
 * @param doubts reasons why its result alone would not be sound, or is too short for the sum, one sentence each
 */
public record ShardRun(
        int shard,
        Instant started,
        Optional<RunSpan.Ending> ending,
        long durationNanos,
        long planned,
        long answered,
        long latenessP99Nanos,
        long latenessMaxNanos,
        long longestPauseNanos,
        GeneratorHealth health,
        int cores,
        List<String> doubts) {
    /** A command that stops all shards reaches the last of them this much later than the first. */
    private static final long STOPPED_TOGETHER_NANOS = 1_000_000_000;

    public ShardRun {
        doubts = List.copyOf(doubts);
    }

    /**
     * The shards that were stopped before the planned end while others went on, or before it where others reached theirs.
     *
     * @param shards all shards of a sum
     * @param plannedNanos how long each was to send
     */
    public static List<ShardRun> stoppedBeforeOthers(List<ShardRun> shards, long plannedNanos) {
        long endNanos = shards.stream().anyMatch(ShardRun::isComplete)
                ? plannedNanos
                : shards.stream()
                                .mapToLong(shard -> Math.min(plannedNanos, shard.durationNanos()))
                                .max()
                                .orElse(0)
                        - STOPPED_TOGETHER_NANOS;
        return shards.stream()
                .filter(shard -> shard.ending().equals(Optional.of(RunSpan.Ending.INTERRUPTED)))
                .filter(shard -> shard.durationNanos() > 0 && shard.durationNanos() < endNanos)
                .toList();
    }

    boolean isComplete() {
        return ending.equals(Optional.of(RunSpan.Ending.COMPLETE));
    }

    /** A copy with a first reason for doubt. */
    ShardRun withDoubt(String why) {
        List<String> all = new ArrayList<>(List.of(why));
        all.addAll(doubts);
        return new ShardRun(
                shard,
                started,
                ending,
                durationNanos,
                planned,
                answered,
                latenessP99Nanos,
                latenessMaxNanos,
                longestPauseNanos,
                health,
                cores,
                all);
    }

    public static ShardRun missing(int shard) {
        return new ShardRun(
                shard, Instant.EPOCH, Optional.empty(), 0, 0, 0, 0, 0, 0, GeneratorHealth.IDEAL, 0, List.of());
    }

    public boolean isMissing() {
        return ending.isEmpty();
    }
}
