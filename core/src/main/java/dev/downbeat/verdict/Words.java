package dev.downbeat.verdict;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Small pieces of the caveats' sentences, the same in every locale. */
final class Words {
    private Words() {}

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** "p99", "p99 and max", "p99, p99.9 and max". */
    static String percentiles(List<Double> percentiles) {
        List<String> names = percentiles.stream().map(PercentileName::of).collect(Collectors.toList());
        if (names.size() < 2) {
            return String.join("", names);
        }
        String last = names.remove(names.size() - 1);
        return String.join(", ", names) + " and " + last;
    }
}
