package dev.downbeat.record.recorder;

import dev.downbeat.record.Distribution;

/** Counts of durations, in the buckets of all distributions. Single writer. */
interface ValueCounts {
    /** Counts a duration; one out of range as the nearest that is not. */
    void record(long nanos);

    /** What was counted since the last call. */
    Distribution drain();
}
