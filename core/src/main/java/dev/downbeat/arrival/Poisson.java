package dev.downbeat.arrival;

/**
 * Poisson arrivals, as from a large number of independent users: gaps are independent and exponentially distributed.
 * The same rate and seed give the same arrivals on every machine.
 *
 * <p>Each arrival is assigned to a generator at random, so each of n shares is itself a Poisson process with 1/n of the
 * rate.
 *
 * @param rate the mean rate; a rate of 0 has no arrivals
 * @param seed selects one of 2^64 schedules
 */
public record Poisson(Rate rate, long seed) implements ArrivalProcess {
    @Override
    public IntendedTimes times(int share, int shares) {
        return Shares.of(new Times(new PoissonStream(rate, seed)), share, shares);
    }

    /**
     * The arrivals of {@link #times(int, int)} from an offset on, without iterating over the earlier ones. Indexes
     * start there: 0 is the first arrival, over all generators, at or after {@code offsetNanos}.
     *
     * @param offsetNanos offset from the start of the run in nanoseconds, at least 0
     * @param share index of the generator, from 0 to {@code shares - 1}
     * @param shares number of generators, at least 1
     * @return a new cursor before the first arrival at or after the offset
     * @throws IllegalArgumentException if an argument is out of range
     */
    public IntendedTimes timesFrom(long offsetNanos, int share, int shares) {
        if (offsetNanos < 0) {
            throw new IllegalArgumentException("offsetNanos must be at least 0, but was " + offsetNanos);
        }
        PoissonStream stream = new PoissonStream(rate, seed);
        stream.seek(offsetNanos);
        return Shares.of(new Times(stream), share, shares);
    }

    @Override
    public boolean isSteady() {
        return true;
    }

    @Override
    public String kind() {
        return "poisson";
    }

    @Override
    public String describe() {
        return "Poisson " + rate.words();
    }

    private static final class Times implements IntendedTimes {
        private final PoissonStream stream;
        private long index = -1;

        Times(PoissonStream stream) {
            this.stream = stream;
        }

        @Override
        public long nextNanos() {
            long nanos = stream.nextNanos();
            if (nanos != END) {
                index++;
            }
            return nanos;
        }

        @Override
        public long index() {
            return index;
        }

        @Override
        public int owner(int shares) {
            return stream.owner(shares);
        }
    }
}
