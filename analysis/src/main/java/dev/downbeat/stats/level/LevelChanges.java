package dev.downbeat.stats.level;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Batches;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.RunIntervals;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * The lasting changes of a percentile in a history of builds. Builds vary more than their own runs show, because of
 * machines, neighbours and memory layout. The noise is therefore estimated between builds; a run's own noise adds to
 * it. A change needs at least two runs on each side. Immutable.
 */
public final class LevelChanges {
    /** The least number of builds. */
    public static final int LEAST_BUILDS = 6;

    /** Only the newest builds up to this number count; more would take long without gain. */
    public static final int MOST_BUILDS = 500;

    /**
     * The 95 % quantile of a change's location (Hansen: Sample splitting and threshold estimation, Econometrica 68,
     * 2000).
     */
    private static final double PLACE = 7.35;

    /** The most that a build counts, as a share of a change's price: a change needs two at the end, else four. */
    private static final double MOST_SHARE = 0.8;

    /** A line has one parameter less than two levels with their location, so it must fit better by this margin. */
    private static final double LINE_MARGIN = 2;

    private static final double POWER = 0.84;

    /** Parameters that a change counts for against a random walk: with this many it may be a change ... */
    private static final int LEAST_PRICE = 3;

    /** ... and with this it is one. */
    private static final int CAREFUL_PRICE = 5;

    /** Far below the resolution of times kept to three digits. */
    private static final double TINY = 1e-12;

    private static final int ROUNDS = 8;

    private final Levels levels;
    private final LevelNoise noise;
    private final double error;
    private final double price;
    private final List<Integer> begins;
    private final int scattered;
    private final List<LevelChange> changes;
    private final double[] fitted;
    private final boolean wanders;

    private LevelChanges(
            Levels levels, LevelNoise noise, double error, List<Integer> begins, int builds, boolean wanders) {
        this.levels = levels;
        this.noise = noise;
        this.error = error;
        this.price = price(builds, error);
        this.begins = begins;
        this.wanders = wanders;
        scattered = levels.scatteredFrom(begins);
        fitted = levelsOf(levels, begins, builds);
        changes = found();
    }

    /**
     * Searches for changes.
     *
     * @param builds builds in order of time, {@link #LEAST_BUILDS} to {@link #MOST_BUILDS}, each with at least one run
     * @param error probability of a false change, above 0 and below 1
     */
    public static LevelChanges of(List<List<LevelRun>> builds, double error) {
        int n = builds.size();
        if (n < LEAST_BUILDS || n > MOST_BUILDS) {
            throw new IllegalArgumentException(
                    "builds must be " + LEAST_BUILDS + " to " + MOST_BUILDS + ", but were " + n);
        }
        Search search = new Search(builds, error);
        LevelChanges found = search.from(LevelNoise.ofNeighbours(builds));
        if (found.begins.size() == 1) {
            // with few builds, neighbours overestimate the noise; the best two levels may leave less
            found = search.fromTwoLevels();
        }
        if (found.begins.size() == 1 || !search.wanders(found, CAREFUL_PRICE)) {
            return found;
        }
        return search.wanders(found, LEAST_PRICE) ? search.asOneLevel() : found.asWandering();
    }

    /** The price of a change: the square of the greatest t of a history without one. */
    private static double price(int builds, double error) {
        double t = MostT.limit(builds, error);
        return t * t;
    }

    private LevelChanges asWandering() {
        return new LevelChanges(levels, noise, error, begins, fitted.length, true);
    }

    /** Estimates levels and noise alternately, since each depends on the other. */
    private static final class Search {
        private final List<List<LevelRun>> builds;
        private final double[] values;
        private final int[] runs;
        private final double error;
        private final double price;
        private final double most;
        private final int n;

        Search(List<List<LevelRun>> builds, double error) {
            this.builds = builds;
            this.error = error;
            values = LevelNoise.means(builds);
            runs = builds.stream().mapToInt(List::size).toArray();
            n = values.length;
            price = LevelChanges.price(n, error);
            most = MOST_SHARE * price;
        }

