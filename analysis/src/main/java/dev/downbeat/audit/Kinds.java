package dev.downbeat.audit;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The durations of each kind of request, for files with labels. A one-second export does not count as a stall of fast
 * requests. Not thread-safe.
 */
final class Kinds {
    /** The most kinds kept; further labels share one kind. */
    private static final int MOST = 200;

    /** Requests that last less than this multiple of their kind's median are ordinary slow ones. */
    private static final int UNUSUAL = 5;

    private static final int LEAST = 3;

    private final List<Histogram> times = new ArrayList<>();

    /** The kind of a label; -1 for none. */
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

    /** Whether there is more than one kind. */
    boolean areSeveral() {
        return times.size() > 1;
    }

    /** Whether a duration is unusual even for its kind. False for kinds with too few requests to tell. */
    boolean isUnusual(int kind, long nanos) {
        if (!areSeveral() || kind < 0) {
            return true;
        }
        Histogram ofKind = times.get(kind);
        return ofKind.getTotalCount() >= LEAST && nanos >= UNUSUAL * ofKind.getValueAtPercentile(50);
    }
}
