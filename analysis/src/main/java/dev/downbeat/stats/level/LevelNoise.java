package dev.downbeat.stats.level;

import dev.downbeat.stats.Series;
import java.util.Arrays;
import java.util.List;

/**
 * The variation between unchanged builds: within their runs, between runs of one build, and between neighbouring builds
 * beyond that. Variances of logarithms. Immutable.
 */
public final class LevelNoise {
    /** The least variance, since times are kept to three digits. */
    private static final double LEAST = 1e-6;

    private static final double TO_SIGMA = 1.4826;

    private final double[] within;
    private final double between;

    /**
     * Creates a noise.
     *
     * @param within variance of each build from its own runs
     * @param between additional variance between builds
     */
    private LevelNoise(double[] within, double between) {
        this.within = within;
        this.between = between;
    }

    /** The noise estimated from neighbours, which a few changes do not inflate. */
    public static LevelNoise ofNeighbours(List<List<LevelRun>> builds) {
        double[] means = means(builds);
        double[] within = within(builds);
        double[] steps = new double[Math.max(1, means.length - 1)];
        for (int i = 0; i + 1 < means.length; i++) {
            steps[i] = Math.abs(means[i + 1] - means[i]);
        }
        double sigma = TO_SIGMA * Series.median(steps);
        return new LevelNoise(within, Math.max(0, sigma * sigma / 2 - Series.median(within)));
    }

    static double[] means(List<List<LevelRun>> builds) {
        return builds.stream()
                .mapToDouble(runs ->
                        runs.stream().mapToDouble(LevelRun::log).average().orElse(0))
                .toArray();
    }

    /**
     * A single run shows little of the variation between runs. If any build has several, their scatter counts for all.
     */
    private static double[] within(List<List<LevelRun>> builds) {
        double squares = 0;
        int freedom = 0;
        for (List<LevelRun> runs : builds) {
            squares += Series.squares(runs.stream().mapToDouble(LevelRun::log).toArray());
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

    /** The usual variance within builds. */
    public double usualWithin() {
        return Series.median(within);
    }

    /** The variance of each build. */
    public double[] variances() {
        return Arrays.stream(within)
                .map(each -> Math.max(LEAST, each + between))
                .toArray();
    }

    /**
     * The same noise with the variance between builds adjusted to the residuals (Paule, Mandel: Consensus values and
     * weighting factors, J. Res. Natl. Bur. Stand. 87, 1982).
     *
     * @param residuals distance of each build from its level
     * @param most limit of a residual in standard deviations
     * @param freedom number of builds less number of levels
     */
    public LevelNoise fitted(double[] residuals, double most, int freedom) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (excess(residuals, middle, most) > freedom) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new LevelNoise(within, (low + high) / 2);
    }

    private double excess(double[] residuals, double between, double most) {
        double sum = 0;
        for (int i = 0; i < residuals.length; i++) {
            double variance = Math.max(LEAST, within[i] + between);
            sum += Math.min(residuals[i] * residuals[i] / variance, most * most);
        }
        return sum;
    }
}
