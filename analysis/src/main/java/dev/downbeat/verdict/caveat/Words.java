package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Parts of the caveats' sentences, independent of the locale. */
public final class Words {
    /** What to do about Downbeat's own delays. */
    public static final String HELP = "Lower the rate, or give this client more cores or a quieter machine";

    private Words() {}

    /** ", up to 1.20 ms of it may be Downbeat's". */
    public static String ofItOwnDelay(long nanos) {
        return ", up to " + DurationText.rounded(nanos) + " of it may be Downbeat's";
    }

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    private static final int MOST_NAMED = 10;

    /** "shard 2", "shards 2, 5 and 7", "1,000 shards". */
    public static String shards(List<Integer> shards) {
        if (shards.size() > MOST_NAMED) {
            return count(shards.size()) + " shards, " + shards.get(0) + " among them,";
        }
        List<String> names = shards.stream().map(String::valueOf).collect(Collectors.toList());
        return (names.size() == 1 ? "shard " : "shards ") + joined(names);
    }

    /** "p99", "p99 and max", "p99, p99.9 and max". */
    static String percentiles(List<Double> percentiles) {
        List<String> names = percentiles.stream().map(Percentiles::name).collect(Collectors.toList());
        return joined(names);
    }

    private static String joined(List<String> names) {
        if (names.size() < 2) {
            return String.join("", names);
        }
        String last = names.remove(names.size() - 1);
        return String.join(", ", names) + " and " + last;
    }
}
