package dev.downbeat.gatling.ledger;

import dev.downbeat.record.Distribution;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** Durations as they came, in nanoseconds: to note one is to store it, and they are counted later. Not thread-safe. */
final class Durations {
    private long[] nanos = new long[16];
    private int count;

    void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = Math.max(0, Math.min(duration, Distribution.MAX_NANOS));
    }

    /**
     * Counts them all, and forgets them.
     *
     * @param scratch an empty histogram, which is left empty
     */
    Distribution counted(Histogram scratch) {
        if (count == 0) {
            return Distribution.empty();
        }
        for (int i = 0; i < count; i++) {
            scratch.recordValue(nanos[i]);
        }
        count = 0;
        Distribution all = Distribution.of(scratch);
        scratch.reset();
        return all;
    }
}
