package dev.downbeat.stats.level;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The best segmentation of a series into constant levels, where every cut must pay a price (optimal partitioning:
 * Jackson et al.: An algorithm for optimal partitioning of data on an interval, IEEE Signal Process. Lett. 12, 2005).
 * PELT finds the same result faster in long series (Killick, Fearnhead, Eckley, J. Am. Stat. Assoc. 107, 2012). An
 * outlier's cost is limited, so that no single value forms a level (Fearnhead, Rigaill: Changepoint detection in the
 * presence of outliers, J. Am. Stat. Assoc. 114, 2019). If the newest values are all outliers on one side of the
 * previous level, they form a scattered level: a slower build is often less even. Not thread-safe.
 */
public final class Levels {
    static final int LEAST_RUNS = 2;
    private static final int PASSES = 6;

    /** The least number of builds before a scattered level, to estimate the noise. */
    private static final int LEAST_BEFORE_SCATTERED = 6;

    /** The cost of each further value of a scattered level, in outliers. Above 3/4, two values would stay outliers. */
    private static final double SCATTERED_SHARE = 0.5;

    private final double[] values;
    private final double[] variances;
    private final int[] runsBefore;
    private final double most;
    private final double[][] costs;

    /**
     * Computes the cost of every segment.
     *
     * @param values one for each build
     * @param variances variances of the values
     * @param runs number of runs of each build
     * @param most limit of a value's cost, in squared standard deviations
     */
    public Levels(double[] values, double[] variances, int[] runs, double most) {
        int n = values.length;
        this.values = values.clone();
        this.variances = variances.clone();
        this.most = most;
        runsBefore = new int[n + 1];
        for (int i = 0; i < n; i++) {
            runsBefore[i + 1] = runsBefore[i] + runs[i];
        }
        costs = new double[n + 1][n + 1];
        double[] sorted = new double[n];
        for (int from = 0; from < n; from++) {
            for (int to = from + 1; to <= n; to++) {
                insert(sorted, to - from - 1, values[to - 1]);
                costs[from][to] = cost(from, to, level(from, to, sorted[(to - from) / 2]));
            }
        }
    }

    private static void insert(double[] sorted, int size, double value) {
        int place = Arrays.binarySearch(sorted, 0, size, value);
        place = place < 0 ? -place - 1 : place;
        System.arraycopy(sorted, place, sorted, place + 1, size - place);
        sorted[place] = value;
    }

    private double level(int from, int to, double begin) {
        double level = begin;
        for (int pass = 0; pass < PASSES; pass++) {
            double sum = 0;
            double weights = 0;
            for (int i = from; i < to; i++) {
                if (isWithin(i, level)) {
                    sum += values[i] / variances[i];
                    weights += 1 / variances[i];
                }
            }
            double next = weights > 0 ? sum / weights : level;
            if (next == level) {
                break;
            }
            level = next;
        }
        return level;
    }

    /** Whether a build belongs to a level rather than being an outlier. */
    public boolean isWithin(int build, double level) {
        double off = values[build] - level;
        return off * off / variances[build] <= most;
    }

    private double cost(int from, int to, double level) {
        double cost = 0;
        for (int i = from; i < to; i++) {
            double off = values[i] - level;
            cost += Math.min(off * off / variances[i], most);
        }
        return cost;
    }

    /** The cost of a segment at its best level; infinite if it has too few runs. */
    public double cost(int from, int to) {
        return runsBefore[to] - runsBefore[from] < LEAST_RUNS ? Double.POSITIVE_INFINITY : costs[from][to];
    }

