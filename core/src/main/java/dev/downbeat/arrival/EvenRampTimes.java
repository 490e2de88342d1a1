package dev.downbeat.arrival;

import java.math.BigInteger;

/**
 * Solves the integral of a linear rate for each whole number. Where the rate rises, from the beginning of the ramp; where it
 * falls, from the end: seen from the lower rate, the quadratic equation has no difference of near numbers in it, and its
 * solution in doubles is within 1e-15 of itself, which is below 1 ns in a ramp of 10 days.
 */
final class EvenRampTimes implements IntendedTimes {
    private final long durationNanos;
    private final boolean rises;
    private final double lowerRate;
    private final double slope;
    /** How many arrivals the ramp has, up to the next whole number. */
    private final long total;
    /** What the integral over the whole ramp lacks to that number. */
    private final double lack;

    private final int step;
    private long next;
    private long index = -1;

    EvenRampTimes(LinearRate rate, int share, int shares) {
        this.durationNanos = rate.durationNanos();
        this.rises = rate.rises();
        Rate lower = rises ? rate.from() : rate.to();
        Rate higher = rate.greater();
        this.lowerRate = (double) lower.count() / lower.periodNanos();
        double difference = (double) higher.count() / higher.periodNanos() - lowerRate;
        this.slope = Math.max(0, difference) / durationNanos;
        BigInteger scale = rate.scale();
        BigInteger[] integral = rate.scaledTotal().divideAndRemainder(scale);
        boolean whole = integral[1].signum() == 0;
        this.total = integral[0].longValueExact() + (whole ? 0 : 1);
        this.lack = whole ? 0 : scale.subtract(integral[1]).doubleValue() / scale.doubleValue();
        this.step = shares;
        this.next = share;
    }

    @Override
    public long nextNanos() {
        if (next >= total) {
            return END;
        }
        index = next;
        next += step;
        return rises ? Math.min(durationNanos - 1, (long) durationOf((double) index)) : fromTheEnd();
    }

    private long fromTheEnd() {
        double left = (double) (total - index) - lack;
        return Math.max(0, durationNanos - (long) Math.ceil(durationOf(left)));
    }

    /** How long it takes, beginning at the lower rate, until this many have arrived. */
    private double durationOf(double arrivals) {
        if (arrivals == 0) {
            return 0;
        }
        return 2 * arrivals / (lowerRate + Math.sqrt(lowerRate * lowerRate + 2 * slope * arrivals));
    }

    @Override
    public long index() {
        return index;
    }
}
