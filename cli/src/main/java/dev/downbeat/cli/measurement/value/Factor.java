package dev.downbeat.cli.measurement.value;

import dev.downbeat.run.DecimalText;
import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/**
 * A growth factor.
 *
 * @param of from 1 to 1000
 */
public record Factor(BigDecimal of) {
    /** Parses {@code 2} or {@code 1.5}. */
    public static Factor parse(String text) {
        BigDecimal factor = DecimalText.parse(text)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a factor such as 2 or 1.5"));
        Refusal.when(
                factor.compareTo(BigDecimal.ONE) < 0 || factor.compareTo(BigDecimal.valueOf(1_000)) > 0,
                "a factor must be from 1 to 1000, but was '" + text + "'");
        return new Factor(factor.stripTrailingZeros());
    }

    public String text() {
        return of.toPlainString();
    }
}
