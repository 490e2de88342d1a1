package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/** The sum of many recordings, such as the intervals of a run. Not thread-safe. */
public final class RecordingSum {
    /** A sum of many reads all buckets of the total once, where single additions read them each time. */
    private static final int SUMMED_AT_ONCE = 16;

    private final List<Recording> parts = new ArrayList<>();

    /** Adds a recording, which must be later than all before. */
    public void add(Recording recording) {
        parts.add(recording);
        if (parts.size() > SUMMED_AT_ONCE) {
            total();
        }
    }

    /** The sum so far. */
    public Recording total() {
        Recording sum = Recording.sum(parts);
        parts.clear();
        parts.add(sum);
        return sum;
    }

    /** Returns the sum and starts anew. */
    public Recording take() {
        Recording sum = total();
        parts.clear();
        return sum;
    }
}
