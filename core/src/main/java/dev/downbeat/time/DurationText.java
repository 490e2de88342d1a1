package dev.downbeat.time;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations in human notation: {@code 300ms}, {@code 1h30m}, {@code 1.5s}, {@code PT30S}. Independent of the locale.
 *
 * <p>Pure and thread-safe.
 */
public final class DurationText {
    private static final String EXAMPLES = "300ms, 30s, 5m, 1h30m, 2d or PT30S";
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|µs|μs|ms|s|m|h|d)");

    /** From largest to smallest, the order in which they may be combined. */
    private static final List<Unit> UNITS = List.of(
            new Unit("d", 86_400_000_000_000L),
            new Unit("h", 3_600_000_000_000L),
            new Unit("m", 60_000_000_000L),
            new Unit("s", 1_000_000_000L),
            new Unit("ms", 1_000_000L),
            new Unit("us", 1_000L),
            new Unit("ns", 1L));

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    private record Unit(String name, long nanos) {}

    private DurationText() {}

    /**
     * Parses a duration: ISO 8601, or numbers with the units d, h, m, s, ms, us and ns, each at most once and in
     * descending order. Spaces are ignored.
     *
     * @param text such as {@code 1h30m}, {@code 1.5s}, {@code 50ns}, {@code PT30S}
     * @return nanoseconds, at least 0
     * @throws IllegalArgumentException with one line that suggests a valid form; a number without a unit is rejected as
     *     ambiguous
     */
    public static long parseNanos(String text) {
        String bare = text.replaceAll("\\s", "");
        if (bare.matches("[0-9]+(\\.[0-9]+)?")) {
            throw new IllegalArgumentException(
                    "duration needs a unit: write " + bare + "ms or " + bare + "s, but was \"" + text + "\"");
        }
        BigDecimal nanos = bare.startsWith("P") ? isoNanos(bare, text) : sumOfParts(bare, text);
        try {
            return nanos.longValueExact();
        } catch (ArithmeticException outOfRange) {
            throw new IllegalArgumentException(
                    "duration must be a whole number of nanoseconds, at most 106751d, but was \"" + text + "\"",
                    outOfRange);
        }
    }

    private static BigDecimal isoNanos(String bare, String text) {
        try {
            Duration duration = Duration.parse(bare);
            if (duration.isNegative()) {
                throw refusal(text);
            }
            return BigDecimal.valueOf(duration.getSeconds())
                    .multiply(BigDecimal.valueOf(SECOND))
                    .add(BigDecimal.valueOf(duration.getNano()));
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException(refusal(text).getMessage(), malformed);
        }
    }

    private static BigDecimal sumOfParts(String bare, String text) {
        Matcher part = PART.matcher(bare);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        int lastUnit = -1;
        while (part.find() && part.start() == end) {
            int unit = indexOf(part.group(2));
            if (unit <= lastUnit) {
                throw refusal(text);
            }
            nanos = nanos.add(new BigDecimal(part.group(1))
                    .multiply(BigDecimal.valueOf(UNITS.get(unit).nanos())));
            lastUnit = unit;
            end = part.end();
        }
        if (end == 0 || end != bare.length()) {
            throw refusal(text);
        }
        return nanos;
    }

    private static int indexOf(String name) {
        String ascii = name.endsWith("s") && name.length() == 2 && name.charAt(0) > 'z' ? "us" : name;
        int index = 0;
        while (!UNITS.get(index).name().equals(ascii)) {
            index++;
        }
        return index;
    }

    private static IllegalArgumentException refusal(String text) {
        return new IllegalArgumentException("duration must look like " + EXAMPLES + ", but was \"" + text + "\"");
    }

    /**
     * Formats a duration exactly, so that {@link #parseNanos} returns the same value: {@code 300 ms}, {@code 1.5 s},
     * {@code 60 s}, {@code 1h30m}.
     *
     * @param nanos at least 0
     */
    public static String format(long nanos) {
        return text(nanos, " ");
    }

    /** The same without spaces: {@code 100ms}. */
    public static String word(long nanos) {
        return text(nanos, "");
    }

    private static String text(long nanos, String gap) {
        requireNotNegative(nanos);
        if (nanos < 2 * MINUTE) {
            return nanos == 0 ? "0" + gap + "s" : exactly(nanos, unitOf(nanos), gap);
        }
        StringBuilder text = new StringBuilder();
        long rest = nanos;
        for (Unit unit : UNITS.subList(0, 3)) {
            if (rest >= unit.nanos()) {
                text.append(rest / unit.nanos()).append(unit.name());
                rest %= unit.nanos();
            }
        }
        return rest == 0
                ? text.toString()
                : text.append(exactly(rest, UNITS.get(3), "")).toString();
    }

    private static String exactly(long nanos, Unit unit, String gap) {
        BigDecimal value = BigDecimal.valueOf(nanos).divide(BigDecimal.valueOf(unit.nanos()));
        return value.stripTrailingZeros().toPlainString() + gap + unit.name();
    }

    /** Seconds at most: 90 s is easier to compare than 1m30s. */
    private static Unit unitOf(long nanos) {
        for (Unit unit : UNITS.subList(3, UNITS.size())) {
            if (nanos >= unit.nanos()) {
                return unit;
            }
        }
        return UNITS.get(UNITS.size() - 1);
    }

    /**
     * Formats a duration with three significant digits, the precision of a {@code Distribution}: {@code 2.14 ms},
     * {@code 1.04 s}. From two minutes on it uses minutes or hours: {@code 20m 00s}, {@code 1h 05m}.
     *
     * @param nanos at least 0
     */
    public static String rounded(long nanos) {
        requireNotNegative(nanos);
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos >= 2 * MINUTE) {
            return inMinutes(nanos);
        }
        BigDecimal digits = significant(nanos);
        Unit unit = unitOf(digits.longValue()); // the unit is chosen after rounding: 999.9 us is 1.00 ms
        BigDecimal value = digits.divide(BigDecimal.valueOf(unit.nanos()));
        int decimals = Math.max(0, 3 - (value.precision() - value.scale()));
        return value.setScale(decimals, RoundingMode.UNNECESSARY).toPlainString() + " " + unit.name();
    }

    /** The same, but with all digits where three would be those of another duration. */
    public static String rounded(long nanos, long otherNanos) {
        boolean isAlike = nanos != otherNanos && rounded(nanos).equals(rounded(otherNanos));
        return isAlike ? format(nanos) : rounded(nanos);
    }

    private static BigDecimal significant(long nanos) {
        return BigDecimal.valueOf(nanos).round(new MathContext(3, RoundingMode.HALF_UP));
    }

    /** The unit that {@link #rounded} uses for a duration below two minutes, in nanoseconds. */
    public static long unitNanos(long nanos) {
        return nanos < 1_000 ? 1 : unitOf(significant(nanos).longValue()).nanos();
    }

    private static String inMinutes(long nanos) {
        long seconds = Math.round((double) nanos / SECOND);
        long minutes = Math.round((double) nanos / MINUTE);
        return seconds < 3_600
                ? String.format(Locale.ROOT, "%dm %02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh %02dm", minutes / 60, minutes % 60);
    }

    private static void requireNotNegative(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos must be at least 0, but was " + nanos);
        }
    }
}
