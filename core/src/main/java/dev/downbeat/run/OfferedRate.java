package dev.downbeat.run;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Spacing;
import java.time.Duration;
import java.util.Objects;

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

    public boolean isNothing() {
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
        return isRamp() ? RateText.of(from) + ".." + RateText.of(to) : RateText.of(from);
    }

    /** Arrivals over this length, with the given spacing. */
    public ArrivalProcess over(Duration length, Spacing spacing) {
        if (isRamp()) {
            return new Ramp(from, to, length.toNanos(), spacing);
        }
        return spacing instanceof Spacing.Poisson random ? new Poisson(from, random.seed()) : new Constant(from);
    }
}
