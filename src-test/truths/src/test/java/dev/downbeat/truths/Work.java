package dev.downbeat.truths;

import java.util.SplittableRandom;

/** How long a server works on a request. */
@FunctionalInterface
interface Work {
    /**
     * Draws a length.
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

    /** Log-normal about a median: most services at rest. */
    static Work logNormal(double medianSeconds, double sigma) {
        return (at, index, random) -> Math.round(medianSeconds * 1e9 * Math.exp(sigma * normal(random)));
    }

    /** Sometimes the one, else the other. */
    static Work mixed(Work usual, Work rare, double rareShare) {
        return (at, index, random) -> (random.nextDouble() < rareShare ? rare : usual).nanos(at, index, random);
    }

    /** The same, longer by a factor that may depend on the time. */
    default Work times(Factor factor) {
        return (at, index, random) -> Math.round(nanos(at, index, random) * factor.at(at / 1e9));
    }

    /** A course in time. */
    @FunctionalInterface
    interface Factor {
        /** The factor at so many seconds from the start of the run. */
        double at(double seconds);
    }

    /** A standard normal deviate, by Box and Muller; {@code nextGaussian} of {@link SplittableRandom} has no fixed algorithm. */
    static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
