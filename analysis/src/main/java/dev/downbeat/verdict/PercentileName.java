package dev.downbeat.verdict;

import java.math.BigDecimal;

/** How a percentile is called. */
public final class PercentileName {
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
