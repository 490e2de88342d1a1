package dev.downbeat.testing;

/**
 * How often a simulation is repeated: a fortieth of what a test asks for, unless {@code -Pnightly} or {@code
 * -Ddownbeat.replications=1} wants them all. What a test allows must follow from the number that it got. Thread-safe.
 */
public final class Replications {
    private static final double SHARE = Double.parseDouble(System.getProperty("downbeat.replications", "0.025"));

    private Replications() {}

    /**
     * As many of them as this build repeats.
     *
     * @param all as many as a nightly build repeats
     * @return at least one
     */
    public static int of(int all) {
        return Math.max(1, (int) Math.round(all * SHARE));
    }

    /**
     * As many of them as this build repeats.
     *
     * @param all as many as a nightly build repeats
     * @param least as many as make the test say anything
     * @return at least {@code least}
     */
    public static int of(int all, int least) {
        return Math.max(least, of(all));
    }

    /**
     * How much further than with all repetitions a share may lie from the truth by chance, three standard deviations each.
     *
     * @param percent the share that is true, in per cent
     * @param all as many as a nightly build repeats
     * @return percentage points; nothing if all are made
     */
    public static double slackPoints(double percent, int all) {
        double ofOne = Math.sqrt(percent * (100 - percent));
        return 3 * ofOne * (1 / Math.sqrt(of(all)) - 1 / Math.sqrt(all));
    }

    /** How many times as far as with all repetitions a mean may lie from the truth by chance. */
    public static double widening(int all) {
        return Math.sqrt((double) all / of(all));
    }

    /** Whether this build repeats everything as often as asked for. */
    public static boolean areWhole() {
        return SHARE >= 1;
    }
}