        private Levels levels(LevelNoise noise) {
            return new Levels(values, noise.variances(), runs, most);
        }

        LevelChanges from(LevelNoise first) {
            LevelNoise noise = first;
            Levels levels = levels(noise);
            List<Integer> begins = levels.begins(price);
            for (int round = 0; round < ROUNDS; round++) {
                noise = around(noise, levels, begins);
                levels = levels(noise);
                List<Integer> again = levels.begins(price);
                boolean isSettled = again.equals(begins);
                begins = again;
                if (isSettled) {
                    break;
                }
            }
            return new LevelChanges(levels, noise, error, begins, n, false);
        }

        private LevelNoise around(LevelNoise noise, Levels levels, List<Integer> begins) {
            int scattered = levels.scatteredFrom(begins);
            double[] even = Arrays.copyOf(residuals(levelsOf(levels, begins, n)), scattered);
            return noise.fitted(even, freedom(begins, scattered));
        }

        private double[] residuals(double[] fitted) {
            return IntStream.range(0, n).mapToDouble(i -> values[i] - fitted[i]).toArray();
        }

        LevelChanges fromTwoLevels() {
            LevelNoise noise = LevelNoise.ofNeighbours(builds);
            Levels levels = levels(noise);
            int best = IntStream.range(1, n)
                    .boxed()
                    .min(Comparator.comparingDouble(at -> twoLevels(at)))
                    .orElse(1);
            return from(around(noise, levels, List.of(0, best)));
        }

        /** The residual sum of squares with two levels; infinite where one has too few runs. */
        private double twoLevels(int at) {
            int before = Arrays.stream(runs, 0, at).sum();
            int after = Arrays.stream(runs, at, n).sum();
            return Math.min(before, after) < Levels.LEAST_RUNS
                    ? Double.POSITIVE_INFINITY
                    : Series.squares(Arrays.copyOf(values, at)) + Series.squares(Arrays.copyOfRange(values, at, n));
        }

        /**
         * Whether an autoregressive series fits better than the levels, by Schwarz's criterion.
         *
         * @param each number of parameters per change: its size, and its location, chosen among many
         */
        boolean wanders(LevelChanges found, int each) {
            double apart = most * found.noise() * found.noise(); // an outlier is no evidence for either
            double ofLevels = Arrays.stream(residuals(found.fitted))
                    .map(off -> Math.min(off * off, apart))
                    .sum();
            double mean = Series.mean(values);
            double products = 0;
            double squares = 0;
            for (int i = 1; i < n; i++) {
                products += (values[i] - mean) * (values[i - 1] - mean);
                squares += (values[i - 1] - mean) * (values[i - 1] - mean);
            }
            double kept = squares > 0 ? products / squares : 0;
            double ofMemory = 0;
            for (int i = 1; i < n; i++) {
                double off = values[i] - mean - kept * (values[i - 1] - mean);
                ofMemory += off * off;
            }
            double numbers = each * found.changes.size();
            return n * Math.log(Math.max(TINY, ofLevels) / n) + numbers * Math.log(n)
                    > n * Math.log(Math.max(TINY, ofMemory) / (n - 1)) + Math.log(n);
        }

        LevelChanges asOneLevel() {
            LevelNoise first = LevelNoise.ofNeighbours(builds);
            LevelNoise noise = around(first, levels(first), List.of(0));
            return new LevelChanges(levels(noise), noise, error, List.of(0), n, true);
        }
    }

    /** The number of builds less that of levels, without a scattered level, which is no evidence about the noise. */
    private static int freedom(List<Integer> begins, int scattered) {
        return scattered
                - (int) begins.stream().filter(begin -> begin < scattered).count();
    }

    private static double[] levelsOf(Levels levels, List<Integer> begins, int builds) {
        int scattered = levels.scatteredFrom(begins);
        double[] fitted = new double[builds];
        for (int i = 0; i < begins.size(); i++) {
            int end = i + 1 < begins.size() ? begins.get(i + 1) : builds;
            double level = begins.get(i) == scattered
                    ? levels.span(scattered, builds).middle()
                    : levels.level(begins.get(i), end);
            Arrays.fill(fitted, begins.get(i), end, level);
        }
        return fitted;
    }

