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
 * A rate that stays or one that changes.
 *
 * @param from the rate at the beginning
 * @param to the rate at the end; the same if it stays
 */
public record OfferedRate(Rate from, Rate to) {
    public static OfferedRate steady(Rate rate) {
        return new OfferedRate(rate, rate);
    }

    public boolean isRamp() {
        // The same one, mostly: the JVM makes the equals of a record at its first call, which takes longer than all
        // else here.
        return !Objects.equals(from, to);
    }

    public boolean isNothing() {
        return from.count() == 0 && to.count() == 0;
    }

    /**
     * Reads {@code 500/s}, or {@code 100..5k/s}, where the period of the second rate goes for a bare first one.
     *
     * @throws IllegalArgumentException with one line that says what is accepted
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

    /** As {@link #parse} reads it. */
    public String text() {
        return isRamp() ? RateText.of(from) + ".." + RateText.of(to) : RateText.of(from);
    }

    /** Evenly or at random, and if it changes, over so long. */
    public ArrivalProcess over(Duration length, Spacing spacing) {
        if (isRamp()) {
            return new Ramp(from, to, length.toNanos(), spacing);
        }
        return spacing instanceof Spacing.Poisson random ? new Poisson(from, random.seed()) : new Constant(from);
    }
}
