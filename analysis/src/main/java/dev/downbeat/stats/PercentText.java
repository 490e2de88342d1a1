package dev.downbeat.stats;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Shares in per cent, to three significant digits; never rounded to 0 % or 100 %. */
public final class PercentText {
    private PercentText() {}

    /**
     * Formats a share in whole per cent, with more digits only where it would be rounded to 0 % or 100 %.
     *
     * @param share from 0 to 1
     * @return such as {@code 97 %}, {@code 99.6 %}, {@code 0.3 %}
     */
    public static String whole(double share) {
        boolean isRoundable = share >= 0.005 && share < 0.995;
        return isRoundable ? Math.round(100 * share) + " %" : of(share);
    }

    /** A share in whole per cent, rounded up so that the statement "within" holds; at least 1 %. */
    public static String atMost(double share) {
        return String.format(Locale.ROOT, "%.0f %%", Math.max(1, Math.ceil(share * 100)));
    }

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
