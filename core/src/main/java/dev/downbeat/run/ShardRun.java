package dev.downbeat.run;

import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How one of the processes fared whose results were merged: in the sum of all, one that was sick could not be seen.
 *
 * @param shard which one, from 0
 * @param started wall-clock time of its start, by its own clock
 * @param ending how it ended; empty if no result came from it
 * @param planned requests that were its to send
 * @param answered how many of them were answered
 * @param latenessP99Nanos lateness at p99
 * @param latenessMaxNanos the largest lateness
 * @param health what it went through
 * @param cores processors it could use
 * @param doubts why it would not be sound alone, each in a sentence
 */
public record ShardRun(
        int shard,
        Instant started,
        Optional<RunResult.Ending> ending,
        long planned,
        long answered,
        long latenessP99Nanos,
        long latenessMaxNanos,
        GeneratorHealth health,
        int cores,
        List<String> doubts) {
    public ShardRun {
        doubts = List.copyOf(doubts);
    }

    /**
     * The row of a result.
     *
     * @param result of one shard
     * @param cores processors it could use
     * @param doubts why it would not be sound alone
     */
    public static ShardRun of(RunResult result, int cores, List<String> doubts) {
        return new ShardRun(
                result.plan().shard().index(),
                result.started(),
                Optional.of(result.ending()),
                result.ledger().planned(),
                result.ledger().answered(),
                result.recording().lateness().valueAtPercentile(99),
                result.recording().lateness().maxNanos(),
                result.health(),
                cores,
                doubts);
    }

    /** The row of a shard from which no result came. */
    public static ShardRun missing(int shard) {
        return new ShardRun(shard, Instant.EPOCH, Optional.empty(), 0, 0, 0, 0, GeneratorHealth.IDEAL, 0, List.of());
    }

    /** Whether no result came from it. */
    public boolean isMissing() {
        return ending.isEmpty();
    }
}
