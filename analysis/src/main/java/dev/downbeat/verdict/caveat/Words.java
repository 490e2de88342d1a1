package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Locale;

/** Parts of the caveats' sentences, independent of the locale. */
public final class Words {
    /** What to do about Downbeat's own delays. */
    public static final String HELP = "Lower the rate, or give this client more cores or a quieter machine";

    private Words() {}

    /** ", up to 1.20 ms of it may be Downbeat's". */
    public static String ofItOwnDelay(long nanos) {
        return ", up to " + DurationText.rounded(nanos) + " of it may be Downbeat's";
    }

    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private static final int MOST_NAMED = 10;

    /** "shard 2", "shards 2, 5 and 7", "1,000 shards". */
    public static String shards(List<Integer> shards) {
        if (shards.size() > MOST_NAMED) {
            return Numbers.count(shards.size()) + " shards, " + shards.get(0) + " among them,";
        }
        List<String> names = shards.stream().map(String::valueOf).toList();
        return (names.size() == 1 ? "shard " : "shards ") + Numbers.list(names);
    }

    /** "p99", "p99 and max", "p99, p99.9 and max". */
    static String percentiles(List<Double> percentiles) {
        List<String> names = percentiles.stream().map(Percentiles::name).toList();
        return Numbers.list(names);
    }
}
