package dev.downbeat.stats.change;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Counts;

/** The overall difference between two systems. */
public final class Effect {
    private Effect() {}

    /**
     * Cliff's delta: the probability that a request of the second is slower than one of the first, less that of the
     * reverse.
     *
     * @return from -1 to 1; 0 if either is empty
     * @see <a href="https://doi.org/10.1037/0033-2909.114.3.494">Cliff: Dominance statistics, Psychol. Bull. 114,
     *     1993</a>
     */
    public static double cliffsDelta(Distribution first, Distribution second) {
        if (first.isEmpty() || second.isEmpty()) {
            return 0;
        }
        Counts one = Counts.of(first);
        Counts other = Counts.of(second);
        double sum = 0;
        double below = 0;
        int i = 0;
        for (int j = 0; j < other.values().length; j++) {
            while (i < one.values().length && one.values()[i] < other.values()[j]) {
                below += one.counts()[i++];
            }
            double equal = i < one.values().length && one.values()[i] == other.values()[j] ? one.counts()[i] : 0;
            sum += other.counts()[j] * (below - (first.count() - below - equal));
        }
        return sum / ((double) first.count() * second.count());
    }
}
