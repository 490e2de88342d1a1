package dev.downbeat.arrival;

/**
 * A Poisson process with a linear rate, by thinning: arrivals are generated at the maximum rate. Each is kept with
 * probability current rate / maximum rate.
 *
 * @see <a href="https://doi.org/10.1002/nav.3800260304">Lewis, Shedler: Simulation of nonhomogeneous Poisson processes
 *     by thinning, Naval Research Logistics Quarterly 26 (1979)</a>
 */
final class ThinnedTimes implements IntendedTimes {
    private final PoissonStream stream;
    private final long durationNanos;
    private final double keptAtStart;
    private final double keptMorePerNano;
    private long index = -1;

    ThinnedTimes(LinearRate rate, long seed) {
        Rate greater = rate.greater();
        this.stream = new PoissonStream(greater, seed);
        this.durationNanos = rate.durationNanos();
        this.keptAtStart = greater.isZero() ? 0 : rate.from().perSecond() / greater.perSecond();
        double keptAtEnd = greater.isZero() ? 0 : rate.to().perSecond() / greater.perSecond();
        this.keptMorePerNano = (keptAtEnd - keptAtStart) / durationNanos;
    }

    @Override
    public long nextNanos() {
        while (true) {
            long nanos = stream.nextNanos();
            if (nanos >= durationNanos) {
                return END;
            }
            if (stream.lot() < keptAtStart + keptMorePerNano * nanos) {
                index++;
                return nanos;
            }
        }
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
