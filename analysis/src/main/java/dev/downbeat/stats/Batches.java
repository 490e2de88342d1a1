package dev.downbeat.stats;

/**
 * Stretches of a run put together until they no longer depend on each other: sums of what each second has in excess of its
 * share. Requests of a queue depend on each other for a time that grows without limit towards saturation, so the length of
 * a batch is found and not given: the shortest whose neighbours pass von Neumann's test of independence at 10 %. What is
 * left of their correlation, which a run can hide by chance, still widens the variance, and their skewness the upper end:
 * each of the three alone holds too rarely. Immutable.
 *
 * @see <a href="https://doi.org/10.1214/aoms/1177731677">von Neumann: Distribution of the ratio of the mean square
 *     successive difference to the variance, Ann. Math. Stat. 12, 1941</a>
 */
public final class Batches {
    /** With fewer batches their differences tell too little. */
    public static final int LEAST = 10;

    /** Of the normal law at 10 %, one side. */
    private static final double Z = 1.2816;

    private static final double MOST_CORRELATION = 0.8;
    private static final double LEAST_FREEDOM = 3;
    private static final double LEAST_SKEWNESS = -2;
    private static final double MOST_SKEWNESS = 3;
    private static final double LEAST_STRETCH = 0.7;
    private static final double STRAIGHT = 1e-6;

    private final double[] sums;
    private final double squares;

    private Batches(double[] sums) {
        this.sums = sums;
        double found = 0;
        for (double sum : sums) {
            found += sum * sum;
        }
        squares = found;
    }

    /** Batches of {@code size} seconds; what is left over at the end goes into the last one. */
    public static Batches of(double[] excess, int size) {
        double[] sums = new double[excess.length / size];
        for (int i = 0; i < excess.length; i++) {
            sums[Math.min(i / size, sums.length - 1)] += excess[i];
        }
        return new Batches(sums);
    }

    /** The least number of seconds a batch must have; 0 if it would be more than a tenth of the run. */
    public static int size(double[] excess) {
        for (int size = 1; excess.length / size >= LEAST; size++) {
            if (of(excess, size).isForgetful()) {
                return size;
            }
        }
        return 0;
    }

    /** The array itself: not to be written to. */
    public double[] sums() {
        return sums;
    }

    public int count() {
        return sums.length;
    }

    /** How alike neighbours are, from -1 to 1. */
    public double correlation() {
        double differences = 0;
        for (int i = 1; i < sums.length; i++) {
            differences += (sums[i] - sums[i - 1]) * (sums[i] - sums[i - 1]);
        }
        return squares > 0 ? 1 - differences / (2 * squares) : 0;
    }

    private boolean isForgetful() {
        double m = sums.length;
        return correlation() <= Z * Math.sqrt((m - 2) / (m * m - 1));
    }

    /**
     * By how much the neighbours' correlation raises the variance of their mean; at least 1. That of few batches comes out
     * too small by about one part in their number.
     */
    double dependence() {
        double kept = Math.min(MOST_CORRELATION, Math.max(0, correlation() + 1.0 / sums.length));
        return (1 + kept) / (1 - kept);
    }

    /** The variance of the sum of all. */
    public double variance() {
        double m = sums.length;
        return m / (m - 1) * squares * dependence();
    }

    /** Degrees of freedom of that variance, for so many times the batches there are. */
    public double freedom(double longer) {
        double m = sums.length * longer;
        return Math.min(m - 1, Math.max(LEAST_FREEDOM, m / dependence() - 1));
    }

    /**
     * By how much the upper half of an interval must be longer, since few batches have most of what is slow; at least 1.
     *
     * @see <a href="https://doi.org/10.1080/03610918.2005.10683793">Willink: A confidence interval and test for the mean of
     *     an asymmetric distribution, Commun. Stat. Theory Methods 34, 2005</a>
     */
    double upperStretch(double halfError, double longer) {
        return Math.max(1, -stretch(-1, halfError, sums.length * longer));
    }

    /** By how much the lower half may be shorter for the same reason; at most 1. */
    double lowerStretch(double halfError) {
        return Math.max(LEAST_STRETCH, Math.min(1, stretch(1, halfError, sums.length)));
    }

    private double stretch(int side, double halfError, double m) {
        double a = skewness() / (6 * Math.sqrt(m));
        double t = StudentT.quantile(1 - halfError, m - 1);
        return Math.abs(a) < STRAIGHT ? side : (Math.cbrt(1 + 6 * a * (side * t - a)) - 1) / (2 * a) / t;
    }

    private double skewness() {
        double m = sums.length;
        double cubes = 0;
        for (double sum : sums) {
            cubes += sum * sum * sum;
        }
        double spread = Math.pow(squares / m, 1.5);
        double skewness = spread > 0 ? cubes / m / spread * Math.sqrt(m * (m - 1)) / (m - 2) : 0;
        return Math.max(LEAST_SKEWNESS, Math.min(MOST_SKEWNESS, skewness));
    }

    /**
     * How many seconds a run of {@code seconds} should have had, by the correlation of batches that are a tenth of it: ten
     * batches pass the test if each is as long as 1.8 times the time in which a memory fades to 1/e.
     */
    static int neededSeconds(double[] excess) {
        int size = Math.max(1, excess.length / LEAST);
        double seen = Math.min(MOST_CORRELATION + 0.1, of(excess, size).correlation() + 1.0 / LEAST);
        double low = 0.05; // batches in units of the fading time
        double high = 10;
        for (int i = 0; i < 50; i++) {
            double middle = (low + high) / 2;
            if (neighbours(middle) > seen) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (int) Math.ceil(LEAST * Math.max(1.5 * size, 1.8 * size / low));
    }

    /** Correlation of neighbouring batches whose length is x times the fading time of an exponential memory. */
    private static double neighbours(double x) {
        double gone = -Math.expm1(-x);
        return gone * gone / (2 * (x - gone));
    }
}
