package dev.downbeat.verdict;

import java.math.BigDecimal;
import java.util.List;

/** How a percentile is called. */
public final class PercentileName {
    /** Those of every report, ascending; 100 is the maximum. */
    public static final List<Double> SHOWN = List.of(50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);

    private PercentileName() {}

    /**
     * The short name.
     *
     * @param percentile from 0 to 100
     * @return {@code p99.9}; {@code max} for 100
     */
    public static String of(double percentile) {
        return percentile == 100
                ? "max"
                : "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
    }
}
