package dev.downbeat.stats;

/**
 * For how long the requests of a run depended on each other, as far as the run can tell.
 *
 * @param stretches how many stretches (seconds) a batch needed for its neighbours to look independent; at least 1
 * @param stretchesNeeded how many stretches the run should have had; 0 if it was long enough, that is if ten batches fit in
 */
public record Memory(int stretches, int stretchesNeeded) {
    /** Whether it lasts for longer than a tenth of the run, so that no interval can be vouched for. */
    public boolean isTooLong() {
        return stretchesNeeded > 0;
    }

    Memory and(Memory other) {
        return new Memory(Math.max(stretches, other.stretches), Math.max(stretchesNeeded, other.stretchesNeeded));
    }

    public static Memory of(double[] excess) {
        int size = Batches.size(excess);
        return size > 0
                ? new Memory(size, 0)
                : new Memory(excess.length / Batches.LEAST, Batches.neededSeconds(excess));
    }
}
