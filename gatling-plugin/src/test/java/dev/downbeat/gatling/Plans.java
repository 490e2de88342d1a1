package dev.downbeat.gatling;

import java.util.stream.LongStream;

/**
 * When the requests of a simulation are due, by what its source says. Instants are readings of {@link System#nanoTime}, in
 * order. Gatling spreads the users of a closed injection evenly over its first second.
 */
final class Plans {
    private static final long SECOND = 1_000_000_000L;

    private Plans() {}

    /** {@link Simulations.Open}. */
    static long[] open(long startAt, int rate, int seconds) {
        return LongStream.range(0, (long) rate * seconds)
                .map(i -> startAt + i * SECOND / rate)
                .toArray();
    }

    /** {@link Simulations.Paced}. */
    static long[] paced(long startAt, int users, int seconds, long paceNanos) {
        return firstAt(startAt, users)
                .flatMap(first ->
                        LongStream.range(0, seconds * SECOND / paceNanos).map(beat -> first + beat * paceNanos))
                .sorted()
                .toArray();
    }

    /** {@link Simulations.Closed}: who waits for an answer asks nothing meanwhile, so the plan depends on the standstill. */
    static long[] closed(long startAt, int users, int seconds, long pauseNanos, Standstill still) {
        return firstAt(startAt, users)
                .flatMap(first -> LongStream.iterate(
                        first, due -> due - startAt < seconds * SECOND, due -> due + still.waitNanos(due) + pauseNanos))
                .sorted()
                .toArray();
    }

    private static LongStream firstAt(long startAt, int users) {
        return LongStream.range(0, users).map(user -> startAt + user * SECOND / users);
    }
}
