package dev.downbeat.truths;

import java.util.Map;
import java.util.Optional;

/** Families to which the product is known to give wrong answers, and why: they stay in the table, and fail no build. */
final class KnownWrong {
    private static final String WITHOUT_ROW = "an objective on a percentile that the table refuses";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("slow-spell-nobody-asked", "a slow spell of a fifth of the run is not seen"),
            Map.entry("overload-by-retries", WITHOUT_ROW),
            Map.entry("overload-small-pool", WITHOUT_ROW),
            Map.entry("one-in-twenty-never-answered", "the timeout of the headline is in no row"),
            Map.entry("nothing-answered", WITHOUT_ROW));

    private KnownWrong() {}

    static Optional<String> reason(String family) {
        return Optional.ofNullable(REASONS.get(family));
    }
}
