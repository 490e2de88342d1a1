package dev.downbeat.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One stretch of a load that changes.
 *
 * @param duration how long, above zero
 * @param rate what is offered meanwhile; 0 is a pause
 */
record Stage(Duration duration, OfferedRate rate) {
    /** Reads {@code 30s:1k/s} and {@code 1m:100..500/s}. */
    static final class Converter implements ITypeConverter<Stage> {
        private static final OfferedRate.Converter RATE = new OfferedRate.Converter();

        @Override
        public Stage convert(String text) {
            int colon = text.indexOf(':');
            if (colon < 0) {
                throw new TypeConversionException("'" + text + "' is not a stage such as 30s:1k/s (how long : rate)");
            }
            Duration duration = DurationConverter.parse(text.substring(0, colon));
            if (duration.isZero()) {
                throw new TypeConversionException("a stage must last longer than 0, but was '" + text + "'");
            }
            return new Stage(duration, RATE.convert(text.substring(colon + 1)));
        }
    }
}
