package dev.downbeat.report.view;

import dev.downbeat.report.data.Numbers;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.ShardRun;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.time.DurationText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How each process of a merged run fared, the sick ones first: in the sum of all nobody would see them. */
record ShardTable(RunResult result) {
    /** Heads of the columns. */
    static final List<String> HEADS =
            List.of("shard", "planned", "answered", "late p99", "late max", "standstill", "CPU");

    /** More rows than these are only counted. */
    private static final int MOST_ROWS = 16;

    /**
     * A line of the table.
     *
     * @param cells as many as {@link #HEADS}
     * @param doubt what is wrong with it; empty if nothing
     */
    record Row(List<String> cells, String doubt) {}

    boolean isEmpty() {
        return result.shards().isEmpty();
    }

    /** All of them, if they are few, in their order; else the worst. */
    List<Row> rows() {
        boolean all = result.shards().size() <= MOST_ROWS;
        Comparator<ShardRun> worst = Comparator.comparing((ShardRun shard) -> !isDoubtful(shard))
                .thenComparing(
                        Comparator.comparingLong(ShardRun::latenessP99Nanos).reversed());
        return result.shards().stream()
                .sorted(all ? Comparator.comparingInt(ShardRun::shard) : worst)
                .limit(MOST_ROWS)
                .map(ShardTable::row)
                .toList();
    }

    /** How many there are and what is not shown. */
    String sentence() {
        int count = result.shards().size();
        String merged = Numbers.count(count) + " processes, merged without loss";
        return count <= MOST_ROWS ? merged : merged + "; the " + MOST_ROWS + " that fared worst are shown";
    }

    private static boolean isDoubtful(ShardRun shard) {
        return shard.isMissing() || !shard.doubts().isEmpty();
    }

    private static Row row(ShardRun shard) {
        String name = Integer.toString(shard.shard());
        if (shard.isMissing()) {
            return new Row(List.of(name, "–", "–", "–", "–", "–", "–"), "missing");
        }
        return new Row(
                List.of(
                        name,
                        Numbers.count(shard.planned()),
                        Numbers.count(shard.answered()),
                        DurationText.rounded(shard.latenessP99Nanos()),
                        DurationText.rounded(shard.latenessMaxNanos()),
                        DurationText.rounded(shard.health().largestHiccupNanos()),
                        cpu(shard.health(), shard.cores())),
                shard.doubts().isEmpty() ? "" : "doubtful");
    }

    private static String cpu(GeneratorHealth health, int cores) {
        return health.cpuNanos() < 0 || health.wallNanos() == 0
                ? "–"
                : String.format(Locale.ROOT, "%.2f of %d", (double) health.cpuNanos() / health.wallNanos(), cores);
    }
}
