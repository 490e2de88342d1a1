package dev.downbeat.arrival;

/** How arrivals lie about a rate that changes. */
public sealed interface Spacing {
    /**
     * The cursor over all arrivals.
     *
     * @param rate how the rate changes
     * @param share which generator, from 0 to {@code shares - 1}
     * @param shares how many generators, at least 1
     * @return a new cursor before the first time
     */
    IntendedTimes times(LinearRate rate, int share, int shares);

    /**
     * The ramp's name, to be shown.
     *
     * @return for example {@code Poisson ramp}
     */
    String rampName();

    /** One arrival each time the integral of the rate reaches a whole number, the first at 0. */
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
    }

    /**
     * A Poisson process whose rate changes.
     *
     * @param seed chooses one of 2^64 schedules
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
    }
}
