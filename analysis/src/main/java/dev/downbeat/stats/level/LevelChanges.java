package dev.downbeat.stats.level;

import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where a percentile changed for good in a history of builds, and by how much. Builds differ by more than their own runs say
 * (another machine, another neighbour, another placement in memory), so the noise is that between builds, as the history
 * shows it; a run that was long counts more than one that was short as far as its own noise matters. A change needs two
 * runs at least on each side of it. Immutable.
 */
public final class LevelChanges {
    /** With fewer builds nothing can be told. */
    public static final int LEAST_BUILDS = 6;

    /** More would take long and tell no more: the newest count. */
    public static final int MOST_BUILDS = 500;

    /** The greatest 95 % of a change's place (Hansen: Sample splitting and threshold estimation, Econometrica 68, 2000). */
    private static final double PLACE = 7.35;

    /** Of the price of a change: what one build may count at most, so that it needs two at the end and four between. */
    private static final double MOST_SHARE = 0.8;

    /** A line has one number less than two levels and their place; it must be better by more to be believed. */
    private static final double LINE_MARGIN = 2;

    private static final double POWER = 0.84;

    /** What a change counts for beside a memory of the builds: with this it may be one ... */
    private static final int LEAST_PRICE = 3;

    /** ... and with this it is one. */
    private static final int CAREFUL_PRICE = 5;

    /** Far below what times kept to three digits tell apart. */
    private static final double TINY = 1e-12;

    private static final int ROUNDS = 8;

    private final Levels levels;
    private final LevelNoise noise;
    private final double error;
    private final double price;
    private final List<Integer> begins;
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
        fitted = levelsOf(levels, begins, builds);
        changes = found();
    }

    /**
     * Looks for changes.
     *
     * @param builds in the order of time, {@link #LEAST_BUILDS} to {@link #MOST_BUILDS}, each with its runs, at least one
     * @param error how often one is found where there is none, above 0 and below 1
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
            // neighbours tell little of the noise of few builds: seen from the best two levels it may be less
            found = search.fromTwoLevels();
        }
        if (found.begins.size() == 1 || !search.wanders(found, CAREFUL_PRICE)) {
            return found;
        }
        return search.wanders(found, LEAST_PRICE) ? search.asOneLevel() : found.asWandering();
    }

    /** What a change must save: the square of the greatest t that a history without one has by chance. */
    private static double price(int builds, double error) {
        double t = MostT.limit(builds, error);
        return t * t;
    }

    private LevelChanges asWandering() {
        return new LevelChanges(levels, noise, error, begins, fitted.length, true);
    }

    /** The levels and the noise around them follow from each other. */
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
            return noise.fitted(residuals(levelsOf(levels, begins, n)), Math.sqrt(most), n - begins.size());
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

        /** What is left of two levels, in squares; infinite where one has too few runs. */
        private double twoLevels(int at) {
            int before = Arrays.stream(runs, 0, at).sum();
            int after = Arrays.stream(runs, at, n).sum();
            return Math.min(before, after) < Levels.LEAST_RUNS
                    ? Double.POSITIVE_INFINITY
                    : Series.squares(Arrays.copyOf(values, at)) + Series.squares(Arrays.copyOfRange(values, at, n));
        }

        /**
         * Whether builds that remember the ones before explain the series better than the levels do (Schwarz's criterion).
         *
         * @param each how many numbers a change counts for: its height, and its place, which was chosen among many
         */
        boolean wanders(LevelChanges found, int each) {
            double apart = most * found.noise() * found.noise(); // a build that lies apart says nothing of either
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

    private static double[] levelsOf(Levels levels, List<Integer> begins, int builds) {
        double[] fitted = new double[builds];
        for (int i = 0; i < begins.size(); i++) {
            int end = i + 1 < begins.size() ? begins.get(i + 1) : builds;
            Arrays.fill(fitted, begins.get(i), end, levels.level(begins.get(i), end));
        }
        return fitted;
    }

    private int end(int level) {
        return level + 1 < begins.size() ? begins.get(level + 1) : fitted.length;
    }

    /** Steps that follow each other in one direction may be a drift. */
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
                steps += levels.cost(begins.get(level), end(level));
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
        double best = levels.cost(from, at) + levels.cost(at, to);
        int[] may = IntStream.range(from + 1, to)
                .filter(place -> levels.cost(from, place) + levels.cost(place, to) <= best + PLACE)
                .toArray();
        double deviation = Math.sqrt(levels.variance(from, at) + levels.variance(at, to));
        return new LevelChange(at, may[0], may[may.length - 1], at, fitted[at - 1], fitted[at], deviation * reach());
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
        return StudentT.quantile(0.975, Math.max(1, fitted.length - begins.size()));
    }

    /**
     * So many times what normal noise that is known would need: single builds count no more than a limit, and the noise is known
     * from few builds. Fitted to simulated histories of 8 to 50 builds.
     */
    private static double surplus(int further) {
        return 1 + 0.18 / further;
    }

    /** In the order of time. */
    public List<LevelChange> changes() {
        return List.copyOf(changes);
    }

    /**
     * Whether builds seem to be like those before them and to lose that little by little, so that levels which look like changes
     * come and go by themselves. Where that explains the history better than changes do, none is named.
     */
    public boolean wanders() {
        return wanders;
    }

    /** The logarithm of the level at a build. */
    public double level(int build) {
        return fitted[build];
    }

    /** Builds that lie apart from their level and make none of their own. */
    public List<Integer> apart() {
        return IntStream.range(0, fitted.length)
                .filter(build -> !levels.isWithin(build, fitted[build]))
                .boxed()
                .toList();
    }

    /** By what builds differ although nothing changed, as a share: the standard deviation of a usual one. */
    public double noise() {
        return Math.sqrt(Series.median(noise.variances()));
    }

    /** What of {@link #noise} is seen within runs, or between runs of one build. */
    public double noiseWithin() {
        return Math.sqrt(noise.usualWithin());
    }

    /**
     * Which change would be found with a probability of 80 %, had it come with so many further builds; 0.1 is a tenth slower.
     *
     * @param further at least 1: the first with the change is one of them
     */
    public double visible(int further) {
        int before = fitted.length - begins.get(begins.size() - 1);
        double deviation = noise() * Math.sqrt(1.0 / further + 1.0 / before);
        double needed = MostT.limit(fitted.length + further, error) + POWER;
        return Math.expm1(surplus(further) * needed * deviation);
    }
}
