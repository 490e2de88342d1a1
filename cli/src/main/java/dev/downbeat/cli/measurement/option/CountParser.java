package dev.downbeat.cli.measurement.option;

import dev.downbeat.run.DecimalText;
import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/** Parses counts: {@code 500}, {@code 10k}, {@code 1.5M}. */
public final class CountParser {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(1_000_000_000_000_000L);

    private CountParser() {}

    public static long parse(String text) {
        String number = text;
        int zeros = 0;
        if (!text.isEmpty()) {
            zeros = switch (text.charAt(text.length() - 1)) {
                case 'k', 'K' -> 3;
                case 'M' -> 6;
                case 'G' -> 9;
                default -> 0;
            };
            number = zeros == 0 ? text : text.substring(0, text.length() - 1);
        }
        BigDecimal count = DecimalText.parse(number)
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a count such as 500, 10k or 1M"))
                .movePointRight(zeros)
                .stripTrailingZeros();
        Refusal.when(
                count.scale() > 0 || count.signum() == 0,
                "a count must be a whole number of at least 1, but was '" + text + "'");
        Refusal.when(count.compareTo(LARGEST) > 0, "a count must be at most 1000000G, but was '" + text + "'");
        return count.longValueExact();
    }
}
