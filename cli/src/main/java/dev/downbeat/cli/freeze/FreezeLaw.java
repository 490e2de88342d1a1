package dev.downbeat.cli.freeze;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * What response times a service must have that is quick but for one freeze. Pure arithmetic; all instants count from the
 * first intended time.
 *
 * <p>A request that is due at {@code t} within the freeze cannot be answered before its end. What has gathered by then is
 * worked off in order of arrival and at an even pace, which takes {@code drainNanos} and during which more arrives: so
 * the request is answered at {@code until + drain * (t - from) / (until + drain - from)}.
 *
 * @param fromNanos when the service froze
 * @param untilNanos when it went on; not before {@code fromNanos}
 * @param drainNanos how long it then took until nothing waited any more, at least 0
 * @param baseNanos response time outside of the freeze, at least 0
 */
public record FreezeLaw(long fromNanos, long untilNanos, long drainNanos, long baseNanos) {
    public FreezeLaw {
        if (untilNanos < fromNanos) {
            throw new IllegalArgumentException("untilNanos must be at least " + fromNanos + ", but was " + untilNanos);
        }
        if (drainNanos < 0 || baseNanos < 0) {
            throw new IllegalArgumentException(
                    "drainNanos and baseNanos must be at least 0, but were " + drainNanos + " and " + baseNanos);
        }
    }

    /** The response time of a request that is due at {@code intendedNanos}. */
    long responseNanos(long intendedNanos) {
        boolean answeredBefore = intendedNanos < fromNanos && intendedNanos + baseNanos <= fromNanos;
        long clearNanos = untilNanos + drainNanos;
        if (answeredBefore || intendedNanos >= clearNanos) {
            return baseNanos;
        }
        double share = (double) Math.max(0, intendedNanos - fromNanos) / (clearNanos - fromNanos);
        long answeredNanos = untilNanos + Math.round(drainNanos * share);
        return Math.max(baseNanos, answeredNanos - intendedNanos);
    }

    /** The response times of so many requests at a constant rate: every slot is reckoned, none is estimated. */
    public Distribution open(Rate rate, long count) {
        Histogram histogram = Distribution.newHistogram();
        IntendedTimes times = new Constant(rate).times();
        for (long i = 0; i < count; i++) {
            histogram.recordValue(responseNanos(times.nextNanos()));
        }
        return Distribution.of(histogram);
    }

    /**
     * What a stopwatch would have noted that waits for each answer before it asks again: the one request that meets the
     * freeze, and the quick ones before and after it.
     */
    public Distribution waiting(Rate rate, long count) {
        long slots = 0;
        IntendedTimes times = new Constant(rate).times();
        for (long i = 0; i < count; i++) {
            long due = times.nextNanos();
            slots += due <= fromNanos || due > untilNanos ? 1 : 0;
        }
        Histogram histogram = Distribution.newHistogram();
        histogram.recordValueWithCount(baseNanos, Math.max(0, slots - 1));
        histogram.recordValue(untilNanos - fromNanos + baseNanos);
        return Distribution.of(histogram);
    }
}
