package dev.downbeat.run;

import dev.downbeat.time.DurationText;
import java.time.Duration;

/**
 * One stage of a changing load.
 *
 * @param duration its length, above zero
 * @param rate the offered rate; 0 is a pause
 */
public record Stage(Duration duration, OfferedRate rate) {
    /**
     * Parses {@code 30s:1k/s} and {@code 1m:100..500/s}.
     *
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public static Stage parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a stage such as 30s:1k/s (how long : rate)");
        }
        Duration duration = Duration.ofNanos(DurationText.parseNanos(text.substring(0, colon)));
        if (duration.isZero() || duration.compareTo(Duration.ofDays(3650)) > 0) {
            throw new IllegalArgumentException(
                    "a stage must last longer than 0 and at most 3650d, but was '" + text + "'");
        }
        return new Stage(duration, OfferedRate.parse(text.substring(colon + 1)));
    }

    /** The stage in the syntax of {@link #parse}. */
    public String text() {
        return DurationText.word(duration.toNanos()) + ":" + rate.text();
    }
}
