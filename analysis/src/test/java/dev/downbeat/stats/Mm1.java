package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * One server with a queue, Poisson arrivals at 1,000 per second and exponential service times, in its steady state. Its
 * times are in microseconds, for fewer buckets to go through.
 */
final class Mm1 {
    private static final double ARRIVALS_PER_TICK = 1e-3;
    private static final double SECOND = 1e6;

    private final double utilisation;
    private final SplittableRandom random;
    private final Histogram histogram = Distribution.newHistogram();
    private double wait;

    Mm1(double utilisation, SplittableRandom random) {
        this.utilisation = utilisation;
        this.random = random;
        // whoever arrives finds the server idle with probability 1 - utilisation
        wait = random.nextDouble() < utilisation ? exponential(drainPerTick()) : 0;
    }

    /** Response times by the second of the arrival. */
    List<Distribution> seconds(int count) {
        List<Distribution> seconds = new ArrayList<>();
        double now = 0;
        for (int second = 1; second <= count; second++) {
            histogram.reset();
            while (now < second * SECOND) {
                double service = exponential(ARRIVALS_PER_TICK / utilisation);
                histogram.recordValue(Math.round(wait + service));
                double gap = exponential(ARRIVALS_PER_TICK);
                now += gap;
                wait = Math.max(0, wait + service - gap);
            }
            seconds.add(Distribution.of(histogram));
        }
        return seconds;
    }

    /** The response time is exponential. */
    long trueValue(double percentile) {
        return Math.round(-Math.log(1 - percentile / 100) / drainPerTick());
    }

    private double drainPerTick() {
        return ARRIVALS_PER_TICK / utilisation * (1 - utilisation);
    }

    private double exponential(double rate) {
        return random.nextExponential() / rate;
    }
}
