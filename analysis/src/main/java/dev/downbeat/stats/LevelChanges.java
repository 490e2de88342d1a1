package dev.downbeat.stats;

import java.util.ArrayList;
import java.util.Arrays;
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
    private static final double MOST_SHARE = 0.6;

    /** A line has one number less than two levels and their place; it must be better by more to be believed. */
    private static final double LINE_MARGIN = 2;

    private static final double POWER = 0.84;
    private static final int ROUNDS = 8;

    private final Levels levels;
    private final LevelNoise noise;
    private final double price;
    private final List<Integer> begins;
    private final List<LevelChange> changes;
    private final double[] fitted;

    private LevelChanges(Levels levels, LevelNoise noise, double price, List<Integer> begins, int builds) {
        this.levels = levels;
        this.noise = noise;
        this.price = price;
        this.begins = begins;
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
        double[] values = LevelNoise.means(builds);
        int[] runs = builds.stream().mapToInt(List::size).toArray();
        double t = StudentT.quantile(1 - error / 2 / (n - 1), n - 1);
        double price = t * t;
        double most = MOST_SHARE * price;
        LevelNoise noise = LevelNoise.ofNeighbours(builds);
        Levels levels = new Levels(values, noise.variances(), runs, most);
        List<Integer> begins = levels.begins(price);
        for (int round = 0; round < ROUNDS; round++) {
            double[] fitted = levelsOf(levels, begins, n);
            double[] residuals = IntStream.range(0, n)
                    .mapToDouble(i -> values[i] - fitted[i])
                    .toArray();
            noise = noise.fitted(residuals, Math.sqrt(most), n - begins.size());
            levels = new Levels(values, noise.variances(), runs, most);
            List<Integer> again = levels.begins(price);
            boolean isSettled = again.equals(begins);
            begins = again;
            if (isSettled) {
                break;
            }
        }
        return new LevelChanges(levels, noise, price, begins, n);
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

    /** In the order of time. */
    public List<LevelChange> changes() {
        return List.copyOf(changes);
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
        return Math.expm1((Math.sqrt(price) + POWER) * deviation);
    }
}
