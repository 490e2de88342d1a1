package dev.downbeat.cli.measurement.value;

import dev.downbeat.run.ThinkTime;
import java.time.Duration;

/**
 * The pauses of a client or session.
 *
 * @param mean mean pause
 * @param exponential whether pauses are exponentially distributed
 */
public record Think(Duration mean, boolean exponential) {
    private static final String EXPONENTIAL = "exp:";

    public ThinkTime toThinkTime(long seed) {
        return exponential ? new ThinkTime.Exponential(mean.toNanos(), seed) : new ThinkTime.Constant(mean.toNanos());
    }

    /** Parses {@code 100ms} and {@code exp:100ms}. */
    public static Think parse(String text) {
        boolean exponential = text.startsWith(EXPONENTIAL);
        String mean = exponential ? text.substring(EXPONENTIAL.length()) : text;
        return new Think(DurationConverter.parse(mean), exponential);
    }

    public String text() {
        return (exponential ? EXPONENTIAL : "") + DurationConverter.text(mean);
    }
}
