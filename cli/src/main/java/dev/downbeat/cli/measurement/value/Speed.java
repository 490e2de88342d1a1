package dev.downbeat.cli.measurement.value;

import dev.downbeat.arrival.Replay;
import dev.downbeat.run.DecimalText;
import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/**
 * The speed of a replay relative to the recording, as a fraction.
 *
 * @param numerator above 0
 * @param denominator above 0
 */
public record Speed(long numerator, long denominator) {
    public Replay of(Replay recorded) {
        return recorded.scaled(numerator, denominator);
    }

    /** Parses {@code 2x}, {@code 0.5x}, {@code 1.25}. */
    public static Speed parse(String text) {
        String number = text.endsWith("x") ? text.substring(0, text.length() - 1) : text;
        BigDecimal factor = DecimalText.parse(number)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a speed such as 2x or 0.5x"))
                .stripTrailingZeros();
        Refusal.when(
                factor.signum() == 0 || factor.scale() > 6,
                "a speed must be above 0 with at most 6 decimals, but was '" + text + "'");
        int decimals = Math.max(0, factor.scale());
        return new Speed(
                factor.movePointRight(decimals).longValueExact(),
                BigDecimal.TEN.pow(decimals).longValueExact());
    }

    public String text() {
        return new BigDecimal(numerator).divide(new BigDecimal(denominator)).toPlainString() + "x";
    }
}
