package dev.downbeat.cli.job;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.Shard;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The state of a run, or the sum over all shards that meet. Counts are added, so percentiles cover all requests.
 * Immutable.
 *
 * @param counts counts of closed intervals
 * @param live current counts
 * @param elapsedNanos since the start of the most advanced shard; negative before it, or {@link #NOT_FIXED}
 * @param parts the shards in order; empty for a single run
 */
public record LiveTotals(RunCounts.Snapshot counts, RunSnapshot live, long elapsedNanos, List<ShardState> parts) {
    /** The elapsed time while the start is unknown. */
    public static final long NOT_FIXED = Long.MIN_VALUE;

    public static final LiveTotals NOTHING =
            new LiveTotals(RunCounts.Snapshot.NOTHING, RunSnapshot.NONE, NOT_FIXED, List.of());

    private static final int MOST_ROWS = 16;

    public enum Health {
        SILENT,
        EXPECTED,
        RUNNING,
        ENDED;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One shard.
     *
     * @param ledger its counts so far
     * @param worstBehindNanos its maximum delay
     */
    public record ShardState(Shard shard, Health health, long elapsedNanos, Ledger ledger, long worstBehindNanos) {
        private String row() {
            String name = PlanText.format("shard %-9s %-9s", shard, health.text());
            return ledger.equals(Ledger.EMPTY)
                    ? name.stripTrailing()
                    : name
                            + PlanText.format(
                                    "%,8.1f s   done %,d   failed %,d   late by %s at most",
                                    Math.max(0, elapsedNanos) / 1e9,
                                    ledger.ended(),
                                    ledger.failed() + ledger.timedOut(),
                                    DurationText.rounded(worstBehindNanos));
        }
    }

    public LiveTotals {
        parts = List.copyOf(parts);
    }

    public static LiveTotals of(
            Shard shard, Health health, long elapsedNanos, RunCounts.Snapshot counts, RunSnapshot live) {
        ShardState part =
                new ShardState(shard, health, elapsedNanos, counts.total().ledger(), counts.worstBehindNanos());
        return new LiveTotals(counts, live, elapsedNanos, List.of(part));
    }

    /** The sum of both. */
    public LiveTotals plus(LiveTotals other) {
        List<ShardState> allParts = new ArrayList<>(parts);
        allParts.addAll(other.parts);
        return new LiveTotals(
                counts.plus(other.counts), live.plus(other.live), Math.max(elapsedNanos, other.elapsedNanos), allParts);
    }

    /** The same, updated to this time; less than a second old. */
    LiveTotals at(long nowNanos) {
        return new LiveTotals(counts, live, nowNanos, parts);
    }

    public int count(Health health) {
        return (int) parts.stream().filter(part -> part.health() == health).count();
    }

    public boolean isOver() {
        return count(Health.RUNNING) + count(Health.EXPECTED) == 0;
    }

    /** One line per shard; if there are many, only the first unhealthy ones. */
    public List<String> rows() {
        List<String> rows = new ArrayList<>();
        parts.stream()
                .sorted(Comparator.comparing(part -> parts.size() > MOST_ROWS ? part.health() : Health.RUNNING))
                .limit(MOST_ROWS)
                .forEach(part -> rows.add(part.row()));
        if (parts.size() > MOST_ROWS) {
            rows.add("and " + (parts.size() - MOST_ROWS) + " more: " + count(Health.RUNNING) + " of " + parts.size()
                    + " running, " + count(Health.ENDED) + " ended");
        }
        return rows;
    }
}
