package dev.downbeat.record.recorder;

import dev.downbeat.record.Distribution;

/** Counts of durations in the shared bucket layout. Single writer. */
interface ValueCounts {
    /** Counts a duration, clamped to the valid range. */
    void record(long nanos);

    /** Returns and resets the counts. */
    Distribution drain();
}
