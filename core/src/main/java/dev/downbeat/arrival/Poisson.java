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
        return Shares.of(new PoissonStream(rate, seed), share, shares);
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
        return "Poisson " + rate;
    }
}
