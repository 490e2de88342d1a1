package dev.downbeat.cli;

import dev.downbeat.arrival.Replay;
import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How much faster than recorded something is replayed, as a fraction.
 *
 * @param numerator above 0
 * @param denominator above 0
 */
record Speed(long numerator, long denominator) {
    Replay of(Replay recorded) {
        return recorded.scaled(numerator, denominator);
    }

    /** Reads {@code 2x}, {@code 0.5x}, {@code 1.25}. */
    static final class Converter implements ITypeConverter<Speed> {
        @Override
        public Speed convert(String text) {
            String number = text.endsWith("x") ? text.substring(0, text.length() - 1) : text;
            BigDecimal factor = DecimalText.parse(number)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a speed such as 2x or 0.5x"))
                    .stripTrailingZeros();
            if (factor.signum() == 0 || factor.scale() > 6) {
                throw new TypeConversionException(
                        "a speed must be above 0 with at most 6 decimals, but was '" + text + "'");
            }
            int decimals = Math.max(0, factor.scale());
            return new Speed(
                    factor.movePointRight(decimals).longValueExact(),
                    BigDecimal.TEN.pow(decimals).longValueExact());
        }
    }
}
