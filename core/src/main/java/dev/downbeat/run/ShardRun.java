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
 * @param durationNanos from its start to its end
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
        Optional<RunResult.Ending> ending,
        long durationNanos,
        long planned,
        long answered,
        long latenessP99Nanos,
        long latenessMaxNanos,
        long longestPauseNanos,
        GeneratorHealth health,
        int cores,
        List<String> doubts) {
    public ShardRun {
        doubts = List.copyOf(doubts);
    }

    /**
     * The statistics of a shard's result.
     *
     * @param result the shard's result
     * @param cores processors available to it
     * @param doubts reasons why its result alone would not be sound
     */
    public static ShardRun of(RunResult result, int cores, List<String> doubts) {
        return new ShardRun(
                result.plan().shard().index(),
                result.started(),
                Optional.of(result.ending()),
                result.durationNanos(),
                result.ledger().planned(),
                result.ledger().answered(),
                result.recording().lateness().valueAtPercentile(99),
                result.recording().lateness().maxNanos(),
                result.longestPause().lengthNanos(),
                result.health(),
                cores,
                doubts);
    }

    /** A copy with one more reason for doubt. */
    ShardRun doubted(String why) {
        List<String> all = new ArrayList<>(doubts);
        all.add(why);
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

    /** The entry of a missing shard. */
    public static ShardRun missing(int shard) {
        return new ShardRun(
                shard, Instant.EPOCH, Optional.empty(), 0, 0, 0, 0, 0, 0, GeneratorHealth.IDEAL, 0, List.of());
    }

    /** Whether the shard's result is missing. */
    public boolean isMissing() {
        return ending.isEmpty();
    }
}
