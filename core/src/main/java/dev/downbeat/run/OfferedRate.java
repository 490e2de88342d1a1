package dev.downbeat.run;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A constant or linearly changing rate.
 *
 * @param from the rate at the start
 * @param to the rate at the end; equal if constant
 */
public record OfferedRate(Rate from, Rate to) {
    public static OfferedRate steady(Rate rate) {
        return new OfferedRate(rate, rate);
    }

    public boolean isRamp() {
        // Usually the same instance. The JVM generates a record's equals on its first call, which takes longer than
        // everything else here.
        return !Objects.equals(from, to);
    }

    public boolean isZero() {
        return from.count() == 0 && to.count() == 0;
    }

    /**
     * Parses {@code 500/s}, or {@code 100..5k/s}, where the second rate's period also applies to a bare first rate.
     *
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public static OfferedRate parse(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return steady(RateText.parse(text));
        }
        String first = text.substring(0, dots);
        String second = text.substring(dots + 2);
        if (first.isBlank() || second.isBlank()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a ramp: it needs a rate at each end, such as 100..900/s");
        }
        int slash = second.indexOf('/');
        String period = slash < 0 || first.indexOf('/') >= 0 ? "" : second.substring(slash);
        Rate from = RateText.parse(first + period);
        Rate to = RateText.parse(second);
        OfferedRate rate = new OfferedRate(from, to);
        if (!rate.isRamp()) {
            throw new IllegalArgumentException("a ramp goes from one rate to another, but was '" + text + "'");
        }
        return rate;
    }

    /** The rate in the syntax of {@link #parse}. */
    public String text() {
        return isRamp() ? from.text() + ".." + to.text() : from.text();
    }

    /** Arrivals over this length, with the given spacing. */
    public ArrivalProcess over(Duration length, Spacing spacing) {
        if (isRamp()) {
            return new Ramp(from, to, length.toNanos(), spacing);
        }
        return spacing instanceof Spacing.Poisson random ? new Poisson(from, random.seed()) : new Constant(from);
    }

    /**
     * Rates in human notation: {@code 500}, {@code 500/s}, {@code 1.5k/s}, {@code 30/m}, {@code 1M/s}, {@code 50/1s}. A
     * rate is stored as two integers, so 1.5/s is 15 in 10 s and nothing is rounded. Pure.
     */
    public static final class RateText {
        private static final String ACCEPTED = "500, 500/s, 1.5k/s, 30/m or 50/1s";
        private static final BigDecimal FASTEST_PER_NANO = new BigDecimal("0.1");
        private static final long LONGEST_PERIOD_NANOS = TimeUnit.DAYS.toNanos(1);

        private RateText() {}

        public static Rate parse(String text) {
            int slash = text.indexOf('/');
            String count = slash < 0 ? text : text.substring(0, slash);
            String period = slash < 0 ? "s" : text.substring(slash + 1);
            return rate(count(count, text), periodNanos(period, text), text);
        }

        private static BigDecimal count(String count, String text) {
            int length = DecimalText.lengthOfNumber(count);
            int zeros = switch (count.substring(length)) {
                case "" -> 0;
                case "k", "K" -> 3;
                case "M" -> 6;
                default -> throw invalid(text);
            };
            return DecimalText.parse(count.substring(0, length))
                    .orElseThrow(() -> invalid(text))
                    .movePointRight(zeros)
                    .stripTrailingZeros();
        }

        private static long periodNanos(String period, String text) {
            return switch (period) {
                case "s" -> TimeUnit.SECONDS.toNanos(1);
                case "m" -> TimeUnit.MINUTES.toNanos(1);
                case "h" -> TimeUnit.HOURS.toNanos(1);
                default -> parsePeriod(period, text);
            };
        }

        private static long parsePeriod(String period, String text) {
            long nanos;
            try {
                nanos = DurationText.parseNanos(period);
            } catch (IllegalArgumentException notADuration) {
                throw invalid(text);
            }
            if (nanos < 1) {
                throw new IllegalArgumentException("the period of a rate must be above 0, but was '" + text + "'");
            }
            return nanos;
        }

        private static Rate rate(BigDecimal count, long periodNanos, String text) {
            BigDecimal fastest = FASTEST_PER_NANO.multiply(BigDecimal.valueOf(periodNanos));
            if (count.compareTo(fastest) > 0) {
                throw new IllegalArgumentException("a rate must be at most 100M/s, but was '" + text + "'");
            }
            int decimals = Math.max(0, count.scale());
            if (decimals > 4) {
                throw new IllegalArgumentException(
                        "a rate has at most 4 decimals, but was '" + text + "' (use a longer period, such as 1/1h)");
            }
            if (decimals > 0 && periodNanos > LONGEST_PERIOD_NANOS) {
                throw new IllegalArgumentException(
                        "the period of a rate with decimals must be at most 1d, but was '" + text + "'");
            }
            return new Rate(
                    count.movePointRight(decimals).longValueExact(),
                    BigDecimal.valueOf(periodNanos).movePointRight(decimals).longValueExact());
        }

        private static IllegalArgumentException invalid(String text) {
            return new IllegalArgumentException("'" + text + "' is not a rate such as " + ACCEPTED);
        }
    }
}
