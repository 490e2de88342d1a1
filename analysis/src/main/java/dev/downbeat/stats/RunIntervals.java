package dev.downbeat.stats;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;

/**
 * Confidence intervals of a run's percentiles that account for dependent requests, since requests wait in the same
 * queue. They need only the counts of each second.
 *
 * <p>The share of requests below a value is a mean over batches in time ({@link Batches}), whose scatter gives its
 * variance. The interval of the share is then converted to one of values (Woodruff: Confidence intervals for medians
 * and other position measures, J. Am. Stat. Assoc. 47, 1952). The exact binomial interval is used with the effective
 * number of independent requests (Korn, Graubard: Confidence intervals for proportions with small expected number of
 * positive counts, Surv. Methodol. 24, 1998). High percentiles have too few values to show clustering, so lower ones
 * guard them: the greatest variance inflation up to a percentile counts. Thread-safe.
 */
public final class RunIntervals {
    /** The least number of seconds. */
    public static final int LEAST_SECONDS = 20;

    private static final List<Double> GUARDS = Percentiles.belowMax(Percentiles.Place.GUARD);
    private static final double HALF_ERROR = (1 - QuantileInterval.CONFIDENCE) / 2;

    /** Recommended lengths exceed the least sufficient length by this factor. */
    private static final double RESERVE = 1.4;

    private static final double LONGEST = 1e6;

    private final List<Distribution> seconds;
    private final List<Distribution> tenths;
    private final Distribution whole;
    private final Map<Double, Guard> known = new ConcurrentHashMap<>();
    private final Map<Double, Scatter> scatters = new ConcurrentHashMap<>();

    private RunIntervals(List<Distribution> seconds) {
        this.seconds = List.copyOf(seconds);
        this.tenths = PercentileRange.tenths(seconds);
        this.whole = Distribution.sum(tenths);
    }

    /**
     * Creates the intervals of a run.
     *
     * @param perSecond times in stretches of equal length, at least a second each, in order and without a warm-up
     * @return empty if there are fewer than {@link #LEAST_SECONDS} stretches
     */
    public static Optional<RunIntervals> of(List<Distribution> perSecond) {
        return perSecond.size() < LEAST_SECONDS ? Optional.empty() : Optional.of(new RunIntervals(perSecond));
    }

    /** The same for shorter runs, down to ten stretches. */
    public static RunIntervals ofAny(List<Distribution> perSecond) {
        if (perSecond.size() < Batches.LEAST) {
            throw new IllegalArgumentException(
                    "there must be at least " + Batches.LEAST + " stretches, but there were " + perSecond.size());
        }
        return new RunIntervals(perSecond);
    }

    /** The excess of each second above a percentile of the whole run; the sum is 0. */
    private static final class Guard {
        private final double shareBelow;
        private final double[] excess;
        private final Memory memory;

        Guard(double shareBelow, double[] excess) {
            this.shareBelow = shareBelow;
            this.excess = excess;
            memory = Memory.of(excess);
        }
    }

    private Guard guard(double percentile) {
        return known.computeIfAbsent(percentile, key -> {
            long value = Batches.limit(whole, key);
            double above = (double) whole.countAbove(value) / Math.max(1, whole.count());
            double[] excess = Recurring.without(Batches.excess(seconds, whole, key));
            return new Guard(1 - above, excess);
        });
    }

    /** The percentile itself first, then the lower ones that vary. */
    private List<Guard> guardsUpTo(double percentile) {
        QuantileInterval.requireInside(percentile);
        return DoubleStream.concat(
                        DoubleStream.of(percentile),
                        GUARDS.stream()
                                .mapToDouble(guard -> guard)
                                .filter(guard -> guard < percentile && !isSteady(guard)))
                .mapToObj(this::guard)
                .toList();
    }

    /** Whether a percentile hardly moves. Tiny movements look like long memory but are irrelevant. */
    private boolean isSteady(double percentile) {
        return PercentileRange.of(tenths, percentile)
                .filter(PercentileRange::isSlight)
                .isPresent();
    }

    /**
     * How long requests depend on each other, judged at this percentile and the lower ones.
     *
     * @param percentile above 0, below 100
     */
    public Memory memory(double percentile) {
        return guardsUpTo(percentile).stream()
                .skip(isSteady(percentile) ? 1 : 0)
                .map(guard -> guard.memory)
                .reduce(new Memory(1, 0), Memory::and);
    }

