package dev.downbeat.cli;

import dev.downbeat.run.ThinkTime;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/**
 * How long a client or session pauses.
 *
 * @param mean the mean pause
 * @param exponential whether pauses are at random about it
 */
record Think(Duration mean, boolean exponential) {
    ThinkTime toThinkTime(long seed) {
        return exponential ? new ThinkTime.Exponential(mean.toNanos(), seed) : new ThinkTime.Constant(mean.toNanos());
    }

    /** Reads {@code 100ms} and {@code exp:100ms}. */
    static final class Converter implements ITypeConverter<Think> {
        private static final String EXPONENTIAL = "exp:";

        @Override
        public Think convert(String text) {
            boolean exponential = text.startsWith(EXPONENTIAL);
            String mean = exponential ? text.substring(EXPONENTIAL.length()) : text;
            return new Think(DurationConverter.parse(mean), exponential);
        }
    }
}
