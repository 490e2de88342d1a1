package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.List;

/** Parts of the caveats' sentences, independent of the locale. */
public final class CaveatText {
    /** What to do about Downbeat's own delays. */
    public static final String HELP = "Use a lower rate, more cores or a quieter machine";

    private CaveatText() {}

    /** ", up to 1.20 ms of it may be Downbeat's". */
    public static String ofItOwnDelay(long nanos) {
        return ", up to " + DurationText.rounded(nanos) + " of it may be Downbeat's";
    }

    private static final int MOST_NAMED = 10;

    /** "shard 2 of 4", "shards 2, 5 and 7 of 8", "1,000 of 2,000 shards (the first is shard 0)". */
    public static String shards(List<Integer> shards, int count) {
        if (shards.size() > MOST_NAMED) {
            return Numbers.count(shards.size()) + " of " + Numbers.count(count) + " shards (the first is shard "
                    + shards.get(0) + ")";
        }
        List<String> names = shards.stream().map(String::valueOf).toList();
        return (names.size() == 1 ? "shard " : "shards ") + Numbers.list(names) + " of " + Numbers.count(count);
    }

    /** "p99", "p99 and max", "p99, p99.9 and max". */
    static String percentiles(List<Double> percentiles) {
        List<String> names = percentiles.stream().map(Percentiles::name).toList();
        return Numbers.list(names);
    }
}