    private int end(int level) {
        return level + 1 < begins.size() ? begins.get(level + 1) : fitted.length;
    }

    /** Consecutive steps in one direction may be a drift. */
    private List<LevelChange> found() {
        List<LevelChange> found = new ArrayList<>();
        int first = 1;
        while (first < begins.size()) {
            int last = first;
            while (last + 1 < begins.size() && isRise(last + 1) == isRise(first)) {
                last++;
            }
            int from = begins.get(first - 1);
            int to = end(last);
            double steps = (last - first) * price;
            for (int level = first - 1; level <= last; level++) {
                steps += level > 0 && level + 1 == begins.size()
                        ? levels.lastCost(begins.get(level - 1), begins.get(level))
                        : levels.cost(begins.get(level), end(level));
            }
            Levels.Line line = levels.line(from, to);
            if (line.cost(from, to) + LINE_MARGIN < steps) {
                found.add(drift(line, from, to));
            } else {
                for (int level = first; level <= last; level++) {
                    found.add(step(level));
                }
            }
            first = last + 1;
        }
        return found;
    }

    private boolean isRise(int level) {
        return fitted[begins.get(level)] > fitted[begins.get(level) - 1];
    }

    private LevelChange step(int level) {
        int from = begins.get(level - 1);
        int at = begins.get(level);
        int to = end(level);
        if (at == scattered) {
            return scatteredStep(from);
        }
        double best = levels.cost(from, at) + levels.cost(at, to);
        int[] may = IntStream.range(from + 1, to)
                .filter(place -> levels.cost(from, place) + levels.cost(place, to) <= best + PLACE)
                .toArray();
        double deviation = Math.sqrt(levels.variance(from, at) + levels.variance(at, to));
        return new LevelChange(at, may[0], may[may.length - 1], at, fitted[at - 1], fitted[at], deviation * reach());
    }

    /** The interval spans the scattered values, plus the noise of a single build. */
    private LevelChange scatteredStep(int from) {
        Levels.Span span = levels.span(scattered, fitted.length);
        double most = Arrays.stream(noise.variances()).skip(scattered).max().orElseThrow();
        double deviation = Math.sqrt(levels.variance(from, scattered) + most);
        return new LevelChange(
                scattered,
                scattered,
                scattered,
                scattered,
                fitted[scattered - 1],
                span.middle(),
                span.greatest() - span.middle() + deviation * reach());
    }

    private LevelChange drift(Levels.Line line, int from, int to) {
        int last = to - 1;
        for (int i = from; i < to; i++) {
            fitted[i] = line.at(i);
        }
        double reach = (last - from) * Math.sqrt(line.slopeVariance) * reach();
        return new LevelChange(from, from, last, last, line.at(from), line.at(last), reach);
    }

    private double reach() {
        return StudentT.quantile(0.975, Math.max(1, freedom(begins, scattered)));
    }

    /**
     * The factor over the level visible with known normal noise. Single builds count up to a limit only, and few builds
     * show the noise poorly. Fitted to simulated histories of 8 to 50 builds.
     */
    private static double surplus(int further) {
        return 1 + 0.18 / further;
    }

    /** The changes in order of time. */
    public List<LevelChange> changes() {
        return List.copyOf(changes);
    }

    /**
     * Whether each build resembles its predecessors with slowly fading memory, so that apparent levels come and go. If
     * that explains the history better than changes, no change is reported.
     */
    public boolean wanders() {
        return wanders;
    }

    public double level(int build) {
        return fitted[build];
    }

    /** Outliers: builds far from their level that do not form one of their own. */
    public List<Integer> outliers() {
        return IntStream.range(0, scattered)
                .filter(build -> !levels.isWithin(build, fitted[build]))
                .boxed()
                .toList();
    }

    /** The variation between builds without changes, as a relative standard deviation of a usual build. */
    public double noise() {
        return Math.sqrt(Series.median(noise.variances()));
    }

