package dev.downbeat.record;

/** How long it took from one answer to the next, in bands of a sixteenth of their octave. Single writer; allocates once. */
public final class GapLengths {
    private static final int BITS = 4;
    private static final int WITHIN = 1 << BITS;

    /** How many bands there are. */
    static final int BANDS = 64 << BITS;

    private final long[] counts = new long[BANDS];
    private long all;

    /** One more, from 0 on. */
    public void add(long nanos) {
        counts[band(nanos)]++;
        all++;
    }

    /** Each is at most 6 % wide. */
    static int band(long nanos) {
        if (nanos < WITHIN) {
            return (int) nanos;
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos);
        return (octave << BITS) + ((int) (nanos >>> (octave - BITS)) & (WITHIN - 1));
    }

    /** The begin of the band in which half of them are reached; 0 of none. */
    public long medianNanos() {
        long seen = 0;
        for (int band = 0; band < counts.length; band++) {
            seen += counts[band];
            if (2 * seen >= all && seen > 0) {
                int octave = band >> BITS;
                return octave == 0 ? band : (long) (WITHIN + (band & (WITHIN - 1))) << (octave - BITS);
            }
        }
        return 0;
    }
}
