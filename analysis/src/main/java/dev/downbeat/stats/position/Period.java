package dev.downbeat.stats.position;

import java.util.List;

/**
 * A slowness that recurs every n requests. Immutable.
 *
 * @param length the period in requests, at least 2
 * @param places slow places within a period, ascending, from 1 to {@code length}, counted from the first request of a
 *     series
 * @param repeats number of slow places seen in a series
 * @param slowNanos median at the slow places
 * @param otherwiseNanos median at all other places, without the first request of each series
 * @param chance upper bound of the probability that data without a period look like this, over all periods tried
 */
public record Period(
        int length, List<Integer> places, int repeats, long slowNanos, long otherwiseNanos, double chance) {
    public Period {
        if (length < 2) {
            throw new IllegalArgumentException("length must be at least 2, but was " + length);
        }
        places = List.copyOf(places);
    }

    /** The additional time of the slow requests, at the median. */
    public long extraNanos() {
        return slowNanos - otherwiseNanos;
    }
}
