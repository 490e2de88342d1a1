package dev.downbeat.cli.measurement;

import java.time.Duration;

/**
 * One stretch of a load that changes.
 *
 * @param duration how long, above zero
 * @param rate what is offered meanwhile; 0 is a pause
 */
public record Stage(Duration duration, OfferedRate rate) {
    /** Reads {@code 30s:1k/s} and {@code 1m:100..500/s}. */
    static Stage parse(String text) {
        int colon = text.indexOf(':');
        Refusal.when(colon < 0, "'" + text + "' is not a stage such as 30s:1k/s (how long : rate)");
        Duration duration = DurationConverter.parse(text.substring(0, colon));
        Refusal.when(duration.isZero(), "a stage must last longer than 0, but was '" + text + "'");
        return new Stage(duration, OfferedRate.parse(text.substring(colon + 1)));
    }

    String text() {
        return DurationConverter.text(duration) + ":" + rate.text();
    }
}
