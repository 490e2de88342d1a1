package dev.downbeat.stats.position;

import dev.downbeat.record.Distribution;
import java.util.Optional;

/**
 * A step in the percentile spectrum: beyond a certain share, all requests take much longer. A step at 1 - 1/k is the
 * sign of every k-th request being slow. Immutable.
 *
 * @param beyond share of requests beyond the step, above 0
 * @param belowNanos time just below the step
 * @param aboveNanos time just above the step
 */
public record SpectrumStep(double beyond, long belowNanos, long aboveNanos) {
    /** At a step, the time must grow by this factor ... */
    private static final double LEAST_FACTOR = 1.5;

    /** ... while the share beyond it falls by at most this factor. */
    private static final double WIDTH = 1.2;

    private static final double LARGEST = 0.5;
    private static final int LEAST_BEYOND = 10;

    /** Refuses a share of nothing. */
    public SpectrumStep {
        if (!(beyond > 0 && beyond < 1)) {
            throw new IllegalArgumentException("beyond must be above 0 and below 1, but was " + beyond);
        }
    }

    public double percentile() {
        return 100 * (1 - beyond);
    }

    /** The k for which the step is closest to 1 - 1/k. */
    public long oneIn() {
        return Math.round(1 / beyond);
    }

    /** Whether the step is where every k-th request being slow would put it. */
    public boolean isOneIn(double k) {
        return beyond * k < WIDTH && beyond * k > 1 / WIDTH;
    }

    /**
     * The greatest step of a spectrum.
     *
     * @return empty if no step stands out
     */
    public static Optional<SpectrumStep> greatest(Distribution times) {
        Optional<SpectrumStep> greatest = Optional.empty();
        double best = Math.log(LEAST_FACTOR);
        for (double beyond = LARGEST; beyond * times.count() >= LEAST_BEYOND; beyond /= 1.02) {
            long below = valueExceededBy(times, beyond * Math.sqrt(WIDTH));
            long above = valueExceededBy(times, beyond / Math.sqrt(WIDTH));
            double rise = Math.log((double) above / Math.max(1, below));
            if (rise > best && rise > 2 * riseAround(times, beyond)) {
                best = rise;
                greatest = Optional.of(edge(times, beyond, below, above));
            }
        }
        return greatest;
    }

    /** The slope of the spectrum on either side; a uniformly steep tail has no step. */
    private static double riseAround(Distribution times, double beyond) {
        double before = Math.log((double) valueExceededBy(times, beyond * 1.1)
                / Math.max(1, valueExceededBy(times, Math.min(1, beyond * 1.1 * WIDTH))));
        double after = Math.log((double) valueExceededBy(times, beyond / 1.1 / WIDTH)
                / Math.max(1, valueExceededBy(times, beyond / 1.1)));
        return Math.max(before, after);
    }

    /** Places the step where the time is half way, on a logarithmic scale. */
    private static SpectrumStep edge(Distribution times, double beyond, long below, long above) {
        long middle = Math.round(Math.sqrt((double) below * above));
        double share = (double) times.countAbove(middle) / times.count();
        return new SpectrumStep(share > 0 ? share : beyond, below, above);
    }

    private static long valueExceededBy(Distribution times, double beyond) {
        return times.valueAtPercentile(100 * (1 - Math.min(1, beyond)));
    }
}
