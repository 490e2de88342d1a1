package dev.downbeat.cli.measurement.option;

import dev.downbeat.run.DecimalText;
import java.math.BigDecimal;
import picocli.CommandLine.TypeConversionException;

/** A size in bytes, from 0. */
public record Size(int bytes) {
    /** Parses {@code 512}; {@code 16k} is 16,000, {@code 16Ki} is 16,384; also M, Mi, G, Gi. */
    public static Size parse(String text) {
        int length = DecimalText.lengthOfNumber(text);
        long factor = factor(text.substring(length), text);
        BigDecimal bytes = DecimalText.parse(text.substring(0, length))
                .orElseThrow(() -> refused(text))
                .multiply(BigDecimal.valueOf(factor))
                .stripTrailingZeros();
        Refusal.when(
                bytes.scale() > 0 || bytes.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0,
                "a size must be a whole number of bytes from 0 to " + Integer.MAX_VALUE + ", but was '" + text + "'");
        return new Size(bytes.intValueExact());
    }

    private static long factor(String unit, String text) {
        return switch (unit) {
            case "", "B" -> 1;
            case "k", "kB" -> 1_000;
            case "Ki", "KiB" -> 1_024;
            case "M", "MB" -> 1_000_000;
            case "Mi", "MiB" -> 1_048_576;
            case "G", "GB" -> 1_000_000_000;
            case "Gi", "GiB" -> 1_073_741_824;
            default -> throw refused(text);
        };
    }

    private static TypeConversionException refused(String text) {
        return new TypeConversionException("'" + text + "' is not a size such as 512, 16k (16,000) or 16Ki (16,384)");
    }
}