    /** The part of {@link #noise} seen within runs, or between runs of one build; empty if all runs are too short. */
    public OptionalDouble noiseWithin() {
        OptionalDouble variance = noise.usualWithin();
        return variance.isPresent() ? OptionalDouble.of(Math.sqrt(variance.getAsDouble())) : variance;
    }

    /**
     * The change that would be found with a probability of 80 % after this many further builds; 0.1 is 10 % slower.
     *
     * @param further at least 1: the first build with the change is one of them
     */
    public double visible(int further) {
        int before = fitted.length - begins.get(begins.size() - 1);
        double deviation = noise() * Math.sqrt(1.0 / further + 1.0 / before);
        double needed = MostT.limit(fitted.length + further, error) + POWER;
        return Math.expm1(surplus(further) * needed * deviation);
    }

    /**
     * The greatest t statistic over all cuts of a series without a change. The statistics of different cuts are dependent,
     * so Bonferroni's limit is too high. This limit is simulated with a fixed seed. Thread-safe.
     */
    private static final class MostT {
        private static final int DRAWS = 20_000;
        private static final long SEED = 0x3a17;
        private static final int LEAST = 2;

        private static final Map<Integer, double[]> KNOWN = new ConcurrentHashMap<>();

        private MostT() {}

        /** The value exceeded with probability {@code error}, above 0 and below 1, in a series of at least 4 values. */
        static double limit(int values, double error) {
            double[] drawn = KNOWN.computeIfAbsent(values, MostT::drawn);
            return drawn[Math.min(DRAWS - 1, (int) Math.ceil((1 - error) * DRAWS) - 1)];
        }

        private static double[] drawn(int values) {
            SplittableRandom random = new SplittableRandom(SEED);
            double[] series = new double[values];
            double[] most = new double[DRAWS];
            for (int draw = 0; draw < DRAWS; draw++) {
                for (int i = 0; i < values; i++) {
                    series[i] = random.nextGaussian();
                }
                most[draw] = most(series);
            }
            Arrays.sort(most);
            return most;
        }

        private static double most(double[] series) {
            int n = series.length;
            double mean = Series.mean(series);
            double squares = Series.squares(series);
            double sum = 0;
            double explained = 0;
            for (int before = 1; before <= n - LEAST; before++) {
                sum += series[before - 1] - mean;
                if (before >= LEAST) {
                    explained = Math.max(explained, sum * sum * n / ((double) before * (n - before)));
                }
            }
            return Math.sqrt(explained / (squares - explained) * (n - 2));
        }
    }

    /**
     * The variation between unchanged builds: within their runs, between runs of one build, and between neighbouring builds
     * beyond that. Variances of logarithms. Immutable.
     */
    public static final class LevelNoise {
        /** The least variance, since times are kept to three digits. */
        private static final double LEAST = 1e-6;

        /** The most that a residual counts, in variances: with more, one outlier passes for noise in a short history. */
        private static final double MOST_SQUARE = 4;

        /** The expected square of a normal residual in variances, counted up to {@link #MOST_SQUARE}. */
        private static final double USUAL_SQUARE = 0.9205;

        private final double[] within;
        private final double between;
        private final boolean isWithinKnown;

        private LevelNoise(double[] within, double between, boolean isWithinKnown) {
            this.within = within;
            this.between = between;
            this.isWithinKnown = isWithinKnown;
        }

        /** The noise estimated from neighbours, which a few changes do not inflate. */
        public static LevelNoise ofNeighbours(List<List<LevelRun>> builds) {
            double[] means = means(builds);
            double[] within = within(builds);
            double[] steps = new double[Math.max(1, means.length - 1)];
            for (int i = 0; i + 1 < means.length; i++) {
                steps[i] = Math.abs(means[i + 1] - means[i]);
            }
            double sigma = Series.TO_SIGMA * Series.median(steps);
            return new LevelNoise(
                    within, Math.max(0, sigma * sigma / 2 - Series.median(within)), isWithinKnown(builds));
        }

        /** Whether any run is long enough to show its own variation, or any build has several runs. */
        private static boolean isWithinKnown(List<List<LevelRun>> builds) {
            return builds.stream()
                    .anyMatch(
                            runs -> runs.size() > 1 || runs.stream().anyMatch(run -> Double.isFinite(run.deviation())));
        }

