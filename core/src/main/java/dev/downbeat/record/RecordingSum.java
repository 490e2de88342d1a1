package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/** The sum of many recordings, such as the intervals of a run. Not thread-safe. */
public final class RecordingSum {
    /** Summing many at once reads the total's buckets once instead of once per addition. */
    private static final int SUMMED_AT_ONCE = 16;

    private final List<Recording> parts = new ArrayList<>();

    /** Adds a recording, which must be later than all before. */
    public void add(Recording recording) {
        parts.add(recording);
        if (parts.size() > SUMMED_AT_ONCE) {
            total();
        }
    }

    public Recording total() {
        Recording sum = Recording.sum(parts);
        parts.clear();
        parts.add(sum);
        return sum;
    }

    public Recording take() {
        Recording sum = total();
        parts.clear();
        return sum;
    }
}
