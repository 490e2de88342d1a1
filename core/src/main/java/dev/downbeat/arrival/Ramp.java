package dev.downbeat.arrival;

import dev.downbeat.time.DurationText;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;

/**
 * Arrivals at a linearly changing rate, with none after the ramp. Either rate may be 0.
 *
 * @param from the rate at the start, at most 100,000,000/s
 * @param to the rate at the end, at most 100,000,000/s
 * @param durationNanos duration of the ramp in nanoseconds, from 1 to 10 days; within these ranges an evenly spaced
 *     arrival is within 1 ns of its exact time
 * @param spacing how arrivals are distributed around the rate
 */
public record Ramp(Rate from, Rate to, long durationNanos, Spacing spacing) implements ArrivalProcess {
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(10);
    private static final long NANOS_PER_ARRIVAL = 10;

    /**
     * Validates the ranges.
     *
     * @throws IllegalArgumentException if a rate or the duration is out of range
     */
    public Ramp {
        check("from", from);
        check("to", to);
        if (durationNanos < 1 || durationNanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(
                    "a ramp must last from 1 ns to 10d, but was " + DurationText.format(Math.max(0, durationNanos)));
        }
    }

    private static void check(String name, Rate rate) {
        if (rate.count() > rate.periodNanos() / NANOS_PER_ARRIVAL) {
            throw new IllegalArgumentException("rate " + name + " must be at most 100,000,000/s, but was " + rate);
        }
    }

    @Override
    public IntendedTimes times(int share, int shares) {
        return spacing.times(this, share, shares);
    }

    /** Whether the rate never falls. Compared exactly, because doubles cannot distinguish close rates. */
    boolean rises() {
        return product(from.count(), to.periodNanos()).compareTo(product(to.count(), from.periodNanos())) <= 0;
    }

    Rate greater() {
        return rises() ? to : from;
    }

    /** The integral of the rate over its duration, multiplied by {@link #scale}. */
    BigInteger scaledTotal() {
        return product(from.count(), to.periodNanos())
                .add(product(to.count(), from.periodNanos()))
                .multiply(BigInteger.valueOf(durationNanos));
    }

    BigInteger scale() {
        return product(from.periodNanos(), to.periodNanos()).shiftLeft(1);
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }

    @Override
    public String kind() {
        return "ramp";
    }

    @Override
    public String describe() {
        return spacing.rampName() + " " + from + " to " + to + " over " + DurationText.format(durationNanos);
    }
}
