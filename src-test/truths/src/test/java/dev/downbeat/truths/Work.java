package dev.downbeat.truths;

import java.util.SplittableRandom;

/** How long a server works on a request. */
@FunctionalInterface
interface Work {
    /**
     * Draws the work for a request.
     *
     * @param atNanos when the request arrives, from the start of the run
     * @param index of the request
     * @return nanoseconds, at least 0
     */
    long nanos(long atNanos, long index, SplittableRandom random);

    static Work constant(double seconds) {
        long nanos = Math.round(seconds * 1e9);
        return (at, index, random) -> nanos;
    }

    static Work exponential(double meanSeconds) {
        return (at, index, random) -> Math.round(-meanSeconds * 1e9 * Math.log(1 - random.nextDouble()));
    }

    /** Log-normal, like most services at low load. */
    static Work logNormal(double medianSeconds, double sigma) {
        return (at, index, random) -> Math.round(medianSeconds * 1e9 * Math.exp(sigma * normal(random)));
    }

    /** The rare work with probability {@code rareShare}, otherwise the usual. */
    static Work mixed(Work usual, Work rare, double rareShare) {
        return (at, index, random) -> (random.nextDouble() < rareShare ? rare : usual).nanos(at, index, random);
    }

    /** Multiplied by a factor that depends on the time of arrival. */
    default Work times(Factor factor) {
        return (at, index, random) -> Math.round(nanos(at, index, random) * factor.at(at / 1e9));
    }

    /** A factor that changes over time. */
    @FunctionalInterface
    interface Factor {
        /** The factor {@code seconds} after the start of the run. */
        double at(double seconds);
    }

    /** A standard normal deviate by Box-Muller. {@code nextGaussian} of {@link SplittableRandom} has no specified algorithm. */
    static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
