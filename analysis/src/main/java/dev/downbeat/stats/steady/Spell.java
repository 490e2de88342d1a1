package dev.downbeat.stats.steady;

import dev.downbeat.stats.Batches;
import dev.downbeat.stats.Series;
import dev.downbeat.stats.StudentT;
import java.util.Arrays;
import java.util.Optional;

/**
 * Consecutive values that differ from all others: a warm-up at the start, or a slow spell inside a run. They are those
 * whose separate level leaves the least residuals, and they must exceed what the memory of the others allows.
 *
 * @param from first value
 * @param to first value after them
 * @param gap difference of their mean to that of the others
 */
record Spell(int from, int to, double gap) {
    /** 10 %, in logarithms. */
    static final double LEAST_GAP = Math.log(1.1);

    /** A single value is not conclusive. */
    private static final int LEAST = 2;

    private static final int MOST_OF_WARM_UP = 6;

    private static final int MOST_OF_SPELL = 4;

    /** Far below the resolution of the histogram buckets. */
    private static final double INVISIBLE = 1e-6;

    /** The error for each possible start. */
    private static final double ERROR = 0.00002;

    /** A spell at the start, of at most a sixth of the values. */
    static Optional<Spell> atBegin(double[] series) {
        return best(series, 0, 0, series.length / MOST_OF_WARM_UP);
    }

    /** A slow spell inside the series, of at most a quarter of the values. */
    static Optional<Spell> within(double[] series) {
        return best(series, LEAST, series.length - 1, series.length / MOST_OF_SPELL)
                .filter(found -> found.gap > 0 && found.recovers(series));
    }

    /** Whether the earlier level returns afterwards; a spell that fades from the start is a warm-up. */
    private boolean recovers(double[] series) {
        double before = Series.median(Arrays.copyOf(series, from));
        double after = Series.median(Arrays.copyOfRange(series, to, series.length));
        return Math.abs(before - after) < gap / 3;
    }

    private static Optional<Spell> best(double[] series, int first, int last, int longest) {
        int n = series.length;
        double[] sums = new double[n + 1];
        for (int i = 0; i < n; i++) {
            sums[i + 1] = sums[i] + series[i];
        }
        double most = 0;
        int from = 0;
        int to = 0;
        for (int begin = first; begin <= last; begin++) {
            for (int end = begin + LEAST; end <= begin + longest && (first == 0 || end < n); end++) {
                double inside = end - begin;
                double apart = sums[end] - sums[begin] - inside * sums[n] / n;
                double explained = apart * apart / (inside * (n - inside));
                if (explained > most) {
                    most = explained;
                    from = begin;
                    to = end;
                }
            }
        }
        return to == 0 ? Optional.empty() : sure(series, from, to);
    }

    private static Optional<Spell> sure(double[] series, int from, int to) {
        int inside = to - from;
        double[] others = new double[series.length - inside];
        System.arraycopy(series, 0, others, 0, from);
        System.arraycopy(series, to, others, from, series.length - to);
        double usual = Series.mean(others);
        double gap = Series.mean(Arrays.copyOfRange(series, from, to)) - usual;
        double[] left = Arrays.stream(others)
                .map(value -> Math.abs(value - usual) < INVISIBLE ? 0 : value - usual)
                .toArray();
        int size = Batches.size(left);
        if (size == 0 || Math.abs(gap) < LEAST_GAP) {
            return Optional.empty();
        }
        Batches batches = Batches.of(left, size);
        double longRun = batches.variance() / others.length;
        double deviation = Math.sqrt(longRun * (1.0 / inside + 1.0 / others.length));
        double t = StudentT.quantile(1 - ERROR / series.length, batches.freedom(1));
        return Math.abs(gap) > t * deviation ? Optional.of(new Spell(from, to, gap)) : Optional.empty();
    }
}
