package dev.downbeat.arrival;

/**
 * Arrivals at random, as from very many users who know nothing of each other: gaps are exponentially distributed and
 * independent. The same rate and seed give the same times on every machine.
 *
 * <p>An arrival belongs to a share by lot, so each of n shares is a Poisson process as well, of an n-th of the rate.
 *
 * @param rate the mean rate; a rate of 0 has no arrivals
 * @param seed chooses one of 2^64 schedules
 */
public record Poisson(Rate rate, long seed) implements ArrivalProcess {
    @Override
    public IntendedTimes times(int share, int shares) {
        return Shares.of(new Times(new PoissonStream(rate, seed)), share, shares);
    }

    /**
     * The times of {@link #times(int, int)} from an offset on, found without going through those before. The index is
     * counted from there: 0 is the first time at or after {@code offsetNanos} over all shares.
     *
     * @param offsetNanos where to begin, in nanoseconds from the start of the run, at least 0
     * @param share which generator, from 0 to {@code shares - 1}
     * @param shares how many generators, at least 1
     * @return a new cursor before the first time at or after the offset
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
