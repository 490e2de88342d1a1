package dev.downbeat.arrival;

/** The distribution of arrivals around a changing rate. */
public sealed interface Spacing {
    /**
     * A cursor over one generator's arrivals.
     *
     * @param rate the changing rate
     * @param share index of the generator, from 0 to {@code shares - 1}
     * @param shares number of generators, at least 1
     * @return a new cursor before the first time
     */
    IntendedTimes times(LinearRate rate, int share, int shares);

    /**
     * The display name of the ramp.
     *
     * @return for example {@code Poisson ramp}
     */
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
    }
}