        static double[] means(List<List<LevelRun>> builds) {
            return builds.stream()
                    .mapToDouble(runs ->
                            runs.stream().mapToDouble(LevelRun::log).average().orElse(0))
                    .toArray();
        }

        /** The variance within each build. If builds have several runs, their scatter counts for all. */
        private static double[] within(List<List<LevelRun>> builds) {
            double squares = 0;
            int freedom = 0;
            for (List<LevelRun> runs : builds) {
                squares +=
                        Series.squares(runs.stream().mapToDouble(LevelRun::log).toArray());
                freedom += runs.size() - 1;
            }
            double repeats = freedom == 0 ? 0 : squares / freedom;
            double[] own = builds.stream()
                    .flatMap(List::stream)
                    .mapToDouble(run -> run.deviation() * run.deviation())
                    .filter(Double::isFinite)
                    .toArray();
            double usual = own.length == 0 ? 0 : Series.median(own);
            return builds.stream()
                    .mapToDouble(runs -> Math.max(
                                    repeats,
                                    runs.stream()
                                            .mapToDouble(run -> run.deviation() * run.deviation())
                                            .map(each -> Double.isFinite(each) ? each : usual)
                                            .average()
                                            .orElse(usual))
                            / runs.size())
                    .toArray();
        }

        /** The usual variance within builds; empty if none shows it. */
        public OptionalDouble usualWithin() {
            return isWithinKnown ? OptionalDouble.of(Series.median(within)) : OptionalDouble.empty();
        }

        public double[] variances() {
            return Arrays.stream(within)
                    .map(each -> Math.max(LEAST, each + between))
                    .toArray();
        }

        /**
         * The same noise with the variance between builds adjusted to the residuals (Paule, Mandel: Consensus values and
         * weighting factors, J. Res. Natl. Bur. Stand. 87, 1982). Large residuals count up to a limit (Huber: Robust
         * estimation of a location parameter, proposal 2, Ann. Math. Stat. 35, 1964).
         *
         * @param residuals distance of each build from its level
         * @param freedom number of builds less number of levels
         */
        public LevelNoise fitted(double[] residuals, int freedom) {
            double low = 0;
            double high = 1;
            for (int i = 0; i < 60; i++) {
                double middle = (low + high) / 2;
                if (limitedSquares(residuals, middle) > USUAL_SQUARE * freedom) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return new LevelNoise(within, (low + high) / 2, isWithinKnown);
        }

        private double limitedSquares(double[] residuals, double between) {
            double sum = 0;
            for (int i = 0; i < residuals.length; i++) {
                double variance = Math.max(LEAST, within[i] + between);
                sum += Math.min(residuals[i] * residuals[i] / variance, MOST_SQUARE);
            }
            return sum;
        }
    }

    /**
     * A percentile of one run.
     *
     * @param log natural logarithm of its nanoseconds
     * @param deviation standard deviation of that logarithm within the run; {@code NaN} if the run was too short
     */
    public record LevelRun(double log, double deviation) {
        private static final double Z = 1.96;

        /**
         * Reads the percentile of a run.
         *
         * @param stretches recordings of a second or more each, in order
         * @param percentile above 0, below 100
         */
        public static LevelRun of(List<Distribution> stretches, double percentile) {
            if (stretches.size() < Batches.LEAST) {
                return new LevelRun(Series.log(Distribution.sum(stretches).valueAtPercentile(percentile)), Double.NaN);
            }
            QuantileInterval interval = RunIntervals.ofAny(stretches).at(percentile);
            double log = Series.log(interval.valueNanos());
            double below = interval.lowNanos().isPresent()
                    ? log - Series.log(interval.lowNanos().getAsLong())
                    : Double.NaN;
            double above = interval.highNanos().isPresent()
                    ? Series.log(interval.highNanos().getAsLong()) - log
                    : below;
            return new LevelRun(log, (Double.isNaN(below) ? above : (below + above) / 2) / Z);
        }
    }
}
