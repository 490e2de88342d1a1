package dev.downbeat.stats.position;

import java.util.List;

/**
 * Something slow that comes back every so many requests. Immutable.
 *
 * @param length every how many requests, at least 2
 * @param places the slow places in each stretch of {@code length} requests, ascending, from 1 to {@code length}; places
 *     count from the first request of a series
 * @param repeats how many places in a series were seen to be slow
 * @param slowNanos median at the slow places
 * @param otherwiseNanos median at all others, the first request of each series left out
 * @param chance at most how probable it is that data without a period look like this, over all periods tried
 */
public record Period(
        int length, List<Integer> places, int repeats, long slowNanos, long otherwiseNanos, double chance) {
    public Period {
        if (length < 2) {
            throw new IllegalArgumentException("length must be at least 2, but was " + length);
        }
        places = List.copyOf(places);
    }

    /** How much longer the slow ones take, at the median. */
    public long extraNanos() {
        return slowNanos - otherwiseNanos;
    }
}
