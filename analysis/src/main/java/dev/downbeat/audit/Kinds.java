package dev.downbeat.audit;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The times of each kind of request, where the file has labels: an export that takes a second is no stall of the quick
 * requests around it. Not thread-safe.
 */
final class Kinds {
    /** Labels beyond these are one kind. */
    private static final int MOST = 200;

    /** Requests that last less times the median of their kind are its slower ones. */
    private static final int UNUSUAL = 5;

    private static final int LEAST = 3;

    private final List<Histogram> times = new ArrayList<>();

    /** Which kind a label is; -1 for none. */
    static int of(int label) {
        return Math.min(label, MOST);
    }

    void add(int label, long nanos) {
        int kind = of(label);
        while (times.size() <= kind) {
            times.add(new Histogram(2));
        }
        if (kind >= 0) {
            times.get(kind).recordValue(nanos);
        }
    }

    /** Whether there are kinds to tell apart. */
    boolean areTold() {
        return times.size() > 1;
    }

    /** Whether so long a time is none of the slower ones of its kind; of too few requests nobody knows. */
    boolean isUnusual(int kind, long nanos) {
        if (!areTold() || kind < 0) {
            return true;
        }
        Histogram ofKind = times.get(kind);
        return ofKind.getTotalCount() >= LEAST && nanos >= UNUSUAL * ofKind.getValueAtPercentile(50);
    }
}
