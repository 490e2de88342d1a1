package dev.downbeat.arrival;

import java.math.BigInteger;

/** The distribution of arrivals around a changing rate. */
public sealed interface Spacing {
    /** A new cursor over one generator's arrivals; {@code share} is its index among {@code shares}. */
    IntendedTimes times(LinearRate rate, int share, int shares);

    /** The display name, such as {@code Poisson ramp}. */
    String rampName();

    /** One arrival whenever the integral of the rate reaches a whole number, the first at 0. */
    record Even() implements Spacing {
        @Override
        public IntendedTimes times(LinearRate rate, int share, int shares) {
            Shares.check(share, shares);
            return new EvenRampTimes(rate, share, shares);
        }

        @Override
        public String rampName() {
            return "ramp";
        }

        /**
         * Inverts the integral of a linear rate at each whole number. A rising rate is solved from the start of the ramp, a
         * falling one from its end. Seen from the lower rate, the quadratic has no cancellation. The relative error in doubles
         * is within 1e-15, below 1 ns for a ramp of 10 days.
         */
        private static final class EvenRampTimes implements IntendedTimes {
            private final long durationNanos;
            private final boolean rises;
            private final double lowerRate;
            private final double slope;
            /** The number of arrivals in the ramp, rounded up. */
            private final long total;
            /** The difference between that rounded total and the integral over the whole ramp. */
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
                boolean isWhole = integral[1].signum() == 0;
                this.total = integral[0].longValueExact() + (isWhole ? 0 : 1);
                this.lack = isWhole ? 0 : scale.subtract(integral[1]).doubleValue() / scale.doubleValue();
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

            /** The time from the lower-rate end of the ramp until this many arrivals have occurred. */
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
    }

    /**
     * A Poisson process with a changing rate.
     *
     * @param seed selects one of 2^64 schedules
     */
    record Poisson(long seed) implements Spacing {
        @Override
        public IntendedTimes times(LinearRate rate, int share, int shares) {
            return Shares.of(new ThinnedTimes(rate, seed), share, shares);
        }

        @Override
        public String rampName() {
            return "Poisson ramp";
        }

        /**
         * A Poisson process with a linear rate, by thinning: arrivals are generated at the maximum rate. Each is kept with
         * probability current rate / maximum rate.
         *
         * @see <a href="https://doi.org/10.1002/nav.3800260304">Lewis, Shedler: Simulation of nonhomogeneous Poisson processes
         *     by thinning, Naval Research Logistics Quarterly 26 (1979)</a>
         */
        private static final class ThinnedTimes implements IntendedTimes {
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
                    if (stream.uniform() < keptAtStart + keptMorePerNano * nanos) {
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
    }

    /**
     * A linearly changing rate. Immutable.
     *
     * @param from the rate at the start
     * @param to the rate at the end
     * @param durationNanos duration of the change in nanoseconds, at least 1
     */
    record LinearRate(Rate from, Rate to, long durationNanos) {
        /** Whether the rate never falls. Compared exactly, because doubles cannot distinguish close rates. */
        boolean rises() {
            return product(from.count(), to.periodNanos()).compareTo(product(to.count(), from.periodNanos())) <= 0;
        }

        Rate greater() {
            return rises() ? to : from;
        }

        /** The integral of the rate over its duration, multiplied by {@link #scale}. */
        BigInteger scaledTotal() {
            return product(from.count(), to.periodNanos())
                    .add(product(to.count(), from.periodNanos()))
                    .multiply(BigInteger.valueOf(durationNanos));
        }

        BigInteger scale() {
            return product(from.periodNanos(), to.periodNanos()).shiftLeft(1);
        }

        private static BigInteger product(long a, long b) {
            return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
        }
    }
}
