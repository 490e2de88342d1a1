package dev.downbeat.cli.measurement;

import dev.downbeat.arrival.Rate;

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
        return !from.equals(to);
    }

    public boolean isNothing() {
        return from.count() == 0 && to.count() == 0;
    }

    /** Reads {@code 500/s}, or {@code 100..5k/s}, where the period of the second rate goes for a bare first one. */
    public static OfferedRate parse(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return steady(RateConverter.parse(text));
        }
        String first = text.substring(0, dots);
        String second = text.substring(dots + 2);
        int slash = second.indexOf('/');
        String period = slash < 0 || first.indexOf('/') >= 0 ? "" : second.substring(slash);
        Rate from = RateConverter.parse(first + period);
        Rate to = RateConverter.parse(second);
        Refusal.when(from.equals(to), "a ramp goes from one rate to another, but was '" + text + "'");
        return new OfferedRate(from, to);
    }

    String text() {
        return isRamp() ? RateConverter.text(from) + ".." + RateConverter.text(to) : RateConverter.text(from);
    }
}
