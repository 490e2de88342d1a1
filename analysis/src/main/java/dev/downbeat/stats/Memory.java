package dev.downbeat.stats;

/**
 * How long the requests of a run depend on each other, as far as the run shows it.
 *
 * @param stretches stretches (seconds) per batch needed for neighbouring batches to look independent; at least 1
 * @param stretchesNeeded recommended number of stretches; 0 if the run was long enough for ten batches
 */
public record Memory(int stretches, int stretchesNeeded) {
    /** Whether the memory exceeds a tenth of the run, so that no interval is reliable. */
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
