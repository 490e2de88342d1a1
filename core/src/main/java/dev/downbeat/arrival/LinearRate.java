package dev.downbeat.arrival;

import java.math.BigInteger;

/**
 * A linearly changing rate. Immutable.
 *
 * @param from the rate at the start
 * @param to the rate at the end
 * @param durationNanos duration of the change in nanoseconds, at least 1
 */
public record LinearRate(Rate from, Rate to, long durationNanos) {
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
}
