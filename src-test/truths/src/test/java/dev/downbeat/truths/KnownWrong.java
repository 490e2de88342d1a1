package dev.downbeat.truths;

import java.util.Map;
import java.util.Optional;

/** Families to which the product is known to give wrong answers, and why: they stay in the table, and fail no build. */
final class KnownWrong {
    private static final String INTERVAL = "an interval round a percentile that one event made";
    private static final String NOT_NAMED = "the event is in the details, and not in the first line";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("slow-for-some-seconds", INTERVAL),
            Map.entry("stall-without-end", NOT_NAMED),
            Map.entry("stall-in-a-closed-loop", NOT_NAMED),
            Map.entry("slow-spell-nobody-asked", "a slow spell of a fifth of the run is not seen"),
            Map.entry("overload-all-answers-too-late", "where all answers come too late, no overload is seen"),
            Map.entry("overload-by-a-ramp", "rates that are means over the whole ramp"),
            Map.entry("overload-by-a-ramp-timeouts", "rates that are means over the whole ramp"),
            Map.entry("overload-in-the-last-stage", "rates that are means over all stages"),
            Map.entry("overload-in-the-middle-stage", "an overload that ended is not seen"),
            Map.entry("overload-by-retries", "the times of the few that were answered, instead of the failures"),
            Map.entry("one-in-twenty-never-answered", "a percentile first, instead of those who gave up"),
            Map.entry("nothing-answered", "a percentile of nothing but timeouts, instead of that nothing was answered"),
            Map.entry("answers-at-ticks", "a rhythm is taken for stalls"),
            Map.entry("hung-request-in-the-drain", "the rate is over load and drain"),
            Map.entry("own-pause", INTERVAL));

    private KnownWrong() {}

    static Optional<String> reason(String family) {
        return Optional.ofNullable(REASONS.get(family));
    }
}
