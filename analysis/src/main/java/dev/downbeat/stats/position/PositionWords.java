package dev.downbeat.stats.position;

import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Parts of sentences, independent of the locale. */
public final class PositionWords {
    private PositionWords() {}

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A time difference, which may be negative. */
    public static String time(long nanos) {
        return nanos < 0 ? "-" + DurationText.rounded(-nanos) : DurationText.rounded(nanos);
    }

    /** "98.75 %". */
    public static String percent(double percent) {
        return BigDecimal.valueOf(percent)
                        .setScale(2, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }

    /** "2nd", "80th". */
    public static String ordinal(int number) {
        boolean teen = number % 100 >= 11 && number % 100 <= 13;
        return number
                + switch (teen ? 0 : number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
