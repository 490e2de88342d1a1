package dev.downbeat.arrival;

import java.math.BigInteger;
import java.util.Arrays;

/** Arrivals at recorded times, in order. */
public final class Replay implements ArrivalProcess {
    private final long[] offsetsNanos;

    private Replay(long[] sortedOffsetsNanos) {
        this.offsetsNanos = sortedOffsetsNanos;
    }

    /**
     * Arrivals at given times.
     *
     * @param offsetsNanos offsets from the start of the run in nanoseconds, in any order, each at least 0; copied
     * @return the process
     * @throws IllegalArgumentException if an offset is negative
     */
    public static Replay of(long... offsetsNanos) {
        long[] sorted = offsetsNanos.clone();
        Arrays.sort(sorted);
        if (sorted.length > 0 && sorted[0] < 0) {
            throw new IllegalArgumentException("offsetsNanos must be at least 0, but one was " + sorted[0]);
        }
        return new Replay(sorted);
    }

    /**
     * The same arrivals at another speed: the rate times a fraction, every offset divided by it. An offset that becomes too
     * large for a long is never reached.
     *
     * @param numerator at least 1; above {@code denominator} it speeds up
     * @param denominator at least 1
     * @return a new process
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Replay scaled(long numerator, long denominator) {
        if (numerator < 1 || denominator < 1) {
            throw new IllegalArgumentException(
                    "factor must be at least 1 over at least 1, but was " + numerator + "/" + denominator);
        }
        BigInteger divisor = BigInteger.valueOf(numerator);
        BigInteger factor = BigInteger.valueOf(denominator);
        BigInteger end = BigInteger.valueOf(IntendedTimes.END);
        return new Replay(Arrays.stream(offsetsNanos)
                .map(nanos -> BigInteger.valueOf(nanos)
                        .multiply(factor)
                        .divide(divisor)
                        .min(end)
                        .longValueExact())
                .toArray());
    }

    /**
     * How many arrivals were recorded.
     *
     * @return the number, at least 0
     */
    public int count() {
        return offsetsNanos.length;
    }

    @Override
    public IntendedTimes times(int share, int shares) {
        Shares.check(share, shares);
        return new Times(offsetsNanos, share, shares);
    }

    @Override
    public String kind() {
        return "replay";
    }

    @Override
    public String describe() {
        return String.format(java.util.Locale.ROOT, "replay of %,d recorded times", offsetsNanos.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Replay replay && Arrays.equals(offsetsNanos, replay.offsetsNanos);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsetsNanos);
    }

    @Override
    public String toString() {
        return describe();
    }

    private static final class Times implements IntendedTimes {
        private final long[] offsetsNanos;
        private final int step;
        private long next;
        private long index = -1;

        Times(long[] offsetsNanos, int share, int shares) {
            this.offsetsNanos = offsetsNanos;
            this.step = shares;
            this.next = share;
        }

        @Override
        public long nextNanos() {
            if (next >= offsetsNanos.length || offsetsNanos[(int) next] == END) {
                return END;
            }
            index = next;
            next += step;
            return offsetsNanos[(int) index];
        }

        @Override
        public long index() {
            return index;
        }
    }
}