    /** The starts of the segments, the first at 0. */
    public List<Integer> begins(double price) {
        int n = values.length;
        double[] best = new double[n + 1];
        int[] from = new int[n + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -price;
        for (int to = 1; to <= n; to++) {
            for (int begin = 0; begin < to; begin++) {
                double cost = best[begin] + price + (to == n ? lastCost(from[begin], begin) : cost(begin, to));
                if (cost < best[to]) {
                    best[to] = cost;
                    from[to] = begin;
                }
            }
        }
        List<Integer> begins = new ArrayList<>();
        for (int to = n; to > 0; to = from[to]) {
            begins.add(0, from[to]);
        }
        return begins;
    }

    /** The cost of the last segment after another. */
    double lastCost(int before, int from) {
        return isScattered(before, from) ? scatteredCost(from) : cost(from, values.length);
    }

    private double scatteredCost(int from) {
        return SCATTERED_SHARE * most * (values.length - from - 1);
    }

    /** Whether the builds of the last segment are a scattered level rather than alike. */
    private boolean isScattered(int before, int from) {
        int n = values.length;
        if (from < LEAST_BEFORE_SCATTERED || n - from < LEAST_RUNS || costs[from][n] <= scatteredCost(from)) {
            return false;
        }
        double level = level(before, from);
        return IntStream.range(from, n)
                .allMatch(i -> !isWithin(i, level) && values[i] > level == values[n - 1] > level);
    }

    /** The first build of a scattered level at the end; the number of builds if there is none. */
    int scatteredFrom(List<Integer> begins) {
        int last = begins.size() - 1;
        return last > 0 && isScattered(begins.get(last - 1), begins.get(last)) ? begins.get(last) : values.length;
    }

    /** The least and the greatest value of a segment. */
    Span span(int from, int to) {
        double[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        return new Span(sorted[0], sorted[sorted.length - 1]);
    }

    /** The least and the greatest of some values. */
    record Span(double least, double greatest) {
        double middle() {
            return (least + greatest) / 2;
        }
    }

    /** The best level of a segment. */
    public double level(int from, int to) {
        double[] sorted = Arrays.copyOfRange(values, from, to);
        Arrays.sort(sorted);
        return level(from, to, sorted[(to - from) / 2]);
    }

    /** The variance of a segment's level. */
    public double variance(int from, int to) {
        double level = level(from, to);
        double weights = 0;
        for (int i = from; i < to; i++) {
            weights += isWithin(i, level) ? 1 / variances[i] : 0;
        }
        return 1 / weights;
    }

    /** A straight line through a segment. */
    public Line line(int from, int to) {
        Line line = new Line(level(from, to), 0, 0, (from + to - 1) / 2.0);
        for (int pass = 0; pass < PASSES; pass++) {
            line = line.refined(from, to);
        }
        return line;
    }

    /** A line: its central value, its slope, and the slope's variance. */
    public final class Line {
        final double height;
        public final double slope;
        public final double slopeVariance;
        private final double middle;

        private Line(double height, double slope, double slopeVariance, double middle) {
            this.height = height;
            this.slope = slope;
            this.slopeVariance = slopeVariance;
            this.middle = middle;
        }

        public double at(int build) {
            return height + slope * (build - middle);
        }

        /** The first pass uses all values, since the ends of a drift are far from its mean. */
        private Line refined(int from, int to) {
            double sum = 0;
            double sumX = 0;
            double sumY = 0;
            for (int i = from; i < to; i++) {
                double weight = weight(i);
                sum += weight;
                sumX += weight * i;
                sumY += weight * values[i];
            }
            double meanX = sumX / sum;
            double meanY = sumY / sum;
            double squares = 0;
            double products = 0;
            for (int i = from; i < to; i++) {
                double weight = weight(i);
                squares += weight * (i - meanX) * (i - meanX);
                products += weight * (i - meanX) * (values[i] - meanY);
            }
            return new Line(meanY, products / squares, 1 / squares, meanX);
        }

        private double weight(int build) {
            return slopeVariance == 0 || isWithin(build, at(build)) ? 1 / variances[build] : 0;
        }

        public double cost(int from, int to) {
            double cost = 0;
            for (int i = from; i < to; i++) {
                double off = values[i] - at(i);
                cost += Math.min(off * off / variances[i], most);
            }
            return cost;
        }
    }
}
