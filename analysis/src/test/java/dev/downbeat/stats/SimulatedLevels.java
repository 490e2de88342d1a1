package dev.downbeat.stats;

import java.util.SplittableRandom;

/**
 * A service whose level changes with time: what a request takes is the level of its tenth of a second, with a log-normal scatter
 * of 0.3. The usual level is 1.
 */
public final class SimulatedLevels {
    private static final double SCATTER = 0.3;
    private static final int PER_SECOND = 10;

    private final Law law;

    private SimulatedLevels(Law law) {
        this.law = law;
    }

    private interface Law {
        double[] levels(int tenths, SplittableRandom random);

        /** The share of the time and requests that take less. */
        double below(double value);
    }

    /** Slow for a while now and then; how long both last is random. */
    public static SimulatedLevels spells(double spellSeconds, double eachSeconds, double factor) {
        return new SimulatedLevels(new Law() {
            @Override
            public double[] levels(int tenths, SplittableRandom random) {
                double[] levels = new double[tenths];
                boolean slow = random.nextDouble() < spellSeconds / eachSeconds;
                double next = random.nextExponential() * (slow ? spellSeconds : eachSeconds - spellSeconds);
                for (int i = 0; i < tenths; i++) {
                    while (i / (double) PER_SECOND >= next) {
                        slow = !slow;
                        next += random.nextExponential() * (slow ? spellSeconds : eachSeconds - spellSeconds);
                    }
                    levels[i] = slow ? factor : 1;
                }
                return levels;
            }

            @Override
            public double below(double value) {
                double share = spellSeconds / eachSeconds;
                return (1 - share) * normal(value, 1, SCATTER) + share * normal(value, factor, SCATTER);
            }
        });
    }

    /** The logarithm of the level wanders by so much and forgets in so many seconds (AR(1)). */
    public static SimulatedLevels wandering(double deviation, double memorySeconds) {
        return new SimulatedLevels(new Law() {
            @Override
            public double[] levels(int tenths, SplittableRandom random) {
                double[] levels = new double[tenths];
                double kept = Math.exp(-1 / (PER_SECOND * memorySeconds));
                double log = deviation * random.nextGaussian();
                for (int i = 0; i < tenths; i++) {
                    log = kept * log + deviation * Math.sqrt(1 - kept * kept) * random.nextGaussian();
                    levels[i] = Math.exp(log);
                }
                return levels;
            }

            @Override
            public double below(double value) {
                return normal(value, 1, Math.hypot(SCATTER, deviation));
            }
        });
    }

    private static double normal(double value, double median, double scatter) {
        return Normal.upperTail(-Math.log(value / median) / scatter);
    }

    /** What requests take that come evenly, by second. */
    public double[][] seconds(int seconds, int perSecond, SplittableRandom random) {
        double[] levels = law.levels(seconds * PER_SECOND, random);
        double[][] times = new double[seconds][perSecond];
        for (int second = 0; second < seconds; second++) {
            int from = second * PER_SECOND;
            for (int i = 0; i < perSecond; i++) {
                times[second][i] =
                        levels[from + i * PER_SECOND / perSecond] * Math.exp(SCATTER * random.nextGaussian());
            }
        }
        return times;
    }

    /** The percentile of a run without end. */
    public double trueValue(double percentile) {
        double low = 0;
        double high = 100;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (law.below(middle) < percentile / 100) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
