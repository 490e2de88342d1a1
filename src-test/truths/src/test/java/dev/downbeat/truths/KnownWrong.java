package dev.downbeat.truths;

import java.util.Map;
import java.util.Optional;

/** Families to which the product is known to give wrong answers, and why: they stay in the table, and fail no build. */
final class KnownWrong {
    private static final String WITHOUT_ROW = "an objective on a percentile that the table refuses";
    private static final String GATE = "a gate that cannot tell exits with 98";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("slow-spell-nobody-asked", "a slow spell of a fifth of the run is not seen"),
            Map.entry("overload-by-retries", WITHOUT_ROW),
            Map.entry("overload-small-pool", WITHOUT_ROW),
            Map.entry("one-in-twenty-never-answered", "the timeout of the headline is in no row"),
            Map.entry("nothing-answered", WITHOUT_ROW),
            Map.entry("faster-but-stalls", "a stall of the other side decides nothing"),
            Map.entry("equal-but-stalls", "a stall of the other side decides nothing"),
            Map.entry("stall-in-the-base-only", GATE),
            Map.entry("runs-that-differ-by-chance", "what differs between runs is not allowed for"),
            Map.entry("identical", GATE));

    private KnownWrong() {}

    static Optional<String> reason(String family) {
        return Optional.ofNullable(REASONS.get(family));
    }
}