    /**
     * The number of seconds over which the level of the run wanders, judged at the median, p90 and this percentile
     * together; the whole run if it has fewer than ten independent parts.
     *
     * @param percentile above 0, below 100
     */
    public int wanderingSeconds(double percentile) {
        List<double[]> series = DoubleStream.of(50, 90, percentile)
                .distinct()
                .filter(each -> !isSteady(each))
                .mapToObj(each -> guard(each).excess)
                .toList();
        int size = series.isEmpty() ? 1 : Batches.size(series);
        return size == 0 ? seconds.size() : size;
    }

    private Scatter scatter(double percentile) {
        return scatters.computeIfAbsent(percentile, this::newScatter);
    }

    private Scatter newScatter(double percentile) {
        int size = memory(percentile).stretches();
        List<Batches> batches = new ArrayList<>();
        List<Double> inflations = new ArrayList<>();
        double n = whole.count();
        for (Guard guard : guardsUpTo(percentile)) {
            Batches cut = Batches.of(guard.excess, size);
            double binomial = n * guard.shareBelow * (1 - guard.shareBelow);
            batches.add(cut);
            inflations.add(binomial > 0 ? Math.max(1, cut.variance() / binomial) : 1);
        }
        return new Scatter(n, percentile / 100, batches, inflations);
    }

    /** The scatter of the batches at a percentile and the lower ones. */
    private record Scatter(double count, double p, List<Batches> batches, List<Double> inflations) {
        /** The effective count for a run {@code longer} times as long. */
        double effectiveCount(double halfError, double longer) {
            double z = Normal.quantile(1 - halfError);
            double price = 1;
            for (int i = 0; i < batches.size(); i++) {
                double t = StudentT.quantile(1 - halfError, batches.get(i).freedom(longer));
                price = Math.max(price, inflations.get(i) * (t / z) * (t / z));
            }
            return count * longer / price;
        }

        double low(double n, double halfError) {
            // as for independent values: this many would have to exceed the percentile by chance
            if (Math.pow(1 - p, n) > halfError) {
                return 0;
            }
            double reach = p - Beta.quantile(halfError, p * n, n - p * n + 1);
            return p - reach * batches.get(0).lowerStretch(halfError);
        }

        /** The share at the upper end; 1 or more if there is none. */
        double high(double halfError, double longer) {
            return high(effectiveCount(halfError, longer), halfError, longer);
        }

        double high(double n, double halfError, double longer) {
            if (Math.pow(p, n) > halfError) {
                return 1;
            }
            double stretch = batches.stream()
                    .mapToDouble(each -> each.upperStretch(halfError, longer))
                    .max()
                    .orElse(1);
            return p + (Beta.quantile(1 - halfError, p * n + 1, n - p * n) - p) * stretch;
        }
    }

    /**
     * The 95 % interval of a percentile.
     *
     * @param percentile above 0, below 100
     */
    public QuantileInterval at(double percentile) {
        return at(percentile, QuantileInterval.CONFIDENCE);
    }

