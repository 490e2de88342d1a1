package dev.downbeat.cli;

import dev.downbeat.arrival.Rate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A rate that stays or one that changes.
 *
 * @param from the rate at the beginning
 * @param to the rate at the end; the same if it stays
 */
record OfferedRate(Rate from, Rate to) {
    static OfferedRate steady(Rate rate) {
        return new OfferedRate(rate, rate);
    }

    boolean isRamp() {
        return !from.equals(to);
    }

    boolean isNothing() {
        return from.count() == 0 && to.count() == 0;
    }

    /** Reads {@code 500/s}, or {@code 100..5k/s}, where the period of the second rate goes for a bare first one. */
    static final class Converter implements ITypeConverter<OfferedRate> {
        @Override
        public OfferedRate convert(String text) {
            int dots = text.indexOf("..");
            if (dots < 0) {
                return steady(RateConverter.parse(text));
            }
            String first = text.substring(0, dots);
            String second = text.substring(dots + 2);
            int slash = second.indexOf('/');
            String period = slash < 0 || first.indexOf('/') >= 0 ? "" : second.substring(slash);
            Rate from = RateConverter.parse(first + period);
            Rate to = RateConverter.parse(second);
            if (from.equals(to)) {
                throw new TypeConversionException("a ramp goes from one rate to another, but was '" + text + "'");
            }
            return new OfferedRate(from, to);
        }
    }
}
