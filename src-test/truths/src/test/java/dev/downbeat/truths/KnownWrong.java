package dev.downbeat.truths;

import java.util.Map;
import java.util.Optional;

/** Families to which the product is known to give wrong answers, and why: they stay in the table, and fail no build. */
final class KnownWrong {
    private static final Map<String, String> REASONS = Map.of();

    private KnownWrong() {}

    static Optional<String> reason(String family) {
        return Optional.ofNullable(REASONS.get(family));
    }
}
