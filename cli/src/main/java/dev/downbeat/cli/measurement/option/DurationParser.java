package dev.downbeat.cli.measurement.option;

import dev.downbeat.time.DurationText;
import java.time.Duration;

/** Parses durations: {@code 300ms}, {@code 1.5s}, {@code 1h30m}, {@code 2d}, and ISO's {@code PT30S}. */
public final class DurationParser {
    private static final Duration LONGEST = Duration.ofDays(3650);

    private DurationParser() {}

    public static Duration parse(String text) {
        Duration duration = Refusal.wrap(() -> Duration.ofNanos(DurationText.parseNanos(text)));
        Refusal.when(duration.compareTo(LONGEST) > 0, () -> "a duration must be at most 3650d, but was '" + text + "'");
        return duration;
    }

    /** Formats a duration for {@link #parse}. */
    public static String text(Duration duration) {
        return DurationText.word(duration.toNanos());
    }
}
