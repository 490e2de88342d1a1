package dev.downbeat.arrival;

import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A rate as a count per period. Both are integers, since most rates (3/s) have no exact gap in nanoseconds. Equality
 * compares both numbers: 1/s and 60/m are different values.
 *
 * @param count arrivals per period; 0 is a pause
 * @param periodNanos the period in nanoseconds, at least 1
 */
public record Rate(long count, long periodNanos) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String UNITS = "smh";
    private static final long[] UNIT_NANOS = {SECOND, TimeUnit.MINUTES.toNanos(1), TimeUnit.HOURS.toNanos(1)};
    private static final int MOST_DECIMALS = 4;

    public Rate {
        if (count < 0) {
            throw new IllegalArgumentException("count must be at least 0, but was " + count);
        }
        if (periodNanos < 1) {
            throw new IllegalArgumentException("periodNanos must be at least 1, but was " + periodNanos);
        }
    }

    public static Rate perSecond(long count) {
        return new Rate(count, SECOND);
    }

    /** Arrivals per second, rounded, for display. Schedules are computed from the exact integers. */
    public double perSecond() {
        return (double) count * SECOND / periodNanos;
    }

    boolean isZero() {
        return count == 0;
    }

    /**
     * The rate on the command line, where it means the same two numbers: {@code 500/s}, {@code 0.25/h}, {@code
     * 50/100ms}.
     */
    public String text() {
        return text(false).orElseGet(() -> count + "/" + DurationText.word(periodNanos));
    }

    /** The rate for readers: {@code 2,000/s}, {@code 7,279.34/s}, {@code 30/m}, {@code 1/90s}. */
    @Override
    public String toString() {
        return text(true)
                .orElseGet(() -> perSecond() >= 1
                        ? String.format(Locale.ROOT, "%,.2f", perSecond()).replaceAll("\\.?0+$", "") + "/s"
                        : String.format(Locale.ROOT, "%,d/%s", count, DurationText.word(periodNanos)));
    }

    /** With up to four decimals: a period of 100 s stands for two decimals per second. */
    private Optional<String> text(boolean isForReaders) {
        for (int unit = 0; unit < UNITS.length(); unit++) {
            long nanos = UNIT_NANOS[unit];
            for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
                BigDecimal value = BigDecimal.valueOf(count, decimals).stripTrailingZeros();
                int scale = Math.max(0, value.scale());
                if (nanos == periodNanos && (isForReaders || scale == decimals)) {
                    String digits = isForReaders
                            ? String.format(Locale.ROOT, "%,." + scale + "f", value)
                            : value.toPlainString();
                    return Optional.of(digits + "/" + UNITS.charAt(unit));
                }
                nanos *= 10;
            }
        }
        return Optional.empty();
    }
}
