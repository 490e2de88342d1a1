package dev.downbeat.arrival;

/** Recorded times in order, wherever they are kept. Immutable, thread-safe; their readers are not. */
public interface RecordedTimes {
    /** How many there are. */
    int count();

    /** The same for the same times, and hardly for others: begun with 0, then {@link #digest(long, long)} of each. */
    long digest();

    /** With one time more. */
    static long digest(long soFar, long offsetNanos) {
        return SplitMix64.mix(soFar + offsetNanos);
    }

    /** A new reader of them. */
    Reader reader();

    /** Reads times; allocates nothing. Not thread-safe. */
    @FunctionalInterface
    interface Reader {
        /**
         * Reads from one of them on.
         *
         * @param first from 0 to below their number
         * @param into takes offsets from the start of the run in nanoseconds, none less than the one before
         * @return how many were read: as many as there is room for, or are left; none if they are not here
         */
        int read(int first, long[] into);
    }

    /**
     * Those of a recording that is short enough to be kept in memory.
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

    /**
     * Those of a long recording, of which a saved result knows no more than this.
     */
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
