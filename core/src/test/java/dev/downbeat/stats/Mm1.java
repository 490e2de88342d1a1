package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** One server with a queue, Poisson arrivals at 1,000 per second and exponential service times, in its steady state. */
final class Mm1 {
    private static final double ARRIVALS_PER_NANO = 1e-6;
    private static final long SECOND = 1_000_000_000;

    private final double utilisation;
    private final SplittableRandom random;
    private final Histogram histogram = Distribution.newHistogram();
    private double waitNanos;

    Mm1(double utilisation, SplittableRandom random) {
        this.utilisation = utilisation;
        this.random = random;
        // whoever arrives finds the server idle with probability 1 - utilisation
        waitNanos = random.nextDouble() < utilisation ? exponential(drainPerNano()) : 0;
    }

    /** Response times by the second of the arrival. */
    List<Distribution> seconds(int count) {
        List<Distribution> seconds = new ArrayList<>();
        double now = 0;
        for (int second = 1; second <= count; second++) {
            histogram.reset();
            while (now < (double) second * SECOND) {
                double service = exponential(ARRIVALS_PER_NANO / utilisation);
                histogram.recordValue(Math.round(waitNanos + service));
                double gap = exponential(ARRIVALS_PER_NANO);
                now += gap;
                waitNanos = Math.max(0, waitNanos + service - gap);
            }
            seconds.add(Distribution.of(histogram));
        }
        return seconds;
    }

    /** The response time is exponential. */
    long trueNanos(double percentile) {
        return Math.round(-Math.log(1 - percentile / 100) / drainPerNano());
    }

    private double drainPerNano() {
        return ARRIVALS_PER_NANO / utilisation * (1 - utilisation);
    }

    private double exponential(double rate) {
        return random.nextExponential() / rate;
    }
}