    /**
     * The interval of a percentile with a given confidence, such as for one of several looks at a run.
     *
     * @param percentile above 0, below 100
     * @param confidence from 0.5, below 1
     */
    public QuantileInterval at(double percentile, double confidence) {
        if (!(confidence >= 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("confidence must be from 0.5 and below 1, but was " + confidence);
        }
        double halfError = (1 - confidence) / 2;
        Scatter scatter = scatter(percentile);
        double effective = scatter.effectiveCount(halfError, 1);
        OptionalLong low = OptionalLong.empty();
        OptionalLong high = OptionalLong.empty();
        if (whole.count() > 0) {
            double lowShare = scatter.low(effective, halfError);
            double highShare = scatter.high(effective, halfError, 1);
            low = lowShare <= 0 ? low : OptionalLong.of(QuantileInterval.lowestAt(whole, rank(lowShare)));
            high = highShare >= 1 ? high : OptionalLong.of(whole.valueAtRank(rank(highShare)));
            Optional<PercentileRange> still = PercentileRange.of(tenths, percentile)
                    .filter(moved ->
                            moved.isSlight() && guard(percentile).memory.isTooLong());
            if (still.isPresent()) {
                long least = Math.round(Math.exp(still.get().leastLog()));
                long most = Math.round(Math.exp(still.get().mostLog()));
                low = OptionalLong.of(Math.max(least, low.orElse(least)));
                high = OptionalLong.of(Math.min(most, high.orElse(most)));
            }
        }
        return new QuantileInterval(percentile, whole.valueAtPercentile(percentile), low, high, effective);
    }

    private long rank(double share) {
        return Math.max(1, (long) Math.ceil(share * whole.count()));
    }

    /**
     * The number of stretches that a run like this needs for an upper end at a percentile and for ten times its memory.
     *
     * @param percentile above 0, below 100
     * @return more than the run has if the interval has no upper end
     */
    public long stretchesNeeded(double percentile) {
        Scatter scatter = scatter(percentile);
        double longer = 1;
        if (at(percentile).highNanos().isEmpty() && scatter.high(HALF_ERROR, 1) >= 1) {
            double few = 1;
            double enough = 2;
            while (enough < LONGEST && scatter.high(HALF_ERROR, enough) >= 1) {
                few = enough;
                enough *= 2;
            }
            while (enough / few > 1.01) {
                double middle = Math.sqrt(few * enough);
                if (scatter.high(HALF_ERROR, middle) >= 1) {
                    few = middle;
                } else {
                    enough = middle;
                }
            }
            longer = RESERVE * enough;
        }
        return Math.max(
                (long) Math.ceil(longer * seconds.size()), memory(percentile).stretchesNeeded());
    }

    /**
     * A periodic effect in a run, such as a collection every five seconds. It will recur as often in the next run, so it
     * does not add to the random variation between runs. It is found by folding the run (Leahy et al.: On searches for
     * pulsed emission, Astrophys. J. 266, 1983). Nearly every period must show it, since a few rare events fit some period
     * by chance.
     */
    static final class Recurring {
        /** Fewer equal steps may be chance. */
        private static final int LEAST_PERIODS = 5;

        /** The least share of periods that show the effect. */
        private static final double MOST = 0.9;

        /** The probability of a false detection over all periods tried. */
        private static final double ERROR = 0.001;

        private static final double LEAST_LENGTH = 2;

        /** Longer runs estimate frequencies by their batches, and folding them would take long. */
        private static final int MOST_STRETCHES = 120;

        private Recurring() {}

        /** The excess of each stretch without the periodic part; the same array if nothing recurs. */
        static double[] without(double[] excess) {
            int n = excess.length;
            double squares = Arrays.stream(excess).map(each -> each * each).sum();
            if (squares == 0 || n > MOST_STRETCHES) {
                return excess;
            }
            Optional<Fold> best = Optional.empty();
            double most = 0;
            int tried = 0;
            // fine enough for the phase to be off by at most a quarter of a stretch at the end of the run
            double finer = 1 + 0.25 / n;
            for (double length = LEAST_LENGTH; length <= (double) n / LEAST_PERIODS; length *= finer) {
                Fold fold = Fold.of(excess, length);
                double fit = fold.fit(squares, n);
                if (fit > most && fold.isInNearlyEach(excess)) {
                    best = Optional.of(fold);
                    most = fit;
                }
                tried++;
            }
            double error = ERROR / Math.max(1, tried);
            return best.filter(fold -> fold.chance(squares, n) <= error)
                    .map(fold -> fold.left(excess))
                    .orElse(excess);
        }

        /** Mean of each phase, and the sum of squares that the phases explain. */
        private record Fold(double length, double[] means, double explained) {
            static Fold of(double[] excess, double length) {
                double[] sums = new double[(int) Math.round(length)];
                int[] counts = new int[sums.length];
                for (int i = 0; i < excess.length; i++) {
                    int phase = phase(i, length, sums.length);
                    sums[phase] += excess[i];
                    counts[phase]++;
                }
                double explained = 0;
                for (int i = 0; i < sums.length; i++) {
                    sums[i] /= Math.max(1, counts[i]);
                    explained += sums[i] * sums[i] * counts[i];
                }
                return new Fold(length, sums, explained);
            }

            private static int phase(int i, double length, int phases) {
                return (int) (i / length * phases) % phases;
            }

            /** The F statistic of the fold. */
            double fit(double squares, int n) {
                return explained
                        / (means.length - 1)
                        * (n - means.length)
                        / Math.max(squares - explained, 1e-9 * squares);
            }

            /** The probability that a fold explains this much by chance, by the F distribution. */
            double chance(double squares, int n) {
                double share = Math.min(1, explained / squares);
                return 1 - Beta.cdf(share, (means.length - 1) / 2.0, (n - means.length) / 2.0);
            }

            /** Whether nearly every period exceeds its share at the peak phase or next to it. */
            boolean isInNearlyEach(double[] excess) {
                int most = 0;
                for (int i = 0; i < means.length; i++) {
                    most = means[i] > means[most] ? i : most;
                }
                int peaks = 0;
                int rounds = 0;
                for (double at = (most + 0.5) / means.length * length; at < excess.length; at += length) {
                    int from = Math.max(0, (int) at - 1);
                    int to = Math.min(excess.length, (int) at + 2);
                    peaks += isAnyAbove(excess, from, to) ? 1 : 0;
                    rounds++;
                }
                return peaks >= MOST * rounds;
            }

            private static boolean isAnyAbove(double[] excess, int from, int to) {
                for (int i = from; i < to; i++) {
                    if (excess[i] > 0) {
                        return true;
                    }
                }
                return false;
            }

            /** The residuals, enlarged because the phase means follow random variation too. */
            double[] left(double[] excess) {
                double n = excess.length;
                double wider = Math.sqrt(n / (n - means.length));
                double[] left = new double[excess.length];
                for (int i = 0; i < left.length; i++) {
                    left[i] = wider * (excess[i] - means[phase(i, length, means.length)]);
                }
                return left;
            }
        }
    }

    /**
     * A confidence interval of the mean, for requests that wait together. The mean is a ratio of sums over batches in time,
     * whose scatter gives its variance. Immutable.
     *
     * @param meanNanos the mean of all requests
     * @param lowNanos the lower end, at least 0
     * @param highNanos the upper end
     * @see <a href="https://doi.org/10.1002/9780470316481">Cochran: Sampling Techniques, 1977, 6.4</a>
     */
    public record MeanInterval(double meanNanos, double lowNanos, double highNanos) {
        /**
         * The interval of a run.
         *
         * @param seconds times in stretches of equal length; at least {@link RunIntervals#LEAST_SECONDS}, not all empty
         * @param confidence from 0.5, below 1
         */
        public static MeanInterval of(List<Distribution> seconds, double confidence) {
            double count = seconds.stream().mapToLong(Distribution::count).sum();
            if (seconds.size() < RunIntervals.LEAST_SECONDS || count == 0) {
                throw new IllegalArgumentException("there must be at least " + RunIntervals.LEAST_SECONDS
                        + " stretches with at least one value, but there were " + seconds.size());
            }
            double mean = seconds.stream().mapToDouble(MeanInterval::sum).sum() / count;
            double[] excess = seconds.stream()
                    .mapToDouble(second -> sum(second) - mean * second.count())
                    .toArray();
            Batches batches = Batches.of(excess, Memory.of(excess).stretches());
            double halfError = (1 - confidence) / 2;
            double reach = Math.sqrt(batches.variance()) / count * StudentT.quantile(1 - halfError, batches.freedom(1));
            double upper = reach * batches.upperStretch(halfError, 1);
            return new MeanInterval(mean, Math.max(0, mean - reach), mean + upper);
        }

        /** The 95 % interval for independent values, by their scatter; for at least two. */
        public static MeanInterval ofIndependent(Distribution values) {
            double mean = values.sumNanos() / values.count();
            double[] squares = {0};
            values.forEach((nanos, count) -> squares[0] += count * (nanos - mean) * (nanos - mean));
            double freedom = values.count() - 1;
            double reach =
                    Math.sqrt(squares[0] / freedom / values.count()) * StudentT.quantile(1 - HALF_ERROR, freedom);
            return new MeanInterval(mean, Math.max(0, mean - reach), mean + reach);
        }

        private static double sum(Distribution batch) {
            return (double) batch.meanNanos() * batch.count();
        }
    }
}
