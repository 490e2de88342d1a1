package dev.downbeat.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * What comes back in a run at equal steps, such as a collection each five seconds: it will come as often in the next run, and
 * says nothing of by how much runs differ by chance. It is found by folding the run (Leahy et al.: On searches for pulsed emission,
 * Astrophys. J. 266, 1983), and only if nearly every period had it, since a few rare events fit some step by chance.
 */
final class Recurring {
    /** Fewer equal steps may be chance. */
    private static final int LEAST_PERIODS = 5;

    /** So many of the periods have it. */
    private static final double MOST = 0.9;

    /** How often a fold is found where there is none, over all that are tried. */
    private static final double ERROR = 0.001;

    private static final double LEAST_LENGTH = 2;

    /** A longer run knows by its batches how often things come, and would take long to fold. */
    private static final int MOST_STRETCHES = 120;

    private Recurring() {}

    /** What is left of the excess of each stretch; the same array if nothing recurs. */
    static double[] without(double[] excess) {
        int n = excess.length;
        double squares = Arrays.stream(excess).map(each -> each * each).sum();
        if (squares == 0 || n > MOST_STRETCHES) {
            return excess;
        }
        Optional<Fold> best = Optional.empty();
        double most = 0;
        int tried = 0;
        // so fine that the phase is off by a quarter of a stretch at most at the end of the run
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

    /** Mean of each phase; the squares are those that it explains. */
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

        /** F: what a phase explains beside what is left. */
        double fit(double squares, int n) {
            return explained / (means.length - 1) * (n - means.length) / Math.max(squares - explained, 1e-9 * squares);
        }

        /** Of so much being explained by chance: the law of a share of squares, which is that of F. */
        double chance(double squares, int n) {
            double share = Math.min(1, explained / squares);
            return 1 - Beta.cdf(share, (means.length - 1) / 2.0, (n - means.length) / 2.0);
        }

        /** Whether nearly each time that the phase with the most comes round there is more than a share, then or right beside it. */
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

        /** As much larger as the means of the phases follow chance, too. */
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
