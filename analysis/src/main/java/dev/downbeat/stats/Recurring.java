package dev.downbeat.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * A periodic effect in a run, such as a collection every five seconds. It will recur as often in the next run, so it
 * does not add to the random variation between runs. It is found by folding the run (Leahy et al.: On searches for
 * pulsed emission, Astrophys. J. 266, 1983). Nearly every period must show it, since a few rare events fit some period
 * by chance.
 */
final class Recurring {
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
            return explained / (means.length - 1) * (n - means.length) / Math.max(squares - explained, 1e-9 * squares);
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
            int had = 0;
            int rounds = 0;
            for (double at = (most + 0.5) / means.length * length; at < excess.length; at += length) {
                int from = Math.max(0, (int) at - 1);
                int to = Math.min(excess.length, (int) at + 2);
                had += Arrays.stream(excess, from, to).anyMatch(each -> each > 0) ? 1 : 0;
                rounds++;
            }
            return had >= MOST * rounds;
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
