package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

/**
 * One server with a queue, Poisson arrivals and exponential service times, begun in its steady state; undisturbed, beside
 * others that make it twice as slow for a while, or with pauses. Times are in microseconds, for fewer buckets to go through.
 */
public final class SimulatedQueue {
    private static final double SECOND = 1e6;

    /** What disturbs it. */
    public enum Beside {
        /** Nothing. */
        NOTHING(""),
        /** Twice as slow for 5 s, each 20 s, both on average. */
        BUSY_SPELLS(", busy spells"),
        /** Pauses of 50 ms, each 2 s, both on average. */
        PAUSES(", pauses");

        final String words;

        Beside(String words) {
            this.words = words;
        }
    }

    private final double perMicro;
    private final double utilisation;
    private final Beside beside;
    private final SplittableRandom random;
    private double wait;
    private double now;
    private double next;
    private boolean busy;

    /** What becomes of a response time, by the second in which it was asked for. */
    private DoubleBinaryOperator changed = (second, response) -> response;

    public SimulatedQueue(double utilisation, double perSecond, Beside beside, SplittableRandom random) {
        this.utilisation = utilisation;
        this.perMicro = perSecond / SECOND;
        this.beside = beside;
        this.random = random;
        // whoever arrives finds the server idle with probability 1 - utilisation
        wait = random.nextDouble() < utilisation ? random.nextExponential() / drain() : 0;
        busy = beside == Beside.BUSY_SPELLS && random.nextDouble() < 0.25;
        next = untilNext();
        if (beside != Beside.NOTHING) {
            seconds(40);
            now = now % SECOND;
            next -= 40 * SECOND;
        }
    }

    public SimulatedQueue changed(DoubleBinaryOperator bySecondAndResponse) {
        changed = bySecondAndResponse;
        return this;
    }

    private double drain() {
        return perMicro / utilisation * (1 - utilisation);
    }

    private double untilNext() {
        return switch (beside) {
            case NOTHING -> Double.MAX_VALUE;
            case BUSY_SPELLS -> random.nextExponential() * (busy ? 5 : 15) * SECOND;
            case PAUSES -> random.nextExponential() * 2 * SECOND;
        };
    }

    /** Response times by the second of the arrival. */
    public List<Distribution> seconds(int count) {
        List<Distribution> seconds = new ArrayList<>();
        long[] times = new long[64];
        for (int second = 0; second < count; second++) {
            int n = 0;
            while (now < (second + 1) * SECOND) {
                if (n == times.length) {
                    times = Arrays.copyOf(times, 2 * n);
                }
                times[n++] = (long) next();
            }
            seconds.add(distribution(times, n));
        }
        return seconds;
    }

    /** The response time of the next request. */
    double next() {
        while (now >= next) {
            if (beside == Beside.PAUSES) {
                wait += random.nextExponential() * 0.05 * SECOND;
            }
            busy = beside == Beside.BUSY_SPELLS && !busy;
            next += untilNext();
        }
        double service = random.nextExponential() * utilisation / perMicro * (busy ? 2 : 1);
        double response = wait + service;
        double asked = now / SECOND;
        double gap = random.nextExponential() / perMicro;
        now += gap;
        wait = Math.max(0, response - gap);
        return changed.applyAsDouble(asked, response);
    }

    /** By theory where nothing disturbs it (the response time is exponential), else from 1.5e9 simulated requests. */
    long trueValue(double percentile) {
        if (beside == Beside.NOTHING) {
            return Math.round(-Math.log(1 - percentile / 100) / drain());
        }
        boolean busySpells = beside == Beside.BUSY_SPELLS;
        boolean few = Math.round(perMicro * SECOND) == 100;
        if (utilisation != 0.4 || !(few || Math.round(perMicro * SECOND) == 1_000)) {
            throw new IllegalArgumentException("known at 100 and 1,000 per second and a utilisation of 0.4 only");
        }
        long[] known = busySpells
                ? few ? new long[] {6_414, 37_202, 125_480} : new long[] {639, 3_757, 12_823}
                : few ? new long[] {4_954, 18_414, 92_234} : new long[] {492, 1_863, 76_474};
        return known[percentile == 50 ? 0 : percentile == 90 ? 1 : 2];
    }

    public static Distribution distribution(long[] times, int n) {
        return Distribution.of(Arrays.stream(times, 0, n));
    }
}
