package dev.downbeat.cli.measurement.value;

import dev.downbeat.run.DecimalText;
import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/**
 * A share.
 *
 * @param of above 0, up to 1
 * @param text as written
 */
public record SharePercent(double of, String text) {
    /** Parses {@code 10%}. */
    public static SharePercent parse(String text) {
        String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : "";
        BigDecimal percent = DecimalText.parse(number)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a share such as 10%"));
        Refusal.when(
                percent.signum() == 0 || percent.compareTo(BigDecimal.valueOf(100)) > 0,
                "a share must be above 0% and up to 100%, but was '" + text + "'");
        return new SharePercent(percent.movePointLeft(2).doubleValue(), text);
    }
}
