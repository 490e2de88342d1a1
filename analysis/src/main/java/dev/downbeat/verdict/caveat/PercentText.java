package dev.downbeat.verdict.caveat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Shares in per cent, to three significant digits; never rounded to 0 % or 100 %. */
public final class PercentText {
    private PercentText() {}

    /**
     * Formats a share.
     *
     * @param share from 0 to 1
     * @return such as {@code 0.125 %}, {@code 97 %}, {@code 99.98 %}
     */
    public static String of(double share) {
        BigDecimal percent = BigDecimal.valueOf(share).movePointRight(2);
        BigDecimal shown = percent.round(new MathContext(3, RoundingMode.HALF_UP));
        if (share < 1 && shown.compareTo(BigDecimal.valueOf(100)) >= 0) {
            // the significant digits are those of the remainder to 100 %
            BigDecimal missing =
                    BigDecimal.valueOf(100).subtract(percent).round(new MathContext(1, RoundingMode.HALF_UP));
            shown = BigDecimal.valueOf(100).subtract(missing);
        }
        return (shown.signum() == 0 ? "0" : shown.stripTrailingZeros().toPlainString()) + " %";
    }
}
