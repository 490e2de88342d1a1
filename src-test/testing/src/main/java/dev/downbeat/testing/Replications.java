package dev.downbeat.testing;

/**
 * The number of repetitions of a simulation: a fortieth of what the test requests, or all with {@code -Pnightly} or
 * {@code -Ddownbeat.replications=1}. A test's tolerance must depend on the number it gets. Thread-safe.
 */
public final class Replications {
    private static final double SHARE = Double.parseDouble(System.getProperty("downbeat.replications", "0.025"));

    private Replications() {}

    /**
     * The number of repetitions in this build.
     *
     * @param all repetitions in a nightly build
     * @return at least one
     */
    public static int of(int all) {
        return Math.max(1, (int) Math.round(all * SHARE));
    }

    /**
     * The number of repetitions in this build.
     *
     * @param all repetitions in a nightly build
     * @param least minimum for the test to be meaningful
     * @return at least {@code least}
     */
    public static int of(int all, int least) {
        return Math.max(least, of(all));
    }

    /**
     * The additional tolerance for an observed share with fewer repetitions, at three standard deviations.
     *
     * @param percent the true share, in per cent
     * @param all repetitions in a nightly build
     * @return percentage points; 0 with all repetitions
     */
    public static double slackPoints(double percent, int all) {
        double ofOne = Math.sqrt(percent * (100 - percent));
        return 3 * ofOne * (1 / Math.sqrt(of(all)) - 1 / Math.sqrt(all));
    }

    /** The factor by which the tolerance for a mean widens with fewer repetitions. */
    public static double widening(int all) {
        return Math.sqrt((double) all / of(all));
    }

    /** Whether this build runs all repetitions. */
    public static boolean areWhole() {
        return SHARE >= 1;
    }
}
