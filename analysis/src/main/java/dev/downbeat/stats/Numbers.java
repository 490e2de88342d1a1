package dev.downbeat.stats;

import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** Formats numbers for readers: thousands separated, three significant digits, independent of the locale. */
public final class Numbers {
    private static final long LONG_NANOS = 120_000_000_000L;

    private Numbers() {}

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** "1 request", "1,200 requests". */
    public static String count(long count, String noun) {
        return count(count, noun, noun + "s");
    }

    /** "1 request was", "1,200 requests were". */
    public static String count(long count, String one, String several) {
        return count(count) + " " + (count == 1 ? one : several);
    }

    /** "3.8 s", "20m 00s": a time within a run. */
    public static String seconds(long nanos) {
        if (nanos >= LONG_NANOS) {
            return DurationText.rounded(nanos);
        }
        return String.format(Locale.ROOT, "%,.1f s", nanos / 1e9);
    }

    /** "2,000/s", "12.5/s". */
    public static String rate(double perSecond) {
        return significant(perSecond) + "/s";
    }

    /** "940 bytes", "1.2 MB". */
    public static String bytes(long bytes) {
        return bytes < 1_000
                ? count(bytes, "byte")
                : bytes < 999_500 // rounded to 1 MB
                        ? significant(bytes / 1e3) + " kB"
                        : bytes < 999_500_000 ? significant(bytes / 1e6) + " MB" : significant(bytes / 1e9) + " GB";
    }

    /** "x259", "x2.3". */
    public static String times(double factor) {
        return "x" + (factor < 9.95 ? String.format(Locale.ROOT, "%.1f", factor) : count(Math.round(factor)));
    }

    /** "1 ms", "100 us": for the decades of an axis. */
    public static String tick(long nanos) {
        if (nanos >= 1_000_000_000L) {
            return count(nanos / 1_000_000_000L) + " s";
        }
        return nanos >= 1_000_000 ? nanos / 1_000_000 + " ms" : nanos >= 1_000 ? nanos / 1_000 + " us" : nanos + " ns";
    }

    /** "0.5", "15": a number without a unit or trailing zeros. */
    public static String plain(double value) {
        BigDecimal rounded =
                BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }

    /** "2,000", "12.5". */
    public static String significant(double value) {
        if (value == 0) {
            return "0";
        }
        if (value >= 100) {
            return count(Math.round(value));
        }
        return BigDecimal.valueOf(value)
                .round(new MathContext(3, RoundingMode.HALF_UP))
                .stripTrailingZeros()
                .toPlainString();
    }

    /** "a", "a and b", "a, b and c". */
    public static String list(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
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
