package dev.downbeat.record;

/** Time between consecutive responses, in bands of one sixteenth of an octave. Single writer; allocates once. */
public final class GapLengths {
    private static final int BITS = 4;
    private static final int WITHIN = 1 << BITS;

    /** The number of bands. */
    static final int BANDS = 64 << BITS;

    private final long[] counts = new long[BANDS];
    private long all;

    /** Adds a gap in nanoseconds, at least 0. */
    public void add(long nanos) {
        counts[band(nanos)]++;
        all++;
    }

    /** The band; each is at most 6 % wide. */
    static int band(long nanos) {
        if (nanos < WITHIN) {
            return (int) nanos;
        }
        int octave = 63 - Long.numberOfLeadingZeros(nanos);
        return (octave << BITS) + ((int) (nanos >>> (octave - BITS)) & (WITHIN - 1));
    }

    /** The start of the band that contains the median; 0 if empty. */
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
