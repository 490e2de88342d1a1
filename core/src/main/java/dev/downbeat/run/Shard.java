package dev.downbeat.run;

/**
 * The part of a plan that one process runs when several processes or machines share it. Shards do not communicate:
 * together they send exactly what one process would.
 *
 * @param index index of this shard, from 0 to {@code count - 1}
 * @param count number of shards, from 1 to {@link #MOST}
 */
public record Shard(int index, int count) {
    public static final int MOST = 100_000;

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

    public boolean isWhole() {
        return count == 1;
    }

    @Override
    public String toString() {
        return index + "/" + count;
    }
}
