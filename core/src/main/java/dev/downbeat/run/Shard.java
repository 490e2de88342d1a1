package dev.downbeat.run;

/**
 * Which part of a plan a process runs, where several processes or machines run one plan together. The parts know nothing
 * of each other: together they send exactly what one process would have sent.
 *
 * @param index which part, from 0 to {@code count - 1}
 * @param count how many parts there are, from 1 to {@link #MOST}
 */
public record Shard(int index, int count) {
    /** Most parts of a plan. */
    public static final int MOST = 100_000;

    /** All of a plan. */
    public static final Shard WHOLE = new Shard(0, 1);

    public Shard {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("the number of shards must be from 1 to " + MOST + ", but was " + count);
        }
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException(
                    "shard must be from 0 to " + (count - 1) + " of " + count + ", but was " + index);
        }
    }

    /** Whether there are no other parts. */
    public boolean isWhole() {
        return count == 1;
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
