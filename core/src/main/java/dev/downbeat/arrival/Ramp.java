package dev.downbeat.arrival;

import dev.downbeat.arrival.Spacing.LinearRate;
import dev.downbeat.time.DurationText;
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
        return spacing.times(new LinearRate(from, to, durationNanos), share, shares);
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
