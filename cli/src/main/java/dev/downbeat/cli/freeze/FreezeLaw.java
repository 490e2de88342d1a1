package dev.downbeat.cli.freeze;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Rate;
import dev.downbeat.record.Distribution;
import org.HdrHistogram.Histogram;

/**
 * The theoretical response times of a fast service with a single freeze. Pure arithmetic; instants count from the first
 * intended time.
 *
 * <p>A request due at {@code t} within the freeze cannot be answered before its end. The backlog is then served in
 * order of arrival at a constant pace, which takes {@code drainNanos} while more requests arrive. The request is
 * therefore answered at {@code until + drain * (t - from) / (until + drain - from)}.
 *
 * @param fromNanos start of the freeze
 * @param untilNanos end of the freeze; not before {@code fromNanos}
 * @param drainNanos time until the backlog was served, at least 0
 * @param baseNanos response time outside the freeze, at least 0
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

    /** The response times of requests at a constant rate; every slot is computed, none is estimated. */
    public Distribution open(Rate rate, long count) {
        Histogram histogram = Distribution.newHistogram();
        IntendedTimes times = new Constant(rate).times();
        for (long i = 0; i < count; i++) {
            histogram.recordValue(responseNanos(times.nextNanos()));
        }
        return Distribution.of(histogram);
    }

    /**
     * The times a closed-loop tool would record: one request during the freeze, and the fast ones before and after it.
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
