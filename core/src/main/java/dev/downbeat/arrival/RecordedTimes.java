package dev.downbeat.arrival;

/** Recorded arrival times in ascending order, wherever they are stored. Immutable and thread-safe; readers are not. */
public interface RecordedTimes {
    int count();

    /** A hash of the times: 0, updated with {@link #digest(long, long)} for each. */
    long digest();

    /** The hash after one more time. */
    static long digest(long soFar, long offsetNanos) {
        return SplitMix64.mix(soFar + offsetNanos);
    }

    Reader reader();

    /** Reads recorded times without allocation. Not thread-safe. */
    @FunctionalInterface
    interface Reader {
        /**
         * Reads consecutive times.
         *
         * @param first index of the first time to read, from 0 to below the count
         * @param into receives offsets from the start of the run in nanoseconds, ascending
         * @return the number of times read: the length of {@code into}, or what is left; 0 if the times are not stored
         *     here
         */
        int read(int first, long[] into);
    }

    /**
     * A recording that fits in memory.
     *
     * @param offsetsNanos sorted; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Kept(long[] offsetsNanos) implements RecordedTimes {
        @Override
        public int count() {
            return offsetsNanos.length;
        }

        @Override
        public Reader reader() {
            return (first, into) -> {
                int read = Math.min(into.length, offsetsNanos.length - first);
                System.arraycopy(offsetsNanos, first, into, 0, read);
                return read;
            };
        }

        @Override
        public long digest() {
            long digest = 0;
            for (long nanos : offsetsNanos) {
                digest = RecordedTimes.digest(digest, nanos);
            }
            return digest;
        }
    }

    /** A long recording of which a saved result stores only the count and the hash. */
    record Elsewhere(int count, long digest) implements RecordedTimes {
        public Elsewhere {
            if (count < 0) {
                throw new IllegalArgumentException("count must be at least 0, but was " + count);
            }
        }

        @Override
        public Reader reader() {
            return (first, into) -> 0;
        }
    }
}
