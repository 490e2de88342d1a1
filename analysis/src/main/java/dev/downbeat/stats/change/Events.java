package dev.downbeat.stats.change;

import dev.downbeat.stats.Beta;
import dev.downbeat.stats.Normal;
import java.util.List;

/** Compares occasional events of two sides by frequency and length. Each answer errs in at most 5 % of cases. */
public final class Events {
    /** With at most this many events in total, rates are not compared. */
    public static final int FEW = 5;

    /** With fewer events on a side, no order of their lengths would be significant. */
    private static final int LEAST = 4;

    private static final double HALF_ERROR = 0.025;

    private Events() {}

    /**
     * Compares rates of independent events. Given the total, each event belongs to a side in proportion to its time.
     *
     * @param base events of the base, in {@code baseSeconds} above 0
     * @param other events of the other side, in {@code otherSeconds} above 0
     * @return slower if the other side certainly has more
     * @see <a href="https://doi.org/10.1093/biomet/31.3-4.313">Przyborowski, Wilenski: Homogeneity of results in
     *     testing samples from Poisson series, Biometrika 31, 1940</a>
     */
    public static ChangeAnswer rate(int base, double baseSeconds, int other, double otherSeconds) {
        int all = base + other;
        double share = otherSeconds / (baseSeconds + otherSeconds);
        if (all == 0 || !(share > 0 && share < 1)) {
            return ChangeAnswer.NOT_JUDGED;
        }
        if (1 - Beta.binomialCdf(other - 1L, all, share) <= HALF_ERROR) {
            return ChangeAnswer.SLOWER;
        }
        return Beta.binomialCdf(other, all, share) <= HALF_ERROR ? ChangeAnswer.FASTER : ChangeAnswer.CANNOT_TELL;
    }

    /**
     * Compares lengths by their ranks.
     *
     * @param base lengths on the base
     * @param other lengths on the other side
     * @return slower if those of the other side are certainly longer
     * @see <a href="https://doi.org/10.1214/aoms/1177730491">Mann, Whitney: On a test of whether one of two random
     *     variables is stochastically larger than the other, Ann. Math. Stat. 18, 1947</a>
     */
    public static ChangeAnswer lengths(List<Long> base, List<Long> other) {
        if (base.size() < LEAST || other.size() < LEAST) {
            return ChangeAnswer.NOT_JUDGED;
        }
        double longer = 0;
        for (long one : base) {
            for (long two : other) {
                longer += two > one ? 1 : two == one ? 0.5 : 0;
            }
        }
        double pairs = (double) base.size() * other.size();
        double deviation = Math.sqrt(pairs * (base.size() + other.size() + 1) / 12);
        double z = (Math.abs(longer - pairs / 2) - 0.5) / deviation;
        if (z < Normal.quantile(1 - HALF_ERROR)) {
            return ChangeAnswer.CANNOT_TELL;
        }
        return longer > pairs / 2 ? ChangeAnswer.SLOWER : ChangeAnswer.FASTER;
    }
}
