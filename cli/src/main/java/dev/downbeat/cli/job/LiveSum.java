package dev.downbeat.cli.job;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Live;
import dev.downbeat.run.Shard;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How a run stands at one moment, or all shards that meet: counts are added, so percentiles are those of all requests. Immutable.
 *
 * @param seen the sum
 * @param live the sum
 * @param elapsedNanos of the shard that is farthest
 * @param parts the shards, in order; none if it is one run
 */
public record LiveSum(Counted.Snapshot seen, Live live, long elapsedNanos, List<Part> parts) {
    /** Before anything was counted. */
    public static final LiveSum NOTHING = new LiveSum(Counted.Snapshot.NOTHING, Live.NONE, Long.MIN_VALUE, List.of());

    private static final int MOST_ROWS = 16;

    /** How one shard is. */
    public enum Health {
        SILENT,
        EXPECTED,
        RUNNING,
        ENDED;

        /** As a user reads it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One shard.
     *
     * @param ledger what it counted so far
     * @param worstBehindNanos by how much it was behind at worst
     */
    public record Part(Shard shard, Health health, long elapsedNanos, Ledger ledger, long worstBehindNanos) {
        private String row() {
            String name = PlanText.format("shard %-9s %-9s", shard, health.text());
            return ledger.equals(Ledger.EMPTY)
                    ? name.stripTrailing()
                    : name
                            + PlanText.format(
                                    "%,8.1f s   done %,d   failed %,d   late by %s at worst",
                                    Math.max(0, elapsedNanos) / 1e9,
                                    ledger.answered() + ledger.failed(),
                                    ledger.failed() + ledger.timedOut(),
                                    DurationText.rounded(worstBehindNanos));
        }
    }

    public LiveSum {
        parts = List.copyOf(parts);
    }

    /** What is known of one shard. */
    public static LiveSum of(Shard shard, Health health, long elapsedNanos, Counted.Snapshot seen, Live live) {
        Part part = new Part(shard, health, elapsedNanos, seen.total().ledger(), seen.worstBehindNanos());
        return new LiveSum(seen, live, elapsedNanos, List.of(part));
    }

    /** Both together. */
    public LiveSum plus(LiveSum other) {
        List<Part> both = new ArrayList<>(parts);
        both.addAll(other.parts);
        return new LiveSum(
                seen.plus(other.seen), live.plus(other.live), Math.max(elapsedNanos, other.elapsedNanos), both);
    }

    /** The same, which is no second old, at this time. */
    LiveSum at(long nowNanos) {
        return new LiveSum(seen, live, nowNanos, parts);
    }

    /** How many shards are so. */
    public int count(Health health) {
        return (int) parts.stream().filter(part -> part.health() == health).count();
    }

    /** Whether no shard goes on. */
    public boolean isOver() {
        return count(Health.RUNNING) + count(Health.EXPECTED) == 0;
    }

    /** A line for each shard; of many, the first that are unwell. */
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
